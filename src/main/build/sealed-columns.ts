import { accountSealedColumns } from "../../accounts/sealed.store.ts";
import { endpointSealedColumns } from "../../callbacks/endpoints/webhook-endpoint.store.ts";
import { depositSealedColumns } from "../../deposits/sealed.store.ts";
import { beneficiarySealedColumns } from "../../payouts/beneficiaries/beneficiary.store.ts";
import { payoutSealedColumns } from "../../payouts/sealed.store.ts";
import type { SealedColumn } from "../../platform/db/sealed-column.ts";
import { emailSealedColumns } from "../../platform/mail/email.store.ts";
import { pushSealedColumns } from "../../platform/push/push-key.store.ts";

/** All database columns that the data keys seal. */
export const sealedColumns: readonly SealedColumn[] = [
  ...accountSealedColumns,
  ...endpointSealedColumns,
  ...emailSealedColumns,
  ...pushSealedColumns,
  ...depositSealedColumns,
  ...payoutSealedColumns,
  ...beneficiarySealedColumns,
];
