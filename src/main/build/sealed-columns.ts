import { accountSealedColumns } from "../../accounts/sealed.store.ts";
import { depositSealedColumns } from "../../deposits/sealed.store.ts";
import { beneficiarySealedColumns } from "../../payouts/beneficiaries/sealed.store.ts";
import { payoutSealedColumns } from "../../payouts/sealed.store.ts";
import type { SealedColumn } from "../../platform/db/sealed-column.ts";

/** Everything in the database that only the data keys open. */
export const sealedColumns: readonly SealedColumn[] = [
  ...accountSealedColumns,
  ...depositSealedColumns,
  ...payoutSealedColumns,
  ...beneficiarySealedColumns,
];
