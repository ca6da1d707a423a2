import type { Principal } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { listBeneficiaryRows, readBeneficiaryRow } from "./beneficiary.store.ts";
import type { Beneficiary } from "./beneficiary.ts";

/** A page of the account's beneficiaries; they hang on no wallet, so every member sees them. */
export function listBeneficiaries(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<Beneficiary>> {
  return listBeneficiaryRows(db, principal.accountId, query);
}

/** Null when the account has none of that id. */
export function readBeneficiary(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<Beneficiary | null> {
  return readBeneficiaryRow(db, principal.accountId, id);
}
