import { accountSealedColumns } from "../accounts/sealed.store.ts";
import { beneficiarySealedColumns } from "../beneficiaries/sealed.store.ts";
import type { SealedColumn } from "../db/sealed-column.ts";
import { depositSealedColumns } from "../deposits/sealed.store.ts";
import { payoutSealedColumns } from "../payouts/sealed.store.ts";

/** Everything in the database that only the data keys open. */
export const sealedColumns: readonly SealedColumn[] = [
  ...accountSealedColumns,
  ...depositSealedColumns,
  ...payoutSealedColumns,
  ...beneficiarySealedColumns,
];
