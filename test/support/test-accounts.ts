import type { AccountsContext } from "../../src/accounts/context.ts";
import { createAccount } from "../../src/accounts/create-account.ts";
import { createCredential, type IssuedCredential } from "../../src/accounts/create-credential.ts";
import { createMember } from "../../src/accounts/create-member.ts";
import type { Role, WalletRights } from "../../src/accounts/principal.ts";
import { createPersonLogin } from "../../src/accounts/team/give-access.ts";
import { createAccessTokens } from "../../src/accounts/tokens/access-token.ts";
import { type Authenticate, createAuthenticate } from "../../src/accounts/tokens/authenticate.ts";
import type { SessionContext } from "../../src/accounts/tokens/session-context.ts";
import { createTokenKeys } from "../../src/accounts/tokens/token-keys.ts";
import {
  defaultTokenSettings,
  type TokenSettings,
} from "../../src/accounts/tokens/token-settings.ts";
import type { Database } from "../../src/platform/db/database.ts";
import type { Clock } from "../../src/platform/kernel/clock.ts";
import { type Logger, silentLogger } from "../../src/platform/kernel/logger.ts";
import { createSeal } from "../../src/platform/kernel/seal.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";

/** Argon2id at its cheapest: tests log in often. */
const lightHashing = { memoryKib: 8, passes: 1, threads: 1 };

export const testDataKey = new Uint8Array(32).fill(7);

export const testTokenSettings: TokenSettings = {
  ...defaultTokenSettings,
  issuer: "http://sluice.test",
};

export function accountsContext(db: Database, clock: Clock): AccountsContext {
  return {
    db,
    clock,
    random: systemRandom,
    seal: createSeal(testDataKey, systemRandom),
    passwordHashing: lightHashing,
  };
}

/** Everything an API process holds of accounts; two of them on one database are two processes. */
export function apiProcess(
  db: Database,
  clock: Clock,
  logger: Logger = silentLogger,
): SessionContext & { readonly authenticate: Authenticate } {
  const accounts = accountsContext(db, clock);
  const tokenKeys = createTokenKeys(accounts, testTokenSettings);
  const accessTokens = createAccessTokens(accounts, tokenKeys, testTokenSettings);
  return {
    ...accounts,
    logger,
    tokenSettings: testTokenSettings,
    accessTokens,
    authenticate: createAuthenticate({ db, accessTokens }),
  };
}

export type TestMember = IssuedCredential & {
  readonly accountId: string;
  readonly memberId: string;
  /** Its person's login; `login` and `password` are a program's. */
  readonly dashboard: { readonly login: string; readonly password: string };
};

/** A member with a credential and a person's login, of a new account unless one is named. */
export async function arrangeMember(
  context: AccountsContext,
  options: {
    readonly accountId?: string;
    readonly role?: Role;
    readonly wallets?: WalletRights;
    readonly allowedNetworks?: readonly string[];
  } = {},
): Promise<TestMember> {
  const accountId = options.accountId ?? (await createAccount(context, { name: "Test" })).id;
  const memberId = await createMember(context, {
    accountId,
    name: "Someone",
    role: options.role ?? "owner",
    wallets: options.wallets ?? "all",
  });
  const credential = await createCredential(context, {
    accountId,
    memberId,
    allowedNetworks: options.allowedNetworks ?? [],
  });
  const dashboard = { login: `member-${memberId}`, password: "a horse of their own" };
  await createPersonLogin(
    { ...context, people: { hashing: context.passwordHashing } },
    { accountId, memberId, ...dashboard, isInitial: false },
  );
  return { ...credential, accountId, memberId, dashboard };
}
