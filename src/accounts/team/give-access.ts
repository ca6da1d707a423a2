import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { forgetConfirmation, readMember } from "../member.store.ts";
import type { MemberRecord } from "../member-record.ts";
import type { PeopleContext, PeopleSettings } from "../people/context.ts";
import { removeAllPasskeys } from "../people/passkey.store.ts";
import { loginFault } from "../people/password-rules.ts";
import {
  givePersonLogin,
  isLoginTaken,
  lockLogins,
  readLoginOfMember,
} from "../people/person-login.store.ts";
import { endPersonSessions } from "../people/person-session.store.ts";
import { replaceRecoveryCodes } from "../people/recovery-code.store.ts";
import { generateRecoveryCode } from "../people/recovery-code.ts";
import { requireConfirmed } from "../people/require-person.ts";
import { removeTotp } from "../people/totp.store.ts";
import type { Principal } from "../principal.ts";
import { hashPassword } from "../tokens/password-hash.ts";
import { managingFault } from "./decide-member.ts";
import { acting, lockedMembers } from "./locked-members.ts";
import { requireAdministrator } from "./require-administrator.ts";

const loginPointer = { pointer: "/data/attributes/login" };

/** A login with a first password, which its person has to change before anything else. */
export type GivenAccess = {
  readonly login: string;
  /** Shown this once. */
  readonly password: string;
  readonly passwordHash: string;
};

type AccessContext = Pick<PeopleContext, "db" | "clock" | "random"> & {
  readonly people: Pick<PeopleSettings, "hashing">;
};

type Of = { readonly accountId: string; readonly memberId: string };

/** Makes a first password of 80 random bits, and hashes it before any transaction begins. Rejects an unfit login. */
export async function prepareAccess(
  context: Pick<AccessContext, "random" | "people">,
  login: string,
): Promise<GivenAccess> {
  refuseUnfit(login);
  const password = generateRecoveryCode(context.random);
  const passwordHash = await hashPassword(password, context.people.hashing, context.random);
  return { login: login.toLowerCase(), password, passwordHash };
}

/**
 * Sets the member's login and first password. `givenByMemberId` null: the operator gives them. Rejects with `invalidValue` a login
 * that another member or a credential has.
 */
export async function giveAccess(
  tx: Executor,
  { accountId, memberId }: Of,
  access: Pick<GivenAccess, "login" | "passwordHash">,
  given: {
    readonly isInitial: boolean;
    readonly givenByMemberId: string | null;
    readonly givenAt: Instant;
  },
): Promise<void> {
  const { login, passwordHash } = access;
  await lockLogins(tx);
  if (await isLoginTaken(tx, accountId, memberId, login))
    reject("invalidValue", "Somebody else has this login.", loginPointer);
  await givePersonLogin(tx, { accountId, memberId, login, passwordHash, ...given });
}

/**
 * Lets a member who lost password or factors begin anew: a first password, no factors, all sessions ended. `login` null: the one they
 * have. Null when the account has no such member. Rejects `permissionDenied`, `confirmationDue` and `invalidValue`.
 */
export async function resetAccess(
  context: PeopleContext,
  principal: Principal,
  memberId: string,
  login: string | null,
): Promise<{ readonly member: MemberRecord; readonly access: GivenAccess } | null> {
  requireAdministrator(principal);
  requireConfirmed(context, principal);
  const { accountId } = principal;
  if (memberId === principal.memberId)
    reject("permissionDenied", "Change your own password and factors in your profile.");
  return resetFor(context, { accountId, memberId }, login, principal, (members) => {
    const [actor, member] = [principal.memberId, memberId].map((id) =>
      members.find((one) => one.id === id),
    );
    if (actor === undefined || member === undefined) return;
    const fault = managingFault(acting(actor), member);
    if (fault !== null) reject(fault.name, fault.detail);
  });
}

/** A login and password that the operator gives a member who has none. */
export type NewPersonLogin = Of & {
  readonly login: string;
  readonly password: string;
  /** The person has to change the password before anything else. */
  readonly isInitial: boolean;
};

/** As the operator, gives a member a login for the dashboard. Rejects with `invalidValue` an unfit login, or one that is taken. */
export async function createPersonLogin(
  context: AccessContext,
  { login, password, isInitial, ...of }: NewPersonLogin,
): Promise<void> {
  refuseUnfit(login);
  const passwordHash = await hashPassword(password, context.people.hashing, context.random);
  const at = context.clock.now();
  await context.db.transaction(async (tx) => {
    await giveAccess(
      tx,
      of,
      { login: login.toLowerCase(), passwordHash },
      { isInitial, givenByMemberId: null, givenAt: at },
    );
    await recordAudit(tx, {
      by: { accountId: of.accountId },
      action: "member.access_given",
      object: { type: "member", id: of.memberId },
      summary: { login },
      at,
    });
  });
}

/** The same as `resetAccess` from the operator's command line, for an account whose only Owner is locked out. */
export function resetAccessByOperator(
  context: AccessContext,
  of: Of,
  login: string | null,
): ReturnType<typeof resetAccess> {
  return resetFor(context, of, login, { accountId: of.accountId, memberId: null }, () => undefined);
}

async function resetFor(
  context: AccessContext,
  of: Of,
  login: string | null,
  by: Principal | { readonly accountId: string; readonly memberId: null },
  judge: (members: readonly MemberRecord[]) => void,
): ReturnType<typeof resetAccess> {
  const known = login ?? (await readLoginOfMember(context.db, of.accountId, of.memberId))?.login;
  if ((await readMember(context.db, of.accountId, of.memberId)) === null) return null;
  if (known === undefined)
    reject("invalidValue", "The member has no login yet: name one.", loginPointer);
  const access = await prepareAccess(context, known);
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    judge(await lockedMembers(tx, of.accountId));
    const { memberId: givenByMemberId } = by;
    await giveAccess(tx, of, access, { isInitial: true, givenByMemberId, givenAt: at });
    if (givenByMemberId !== null) await forgetConfirmation(tx, of.accountId, of.memberId);
    await removeTotp(tx, of, null);
    await removeAllPasskeys(tx, of);
    await replaceRecoveryCodes(tx, of, []);
    await endPersonSessions(tx, { ...of, number: null, except: null }, at);
    await recordAudit(tx, {
      by,
      action: "member.access_reset",
      object: { type: "member", id: of.memberId },
      summary: { login: access.login },
      at,
    });
    const member = await readMember(tx, of.accountId, of.memberId);
    return member === null ? null : { member, access };
  });
}

function refuseUnfit(login: string): void {
  const fault = loginFault(login);
  if (fault !== null) reject("invalidValue", fault, loginPointer);
}
