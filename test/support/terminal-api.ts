import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCredential } from "../../src/accounts/credentials/create-credential.ts";
import { createMember } from "../../src/accounts/members/create-member.ts";
import { defaultPasswordHashing } from "../../src/accounts/tokens/password-hash.ts";
import { createWallet } from "../../src/accounts/wallets/administer-wallets.ts";
import { evmKeyspace } from "../../src/chains/evm/evm-keyspace.ts";
import { systemAccount, walletAccount } from "../../src/ledger/ledger-account.ts";
import { post } from "../../src/ledger/post.ts";
import { buildApi } from "../../src/main/build/build-api.ts";
import { createFoundation, type Foundation } from "../../src/main/build/foundation.ts";
import type { CommandContext } from "../../src/main/commands/command-context.ts";
import { configSchema } from "../../src/main/config/config.ts";
import { createMetrics } from "../../src/main/metrics/metrics.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { writeSandboxFile } from "../../src/sandbox/sandbox-file.ts";
import { createApprovalKey } from "../../src/signer/keys/approval-key.ts";
import type { TestDatabase } from "./database.ts";
import { startPrivateEvm } from "./private-evm.ts";
import { accountsContext, arrangeMember, type TestMember } from "./test-accounts.ts";

/*
 * For commands that act through the API: a real API with real accounts and a real Ethereum node to quote from, and a folder with the
 * `sandbox.json` and the configuration of this site.
 */

/** Anvil's second developer account has ether to estimate payments with. */
const hotAccount = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const oneEther = 10n ** 18n;

export type TerminalApi = {
  readonly home: string;
  readonly configFile: string;
  /** The Owner, whose ether wallet holds one ether. */
  readonly member: TestMember;
  readonly wallet: string;
  readonly stop: () => Promise<void>;
};

export async function startTerminalApi(
  { url, db, sql }: Pick<TestDatabase, "url" | "db" | "sql">,
  context: CommandContext,
): Promise<TerminalApi> {
  const evm = await startPrivateEvm();
  const home = await mkdtemp(join(tmpdir(), "sluice-payouts-"));
  await writeFile(join(home, "data.key"), "07".repeat(32));
  await createApprovalKey(join(home, "approval.key"), systemRandom);
  const settings = {
    base_url: "http://pay.example",
    database: { url },
    keys: { data_key_files: [join(home, "data.key")] },
    signer: { folder: home, passphrase_file: join(home, "passphrase") },
    payouts: { approval_key_file: join(home, "approval.key") },
    people: { approver_min_age_seconds: 0 },
    callbacks: { allows_http: true, allowed_ports: [], allowed_networks: ["127.0.0.0/8"] },
    chains: { ETH: { network: "regtest", chain_id: 1337, nodes: [evm.anvil.url] } },
  };
  const foundation = await createFoundation(configSchema.parse(settings), context, "api");
  const server = await buildApi(foundation, createMetrics(db, systemClock, foundation.clockGuard));
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const base_url = `http://127.0.0.1:${port}`;
  const configFile = join(home, "site.json");
  await writeFile(configFile, JSON.stringify({ ...settings, base_url }), { mode: 0o600 });
  await sql(
    `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, issued_at, created_at)
     values ($1, lower($2::text), $2, '', 'hot', 0, '2026-01-01Z', '2026-01-01Z')`,
    [evmKeyspace, hotAccount],
  );
  const { member, wallet, clerk } = await arrangeDemo(foundation, db);
  await writeSandboxFile(home, {
    base_url,
    login: member.login,
    password: member.password,
    dashboard: { login: "owner-1", password: "" },
    mail_url: "http://127.0.0.1/sandbox/mail/",
    webhook_secret: "whsec_",
    users: [{ role: "Payouts with approval", ...clerk }],
    other_account: { login: "", password: "", wallets: [] },
    wallets: [{ id: wallet, type: 2, currency: "1002", alpha: "ETH", label: "ETH" }],
    chains: { ETH: { family: "evm", rpc_url: evm.anvil.url, chain_id: 1337, tokens: {} } },
    metrics_url: "",
  });
  return {
    home,
    configFile,
    member,
    wallet,
    stop: async () => {
      await server.close();
      await foundation.db.close();
      await evm.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** An account with an ether wallet that holds one ether, its Owner, and a user whose payouts need approval. */
async function arrangeDemo(foundation: Foundation, db: TestDatabase["db"]) {
  const accounts = { ...accountsContext(db, systemClock), passwordHashing: defaultPasswordHashing };
  const member = await arrangeMember(accounts);
  const { accountId, memberId, id: credentialId } = member;
  const created = await createWallet(
    foundation,
    { accountId, memberId, credentialId, role: "owner", accountIsReady: true, wallets: "all" },
    { type: 2, currency: "1002", label: null },
  );
  const posting = {
    debit: systemAccount("equity", created.currency.id),
    credit: walletAccount(created.id, "available"),
    currency: created.currency.id,
    units: oneEther,
  };
  await db.transaction((tx) =>
    post(tx, [{ accountId, cause: "test-float", postings: [posting] }], systemClock.now()),
  );
  const { member: clerk } = await createMember(accounts, "operator", {
    accountId,
    name: "Clerk",
    role: "withdrawals_with_approval",
    wallets: "all",
    login: null,
  });
  const { credential, password } = await createCredential(accounts, "operator", {
    accountId,
    memberId: clerk.id,
    label: "",
    allowedNetworks: [],
  });
  return { member, wallet: created.id, clerk: { login: credential.login, password } };
}
