import type { Member } from "../../accounts/account.store.ts";
import { listMembers } from "../../accounts/list-members.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { Foundation } from "../build/foundation.ts";

/** The members of an account. Throws when the text names no account. */
export async function findMembers(
  foundation: Pick<Foundation, "db">,
  accountId: string,
): Promise<readonly Member[]> {
  if (!isObjectId(accountId)) throw new Error(`There is no account ${accountId}.`);
  return await listMembers(foundation, accountId);
}

/** The member of that id. Throws when the account has none. */
export async function findMember(
  foundation: Pick<Foundation, "db">,
  accountId: string,
  memberId: string,
): Promise<Member> {
  const members = await findMembers(foundation, accountId);
  const member = members.find(({ id }) => id === memberId);
  if (member === undefined) throw new Error(`The account has no member ${memberId}.`);
  return member;
}
