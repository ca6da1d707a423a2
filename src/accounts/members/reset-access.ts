import { present } from "../../platform/kernel/assert.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import {
  type Actor,
  type AdministrationContext,
  actingMemberId,
  assertConfirmedAdministrator,
  auditActor,
  type Target,
} from "../actor.ts";
import { assertAccountExists } from "../assert-account-exists.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { removeAllPasskeys } from "../people/passkey.store.ts";
import { endPersonSessions } from "../people/person-session.store.ts";
import { replaceRecoveryCodes } from "../people/recovery-code.store.ts";
import { removeTotp } from "../people/totp.store.ts";
import { removeAddress } from "../people/verify-email.ts";
import { assertMayManage } from "./assert-member-change.ts";
import { lockMembers } from "./lock-members.ts";
import { clearConfirmation, readMember, readMembers } from "./member.store.ts";
import type { Member } from "./member.ts";
import { assignLogin, generateInitialLogin, type InitialLogin } from "./person-login.ts";

/**
 * Gives a member who lost the password or second factors, or whose access someone else has, an initial password. Removes the factors and
 * the email address, through which the password could be reset, tells that address, and ends the sessions. `login` null: the member keeps
 * its login. Null when the account has no such member. Rejects `permissionDenied`, `confirmationDue`, `notFound` for
 * an unknown account, and `invalidValue`.
 */
export async function resetAccess(
  context: AdministrationContext,
  actor: Actor,
  { accountId, id }: Target,
  login: string | null,
): Promise<{ readonly member: Member; readonly access: InitialLogin } | null> {
  assertConfirmedAdministrator(context, actor, accountId);
  if (id === actingMemberId(actor))
    reject("permissionDenied", "Change your own password and factors in your profile.");
  await assertAccountExists(context.db, accountId);
  const before = (await readMembers(context.db, accountId)).find((member) => member.id === id);
  if (before === undefined) return null;
  const access = await generateInitialLogin(
    context,
    login ??
      before.login ??
      reject("invalidValue", "The member has no login. Enter one.", {
        pointer: "/data/attributes/login",
      }),
  );
  const at = context.clock.now();
  const givenByMemberId = actingMemberId(actor);
  const of = { accountId, memberId: id };
  return context.db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    assertMayManage(
      members,
      actor,
      present(
        members.find((member) => member.id === id),
        "the member",
      ),
    );
    await assignLogin(tx, of, access, { isInitial: true, givenByMemberId, givenAt: at });
    if (givenByMemberId !== null) await clearConfirmation(tx, accountId, id);
    await removeTotp(tx, of, null);
    await removeAllPasskeys(tx, of);
    await replaceRecoveryCodes(tx, of, []);
    await removeAddress(context, tx, of);
    await endPersonSessions(tx, { ...of, number: null, except: null }, at);
    await recordAudit(tx, {
      by: auditActor(actor, accountId),
      action: "member.access_reset",
      object: { type: "member", id },
      summary: { login: access.login },
      at,
    });
    return { member: present(await readMember(tx, accountId, id), "the member"), access };
  });
}
