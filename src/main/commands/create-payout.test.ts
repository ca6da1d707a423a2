import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTerminal } from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { type PrivateEvm, startPrivateEvm } from "../../../test/support/private-evm.ts";
import {
  accountsContext,
  arrangeMember,
  type TestMember,
} from "../../../test/support/test-accounts.ts";
import { createCredential } from "../../accounts/credentials/create-credential.ts";
import { createMember } from "../../accounts/members/create-member.ts";
import { defaultPasswordHashing } from "../../accounts/tokens/password-hash.ts";
import { createWallet } from "../../accounts/wallets/administer-wallets.ts";
import { evmKeyspace } from "../../chains/evm/evm-keyspace.ts";
import { systemAccount, walletAccount } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { writeSandboxFile } from "../../sandbox/sandbox-file.ts";
import { createApprovalKey } from "../../signer/keys/approval-key.ts";
import { buildApi } from "../build/build-api.ts";
import { createFoundation, type Foundation } from "../build/foundation.ts";
import { configSchema } from "../config/config.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { approvePayout } from "./approve-payout.ts";
import { createPayout } from "./create-payout.ts";

/**
 * Creates and approves payouts as a person at the terminal does: against a real API with real accounts and a real
 * Ethereum node to quote from, knowing only `sandbox.json`. The scenarios show that they are then sent.
 */

const { url, db, sql } = useDatabase();
const terminal = openTerminal();
/** Anvil's second developer account has ether to estimate payments with. */
const hotAccount = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const payee = "0x0000000000000000000000000000000000012345";
const oneEther = 10n ** 18n;

let evm: PrivateEvm;
let home = "";
let foundation: Foundation;
let server: ReturnType<typeof buildApi>;
let member: TestMember;
let wallet = "";

beforeAll(async () => {
  evm = await startPrivateEvm();
  home = await mkdtemp(join(tmpdir(), "sluice-payouts-"));
  await writeFile(join(home, "data.key"), "07".repeat(32));
  await createApprovalKey(join(home, "approval.key"), systemRandom);
  const config = configSchema.parse({
    base_url: "http://pay.example",
    database: { url },
    keys: { data_key_files: [join(home, "data.key")] },
    signer: { folder: home, passphrase_file: join(home, "passphrase") },
    payouts: { approval_key_file: join(home, "approval.key") },
    people: { approver_min_age_seconds: 0 },
    callbacks: { allows_http: true, allowed_ports: [], allowed_networks: ["127.0.0.0/8"] },
    chains: { ETH: { network: "regtest", chain_id: 1337, nodes: [evm.anvil.url] } },
  });
  foundation = await createFoundation(config, terminal, "api");
  server = buildApi(foundation, createMetrics(db, systemClock, foundation.clockGuard));
  await server.listen({ host: "127.0.0.1", port: 0 });
  await sql(
    `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, issued_at, created_at)
     values ($1, lower($2::text), $2, '', 'hot', 0, '2026-01-01Z', '2026-01-01Z')`,
    [evmKeyspace, hotAccount],
  );
  await arrangeDemo();
});
afterAll(async () => {
  await server.close();
  await foundation.db.close();
  await evm.stop();
  await rm(home, { recursive: true, force: true });
});
beforeEach(() => terminal.lines());

/** An account with an ether wallet that holds one ether, its Owner, and a user whose payouts need approval. */
async function arrangeDemo(): Promise<void> {
  const accounts = { ...accountsContext(db, systemClock), passwordHashing: defaultPasswordHashing };
  member = await arrangeMember(accounts);
  const { accountId, memberId, id: credentialId } = member;
  const created = await createWallet(
    foundation,
    { accountId, memberId, credentialId, role: "owner", accountIsReady: true, wallets: "all" },
    { type: 2, currency: "1002", label: null },
  );
  wallet = created.id;
  const posting = {
    debit: systemAccount("equity", created.currency.id),
    credit: walletAccount(wallet, "available"),
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
  const { port } = server.server.address() as AddressInfo;
  await writeSandboxFile(home, {
    base_url: `http://127.0.0.1:${port}`,
    login: member.login,
    password: member.password,
    dashboard: { login: "owner-1", password: "" },
    webhook_secret: "whsec_",
    users: [{ role: "Withdrawals with approval", login: credential.login, password }],
    other_account: { login: "", password: "", wallets: [] },
    wallets: [{ id: wallet, type: 2, currency: "1002", alpha: "ETH", label: "ETH" }],
    chains: { ETH: { family: "evm", rpc_url: evm.anvil.url, chain_id: 1337, tokens: {} } },
    metrics_url: "",
  });
}

const pay = (more: Partial<Parameters<typeof createPayout>[0]> = {}): Promise<void> =>
  createPayout(
    {
      home,
      wallet: "ETH",
      amount: "0.1",
      address: payee,
      fee: "medium",
      currency: null,
      callbackUrl: null,
      role: null,
      ...more,
    },
    terminal,
  );

const newest = async () =>
  (
    await sql<{ id: string; stage: string; fee: bigint; callback: string | null }>(
      `select id, stage, fee_units as fee, callback_url as callback from payout order by id desc limit 1`,
    )
  )[0];

describe("sluice payout and approve", () => {
  it("quotes and creates a payout, by the wallet's currency or id, and prints the next step", async () => {
    await pay();
    const created = await newest();
    const [line, next] = terminal.lines();
    expect(line).toMatch(
      new RegExp(`^Payout ${created!.id}: 0\\.1 ETH to ${payee}, fee 0\\.\\d{1,18} ETH$`),
    );
    expect(next).toContain("npx sluice mine ETH 12");
    expect(created).toMatchObject({ stage: "held", callback: null });

    const callbackUrl = "http://127.0.0.1:9000/";
    await pay({ wallet, fee: "high", callbackUrl });
    const dearer = await newest();
    expect(dearer!.callback).toBe(callbackUrl);
    expect(dearer!.fee).toBeGreaterThan(created!.fee);
    await pay({ fee: "low" });
    expect((await newest())!.fee).toBeLessThan(created!.fee);
  });

  it("makes a payout of a user with fewer rights wait until the Owner approves it", async () => {
    await pay({ role: "Withdrawals with approval" });
    const created = await newest();
    expect(created!.stage).toBe("waiting");
    expect(terminal.lines()[1]).toContain(`npx sluice approve ${created!.id}`);
    await approvePayout({ home, payoutId: created!.id }, terminal);
    expect(terminal.lines()).toEqual([`Payout ${created!.id} approved`]);
    expect((await newest())!.stage).toBe("held");
    await expect(approvePayout({ home, payoutId: created!.id }, terminal)).rejects.toThrow(
      "waiting for approval",
    );
  });

  it("prints the API's error text and creates nothing if the payout is rejected", async () => {
    const before = await newest();
    await expect(pay({ amount: "5" })).rejects.toThrow(/available balance is 0\.\d{18} ETH/);
    await expect(pay({ address: "0xnothing" })).rejects.toThrow("not a valid ETH address");
    await expect(pay({ wallet: "BTC" })).rejects.toThrow("the demo account has no wallet BTC");
    await expect(pay({ currency: "NOPE" })).rejects.toThrow("there is no currency NOPE");
    await expect(pay({ role: "Admin" })).rejects.toThrow(
      'no user "Admin", only Withdrawals with approval',
    );
    await expect(pay({ home: join(home, "nothing") })).rejects.toThrow("npm start");
    await expect(approvePayout({ home, payoutId: "99999" }, terminal)).rejects.toThrow();
    await expect(approvePayout({ home, payoutId: "../wallet" }, terminal)).rejects.toThrow();
    await expect(pay({ amount: "1".repeat(40) })).rejects.toThrow(
      "amount: This has more than 36 characters.",
    );
    expect(terminal.lines()).toEqual([]);
    expect(await newest()).toEqual(before);
  });
});
