import type { Principal } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { listBeneficiaryRows, readBeneficiaryRow } from "./beneficiary.store.ts";
import type { Beneficiary } from "./beneficiary.ts";

/** One page of the account's beneficiaries. They belong to no wallet, so every member may view them. */
export function listBeneficiaries(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<Beneficiary>> {
  return listBeneficiaryRows(db, principal.accountId, query);
}

/** The beneficiary with this id; null when the account has none. */
export function findBeneficiary(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<Beneficiary | null> {
  return readBeneficiaryRow(db, principal.accountId, id);
}
