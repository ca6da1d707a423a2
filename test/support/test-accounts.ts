import { watchAccess } from "../../src/accounts/access-changes.ts";
import type { AdministrationContext } from "../../src/accounts/actor.ts";
import type { AccountsContext } from "../../src/accounts/context.ts";
import { createAccount } from "../../src/accounts/create-account.ts";
import { readNetworks } from "../../src/accounts/credentials/allowed-networks.ts";
import { createCredential } from "../../src/accounts/credentials/create-credential.ts";
import { createMember } from "../../src/accounts/members/create-member.ts";
import { createPersonLogin } from "../../src/accounts/members/person-login.ts";
import { defaultPeopleSettings } from "../../src/accounts/people/context.ts";
import type { Role, WalletRights } from "../../src/accounts/principal.ts";
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

/** Argon2id at its lowest cost: tests log in often. */
const lightHashing = { memoryKib: 8, passes: 1, threads: 1 };

export const testDataKey = new Uint8Array(32).fill(7);

export const testTokenSettings: TokenSettings = {
  ...defaultTokenSettings,
  issuer: "http://sluice.test",
};

export function accountsContext(db: Database, clock: Clock): AdministrationContext {
  return {
    db,
    clock,
    random: systemRandom,
    seal: createSeal(testDataKey, systemRandom),
    passwordHashing: lightHashing,
    people: { ...defaultPeopleSettings, hashing: lightHashing },
  };
}

/** Everything that an API process has for accounts; two of them on one database are two processes. */
export function apiProcess(
  database: Database,
  clock: Clock,
  logger: Logger = silentLogger,
): SessionContext & AdministrationContext & { readonly authenticate: Authenticate } {
  const { db, accessChanges } = watchAccess(database);
  const accounts = accountsContext(db, clock);
  const tokenKeys = createTokenKeys(accounts, testTokenSettings);
  const accessTokens = createAccessTokens(accounts, tokenKeys, testTokenSettings);
  return {
    ...accounts,
    logger,
    tokenSettings: testTokenSettings,
    accessTokens,
    authenticate: createAuthenticate({ db, clock, accessTokens, accessChanges }),
  };
}

export type TestMember = {
  /** Of the credential. */
  readonly id: string;
  readonly login: string;
  readonly password: string;
  readonly accountId: string;
  readonly memberId: string;
  /** The person's login; `login` and `password` are a program's. */
  readonly dashboard: { readonly login: string; readonly password: string };
};

/** A member with a credential and a person's login, in a new account unless one is given. */
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
  const accounts = {
    ...context,
    people: { ...defaultPeopleSettings, hashing: context.passwordHashing },
  };
  const { member } = await createMember(accounts, "operator", {
    accountId,
    name: "Someone",
    role: options.role ?? "owner",
    wallets: options.wallets ?? "all",
    login: null,
  });
  const memberId = member.id;
  const { credential, password } = await createCredential(accounts, "operator", {
    accountId,
    memberId,
    label: "",
    allowedNetworks: readNetworks(options.allowedNetworks ?? []),
  });
  const dashboard = { login: `member-${memberId}`, password: "a horse of their own" };
  await createPersonLogin(accounts, { accountId, memberId, ...dashboard });
  return { id: credential.id, login: credential.login, password, accountId, memberId, dashboard };
}
