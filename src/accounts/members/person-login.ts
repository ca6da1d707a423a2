import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { AccountsContext } from "../context.ts";
import type { PeopleSettings } from "../people/context.ts";
import { loginFault } from "../people/password-rules.ts";
import { isLoginTaken, lockLogins, storePersonLogin } from "../people/person-login.store.ts";
import { generateRecoveryCode } from "../people/recovery-code.ts";
import { hashPassword } from "../tokens/password-hash.ts";

const loginPointer = { pointer: "/data/attributes/login" };

/** A login and an initial password, which the person must change before anything else. */
export type InitialLogin = {
  readonly login: string;
  /** Cannot be read again. */
  readonly password: string;
  readonly passwordHash: string;
};

type LoginContext = Pick<AccountsContext, "random"> & {
  readonly people: Pick<PeopleSettings, "hashing">;
};

type MemberOfAccount = { readonly accountId: string; readonly memberId: string };

/** Generates an initial password of 80 random bits. Call it before the transaction: hashing is slow. Rejects a malformed login. */
export async function generateInitialLogin(
  { random, people }: LoginContext,
  login: string,
): Promise<InitialLogin> {
  assertWellFormed(login);
  const password = generateRecoveryCode(random);
  const passwordHash = await hashPassword(password, people.hashing, random);
  return { login: login.toLowerCase(), password, passwordHash };
}

/**
 * Stores the member's login and password. `givenByMemberId` null: the operator set them. Rejects with `invalidValue` a login that
 * another member or a credential has.
 */
export async function assignLogin(
  tx: Executor,
  { accountId, memberId }: MemberOfAccount,
  { login, passwordHash }: Pick<InitialLogin, "login" | "passwordHash">,
  origin: {
    readonly isInitial: boolean;
    readonly givenByMemberId: string | null;
    readonly givenAt: Instant;
  },
): Promise<void> {
  await lockLogins(tx);
  if (await isLoginTaken(tx, accountId, memberId, login))
    reject("invalidValue", "This login is already taken.", loginPointer);
  await storePersonLogin(tx, { accountId, memberId, login, passwordHash, ...origin });
}

/** Gives a member a login with a known password that need not be changed, as the operator. Rejects a malformed or taken login. */
export async function createPersonLogin(
  context: LoginContext & Pick<AccountsContext, "db" | "clock">,
  {
    login,
    password,
    ...member
  }: MemberOfAccount & { readonly login: string; readonly password: string },
): Promise<void> {
  assertWellFormed(login);
  const passwordHash = await hashPassword(password, context.people.hashing, context.random);
  const at = context.clock.now();
  await context.db.transaction(async (tx) => {
    const origin = { isInitial: false, givenByMemberId: null, givenAt: at };
    await assignLogin(tx, member, { login: login.toLowerCase(), passwordHash }, origin);
    await recordAudit(tx, {
      by: { accountId: member.accountId },
      action: "member.access_given",
      object: { type: "member", id: member.memberId },
      summary: { login },
      at,
    });
  });
}

function assertWellFormed(login: string): void {
  const fault = loginFault(login);
  if (fault !== null) reject("invalidValue", fault, loginPointer);
}
