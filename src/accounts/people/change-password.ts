import { Rejected, type Rejection, reject, rejection } from "../../kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { hashPassword } from "../password-hash.ts";
import type { Principal } from "../principal.ts";
import type { PeopleContext } from "./context.ts";
import { loginFault, passwordFault } from "./password-rules.ts";
import {
  isLoginTaken,
  lockLogins,
  readLoginOfMember,
  savePersonLogin,
} from "./person-login.store.ts";
import { endPersonSessions } from "./person-session.store.ts";
import { requireConfirmed } from "./require-person.ts";

const loginPointer = { pointer: "/data/attributes/login" };
const passwordPointer = { pointer: "/data/attributes/password" };

/**
 * Gives the caller another password, and with `login` another login; the first time both. All their other sessions end, and from then
 * on no program's credential of theirs opens the dashboard. Rejects `confirmationDue` and `invalidValue`.
 */
export async function changePassword(
  context: PeopleContext,
  principal: Principal,
  change: { readonly login: string | null; readonly password: string },
): Promise<void> {
  const { familyId } = requireConfirmed(context, principal);
  const { accountId, memberId } = principal;
  const former = await readLoginOfMember(context.db, accountId, memberId);
  const login = (change.login ?? former?.login ?? "").toLowerCase();
  refuse(login, change.password);
  const passwordHash = await hashPassword(change.password, context.people.hashing, context.random);
  const at = context.clock.now();
  await context.db.transaction(async (tx) => {
    await lockLogins(tx);
    if (await isLoginTaken(tx, accountId, memberId, login))
      reject("invalidValue", "Somebody else has this login.", loginPointer);
    await savePersonLogin(tx, {
      accountId,
      memberId,
      login,
      passwordHash,
      isInitial: false,
      changedAt: at,
    });
    await endPersonSessions(tx, { accountId, memberId, number: null, except: familyId }, at);
    await recordAudit(tx, {
      by: principal,
      action: "password.changed",
      object: { type: "member", id: memberId },
      summary: former?.login === login ? {} : { login },
      at,
    });
  });
}

function refuse(login: string, password: string): void {
  const faults: Rejection[] = [];
  const ofLogin = loginFault(login);
  if (ofLogin !== null) faults.push(rejection("invalidValue", ofLogin, loginPointer));
  const ofPassword = passwordFault(password, login === "" ? "\0" : login);
  if (ofPassword !== null) faults.push(rejection("invalidValue", ofPassword, passwordPointer));
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
}
