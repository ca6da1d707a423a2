import type { Executor } from "../../platform/db/database.ts";
import { lockAccount } from "../account.store.ts";
import { assertAccountExists } from "../assert-account-exists.ts";
import { readMembers } from "./member.store.ts";
import type { Member } from "./member.ts";

/** The account's members, none of whom changes until the transaction ends. Rejects `notFound` for an unknown account. */
export async function lockMembers(tx: Executor, accountId: string): Promise<readonly Member[]> {
  await assertAccountExists(tx, accountId);
  await lockAccount(tx, accountId);
  return readMembers(tx, accountId);
}
