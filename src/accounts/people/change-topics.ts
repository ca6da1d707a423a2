import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import type { ChosenTopics } from "./contact.store.ts";
import { chooseTopics, readContact } from "./contact.ts";
import { readLoginOfMember } from "./person-login.store.ts";
import { assertOwnPassword, requirePerson } from "./require-person.ts";

type TopicsContext = { readonly db: Database; readonly clock: Clock; readonly random: Random };

/**
 * Rejects `permissionDenied` for a program of a member who signs in: the person hears of what is done with a stolen credential only by the
 * notifications that the credential could end here.
 */
export async function assertOwnSettings(
  { db }: Pick<TopicsContext, "db">,
  principal: Principal,
): Promise<void> {
  if (principal.person !== undefined) return;
  const { accountId, memberId } = principal;
  if ((await readLoginOfMember(db, accountId, memberId)) !== null) requirePerson(principal);
}

/**
 * Replaces what the caller is notified by email and in its browsers, on record; null: unchanged. Rejects `permissionDenied` while the
 * caller has an initial password.
 */
export async function changeTopics(
  { db, clock, random }: TopicsContext,
  principal: Principal,
  chosen: ChosenTopics,
): Promise<void> {
  if (chosen.email === null && chosen.push === null) return;
  if (principal.person !== undefined) assertOwnPassword(principal.person);
  const at = clock.now();
  await db.transaction(async (tx) => {
    const before = await readContact({ db: tx, clock }, principal);
    const changes = {
      ...changeOf("topics", before.topics, chosen.email),
      ...changeOf("push_topics", before.pushTopics, chosen.push),
    };
    if (Object.keys(changes).length === 0) return;
    await chooseTopics({ db: tx, random }, principal, chosen);
    await recordAudit(tx, {
      by: principal,
      action: "notifications.changed",
      object: { type: "member", id: principal.memberId },
      summary: changes,
      at,
    });
  });
}

function changeOf(
  name: string,
  before: readonly string[],
  after: readonly string[] | null,
): Readonly<Record<string, readonly string[]>> {
  const isSame =
    after === null ||
    (after.length === before.length && after.every((one) => before.includes(one)));
  return isSame ? {} : { [name]: after };
}
