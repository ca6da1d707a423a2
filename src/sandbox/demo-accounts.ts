import { readFile } from "node:fs/promises";
import type { AdministrationContext } from "../accounts/actor.ts";
import { createAccount } from "../accounts/create-account.ts";
import { createCredential } from "../accounts/credentials/create-credential.ts";
import { createMember } from "../accounts/members/create-member.ts";
import { createPersonLogin } from "../accounts/members/person-login.ts";
import { chooseTopics, storeVerifiedEmail } from "../accounts/people/contact.ts";
import { generateRecoveryCode } from "../accounts/people/recovery-code.ts";
import type { Principal, Role } from "../accounts/principal.ts";
import { createWallet, type WalletsContext } from "../accounts/wallets/administer-wallets.ts";
import { type WalletType, walletType } from "../accounts/wallets/wallet.ts";
import type { Currency } from "../currencies/currency.ts";
import { topics } from "../notifications/topic.ts";
import { writeAtomically } from "../platform/processes/write-atomically.ts";
import type { SandboxFile, SandboxWallet } from "./sandbox-file.ts";

type Login = { readonly login: string; readonly password: string };

/** The sandbox's demo accounts, kept in a file because the database stores no passwords. */
export type DemoAccounts = Login & {
  /** Ids of account, member and credential of the owner. */
  readonly owner: readonly [accountId: string, memberId: string, credentialId: string];
  readonly webhook_secret: string;
  readonly dashboard: Login;
  readonly users: SandboxFile["users"];
  readonly other_account: Login & { readonly wallets: readonly SandboxWallet[] };
  readonly wallets: readonly SandboxWallet[];
};

/**
 * Creates the demo accounts at the first start: an Enterprise wallet per payable currency, Merchant wallets in dollars and a
 * stablecoin, one Custody, NFT and Swap wallet, users of three roles, and a second tenant. Currencies that became available
 * since then get a wallet.
 */
export async function ensureDemoAccounts(
  context: DemoContext,
  file: string,
  payable: readonly Currency[],
): Promise<DemoAccounts> {
  const known = await readKnown(file);
  const stored = known ?? (await createDemoAccounts(context, payable));
  // Sandboxes of earlier versions have no dashboard login.
  const accounts = {
    ...stored,
    dashboard: stored.dashboard ?? (await createDashboardLogin(context, stored)),
  };
  const missing = payable.filter(
    (currency) =>
      !accounts.wallets.some(
        (wallet) => wallet.type === walletType.enterprise && wallet.currency === currency.id,
      ),
  );
  const owner = ownerPrincipal(...accounts.owner);
  const added: SandboxWallet[] = [];
  for (const currency of missing) {
    added.push(await demoWallet(context, owner, walletType.enterprise, currency, currency.alpha));
  }
  const all = { ...accounts, wallets: [...accounts.wallets, ...added] };
  if (known?.dashboard === undefined || added.length > 0) {
    await writeAtomically(file, `${JSON.stringify(all, null, 2)}\n`);
  }
  return all;
}

type DemoContext = AdministrationContext & WalletsContext;
type StoredAccounts = Omit<DemoAccounts, "dashboard"> & { readonly dashboard?: Login };

async function readKnown(file: string): Promise<StoredAccounts | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as StoredAccounts);
}

/** Its emails arrive at the sandbox's own mail server. */
const ownerEmail = "alex.morgan@demo-shop.example";

/** A dashboard login for the demo account's Owner. */
async function createDashboardLogin(
  context: DemoContext,
  { owner: [accountId, memberId] }: Pick<StoredAccounts, "owner">,
): Promise<Login> {
  const login = { login: `owner-${accountId}`, password: generateRecoveryCode(context.random) };
  await createPersonLogin(context, { accountId, memberId, ...login });
  await storeVerifiedEmail(context, { accountId, memberId }, ownerEmail);
  await chooseTopics(context, { accountId, memberId }, { email: topics.map(({ value }) => value) });
  return login;
}

/** The members beside the Owner, and the labels of their credentials. `label` names the role in `sandbox.json`. */
const users: readonly {
  readonly name: string;
  readonly credential: string;
  readonly label: string;
  readonly role: Role;
}[] = [
  {
    name: "Sam Rivera",
    credential: "Payout tool",
    label: "Payouts with approval",
    role: "withdrawals_with_approval",
  },
  { name: "Robin Chen", credential: "Reports", label: "Read only", role: "read_only" },
];

async function createDemoAccounts(
  context: DemoContext,
  payable: readonly Currency[],
): Promise<StoredAccounts> {
  const demo = await openAccount(context, "Demo shop", "Alex Morgan");
  const more = [];
  for (const { name, credential, label, role } of users) {
    const user = { accountId: demo.owner.accountId, name, role, credential };
    const { login, password } = await addUser(context, user);
    more.push({ role: label, login, password });
  }
  const wallets: SandboxWallet[] = [];
  const add = async (type: WalletType, currency: Currency, label: string): Promise<void> => {
    wallets.push(await demoWallet(context, demo.owner, type, currency, label));
  };
  for (const currency of payable) await add(walletType.enterprise, currency, currency.alpha);
  const dollar = context.currencies.byAlpha("USD");
  const stablecoin = payable.find((currency) => currency.isStablecoin);
  const [coin] = payable;
  if (dollar !== null) await add(walletType.merchant, dollar, "USD store");
  if (stablecoin !== undefined) {
    await add(walletType.merchant, stablecoin, `${stablecoin.alpha} store`);
  }
  if (coin !== undefined) {
    await add(walletType.custody, coin, "Custody");
    await add(walletType.nft, coin, "NFT");
    await add(walletType.swap, coin, "Swap");
  }
  const other = await openAccount(context, "Other shop", "Kim Larsen");
  const otherWallets: SandboxWallet[] = [];
  for (const currency of payable) {
    otherWallets.push(
      await demoWallet(context, other.owner, walletType.enterprise, currency, currency.alpha),
    );
  }
  const { accountId, memberId, credentialId } = demo.owner;
  return {
    ...demo.login,
    owner: [accountId, memberId, credentialId],
    webhook_secret: demo.webhookSecret,
    users: more,
    other_account: { ...other.login, wallets: otherWallets },
    wallets,
  };
}

async function openAccount(context: AdministrationContext, name: string, ownerName: string) {
  const { id, webhookSecret } = await createAccount(context, { name });
  const { memberId, credentialId, ...login } = await addUser(context, {
    accountId: id,
    name: ownerName,
    role: "owner",
    credential: "Store",
  });
  return { webhookSecret, login, owner: ownerPrincipal(id, memberId, credentialId) };
}

async function addUser(
  context: AdministrationContext,
  user: {
    readonly accountId: string;
    readonly name: string;
    readonly role: Role;
    readonly credential: string;
  },
): Promise<Login & { readonly memberId: string; readonly credentialId: string }> {
  const { accountId, name, role } = user;
  const { member } = await createMember(context, "operator", {
    accountId,
    name,
    role,
    wallets: "all",
    login: null,
  });
  const { credential, password } = await createCredential(context, "operator", {
    accountId,
    memberId: member.id,
    label: user.credential,
    allowedNetworks: [],
  });
  return { memberId: member.id, credentialId: credential.id, login: credential.login, password };
}

async function demoWallet(
  context: WalletsContext,
  owner: Principal,
  type: WalletType,
  currency: Currency,
  label: string,
): Promise<SandboxWallet> {
  const wallet = await createWallet(context, owner, {
    type,
    currency: currency.id,
    label,
  });
  return { id: wallet.id, type, currency: currency.id, alpha: currency.alpha, label };
}

function ownerPrincipal(accountId: string, memberId: string, credentialId: string): Principal {
  return { accountId, memberId, credentialId, role: "owner", accountIsReady: true, wallets: "all" };
}
