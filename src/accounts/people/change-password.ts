import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { Rejected, type Rejection, reject, rejection } from "../../platform/kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import { hashPassword } from "../tokens/password-hash.ts";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import type { PeopleContext } from "./context.ts";
import { removeEmailLinks } from "./email-token.store.ts";
import { removeAllPasskeys } from "./passkey.store.ts";
import { loginFault, passwordFault } from "./password-rules.ts";
import type { Person } from "./person.ts";
import {
  changePersonLogin,
  isLoginTaken,
  lockLogins,
  readLoginOfMember,
} from "./person-login.store.ts";
import { endPersonSessions, isSessionOpen } from "./person-session.store.ts";
import { replaceRecoveryCodes } from "./recovery-code.store.ts";
import { requireConfirmed } from "./require-person.ts";
import { removeTotp } from "./totp.store.ts";
import { removeAddress } from "./verify-email.ts";

const loginPointer = { pointer: "/data/attributes/login" };
const passwordPointer = { pointer: "/data/attributes/password" };

/**
 * Changes the caller's password, and its login unless `login` is null, ends the caller's other sessions, and makes the links in earlier
 * emails worthless. Rejects `confirmationDue` and `invalidValue`.
 */
export async function changePassword(
  context: PeopleContext,
  principal: Principal,
  change: { readonly login: string | null; readonly password: string },
): Promise<void> {
  const { familyId } = requireConfirmed(context, principal);
  const { accountId, memberId } = principal;
  const former = present(
    await readLoginOfMember(context.db, accountId, memberId),
    "the login of a signed-in person",
  );
  const login = (change.login ?? former.login).toLowerCase();
  assertValid(login, change.password);
  const passwordHash = await hashPassword(change.password, context.people.hashing, context.random);
  const at = context.clock.now();
  await context.db.transaction(async (tx) => {
    await lockLogins(tx);
    if (await isLoginTaken(tx, accountId, memberId, login))
      reject("invalidValue", "This login is already taken.", loginPointer);
    // Someone else may have asked for them: a link to an address of theirs would lead to the new password.
    await removeEmailLinks(tx, principal);
    if (former.isInitial) await removeWaysBack(context, tx, principal);
    await changePersonLogin(tx, { accountId, memberId, login, passwordHash }, at);
    // The access may have been reset while the password was hashed: it ended this session, and its password must stay.
    if (!(await isSessionOpen(tx, familyId))) throw unauthenticated("token");
    await endPersonSessions(tx, { accountId, memberId, number: null, except: familyId }, at);
    await recordAudit(tx, {
      by: principal,
      action: "password.changed",
      object: { type: "member", id: memberId },
      summary: former.login === login ? {} : { login },
      at,
    });
  });
}

/**
 * Removes the address and the factors of a person whose password was an initial one. Nothing can be set up with such a password
 * (`assertOwnPassword`), so these are not the person's: a request under way may have stored them when the access was reset.
 */
async function removeWaysBack(context: PeopleContext, tx: Executor, person: Person): Promise<void> {
  await removeTotp(tx, person, null);
  await removeAllPasskeys(tx, person);
  await replaceRecoveryCodes(tx, person, []);
  await removeAddress(context, tx, person);
}

function assertValid(login: string, password: string): void {
  const faults: Rejection[] = [];
  const ofLogin = loginFault(login);
  if (ofLogin !== null) faults.push(rejection("invalidValue", ofLogin, loginPointer));
  const ofPassword = passwordFault(password, login);
  if (ofPassword !== null) faults.push(rejection("invalidValue", ofPassword, passwordPointer));
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
}
