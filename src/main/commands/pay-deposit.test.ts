import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTerminal } from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { type PrivateEvm, signal, startPrivateEvm } from "../../../test/support/private-evm.ts";
import {
  accountsContext,
  arrangeMember,
  type TestMember,
} from "../../../test/support/test-accounts.ts";
import { defaultPasswordHashing } from "../../accounts/tokens/password-hash.ts";
import { createWallet } from "../../accounts/wallets/administer-wallets.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { removeSandboxFile, writeSandboxFile } from "../../sandbox/sandbox-file.ts";
import { buildApi } from "../build/build-api.ts";
import { createFoundation, type Foundation } from "../build/foundation.ts";
import { configSchema } from "../config/config.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { mineBlocks, reorgChain } from "./drive-chain.ts";
import { payDeposit } from "./pay-deposit.ts";

/**
 * `sluice pay`, `mine` and `reorg` as a person uses them at the terminal: against a real API with real accounts and on a real
 * Ethereum node, knowing only `sandbox.json`.
 */

const { url, db, sql } = useDatabase();
const terminal = openTerminal();
const addresses = [
  "0x00000000000000000000000000000000000000A1",
  "0x00000000000000000000000000000000000000a2",
  "0x00000000000000000000000000000000000000A3",
  "0x00000000000000000000000000000000000000A4",
];

let evm: PrivateEvm;
let home = "";
let foundation: Foundation;
let server: Awaited<ReturnType<typeof buildApi>>;
let member: TestMember;

beforeAll(async () => {
  evm = await startPrivateEvm();
  home = await mkdtemp(join(tmpdir(), "sluice-commands-"));
  await writeFile(join(home, "data.key"), "07".repeat(32));
  const config = configSchema.parse({
    base_url: "http://pay.example",
    database: { url },
    keys: { data_key_files: [join(home, "data.key")] },
    signer: { folder: home, passphrase_file: join(home, "passphrase") },
    chains: { ETH: { network: "regtest", chain_id: 1337, nodes: [evm.anvil.url] } },
    currencies: [{ currency: "USDT-ETH", contract: evm.contracts.usdt, confirmation_blocks: 12 }],
  });
  foundation = await createFoundation(config, terminal, "api");
  server = await buildApi(foundation, createMetrics(db, systemClock, foundation.clockGuard));
  await server.listen({ host: "127.0.0.1", port: 0 });
  const accounts = { ...accountsContext(db, systemClock), passwordHashing: defaultPasswordHashing };
  member = await arrangeMember(accounts);
  await sql(
    `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at)
     select 'evm', lower(a), a, '', n, '2026-01-01Z' from unnest($1::text[]) with ordinality as x (a, n)`,
    [addresses],
  );
  await arrangeSandboxFile();
});
afterAll(async () => {
  await server.close();
  await foundation.db.close();
  await evm.stop();
  await rm(home, { recursive: true, force: true });
});

async function arrangeSandboxFile(): Promise<void> {
  const { port } = server.server.address() as AddressInfo;
  await writeSandboxFile(home, {
    base_url: `http://127.0.0.1:${port}`,
    login: member.login,
    password: member.password,
    dashboard: { login: "owner-1", password: "" },
    mail_url: "http://127.0.0.1/sandbox/mail/",
    webhook_secret: "whsec_",
    users: [],
    other_account: { login: "", password: "", wallets: [] },
    wallets: [],
    chains: {
      ETH: {
        family: "evm",
        rpc_url: evm.anvil.url,
        chain_id: 1337,
        tokens: { "USDT-ETH": evm.contracts.usdt },
      },
    },
    metrics_url: "",
  });
}

/** A deposit created over the API by this credential, in a new wallet of its account. */
async function deposit(by: TestMember, type: 1 | 2, currency: string): Promise<string> {
  const { accountId, memberId, id: credentialId } = by;
  const wallet = await createWallet(
    foundation,
    { accountId, memberId, credentialId, role: "owner", accountIsReady: true, wallets: "all" },
    { type, currency, label: null },
  );
  const headers = { "content-type": "application/vnd.api+json" };
  const { login, password } = by;
  const session = await server.inject({
    method: "POST",
    url: "/token/",
    headers,
    payload: JSON.stringify({ data: { type: "auth-token", attributes: { login, password } } }),
  });
  const { access } = session.json<{ data: { attributes: { access: string } } }>().data.attributes;
  const created = await server.inject({
    method: "POST",
    url: "/deposit/",
    headers: { ...headers, authorization: `Bearer ${access}` },
    payload: JSON.stringify({
      data: {
        type: "deposit",
        relationships: { wallet: { data: { type: "wallet", id: wallet.id } } },
      },
    }),
  });
  expect(created.statusCode).toBe(201);
  return created.json<{ data: { id: string } }>().data.id;
}

describe("sluice pay, mine and reorg", () => {
  it("pays a deposit in its currency and prints the next step", async () => {
    const id = await deposit(member, 2, "2015");
    await payDeposit({ home, depositId: id, amount: "12.5" }, terminal);
    const [paid, transaction, next] = terminal.lines();
    const [address = ""] = await sql<{ address: string }>(
      "select address from deposit where id = $1",
      [id],
    ).then((rows) => rows.map((row) => row.address));
    expect(paid).toBe(`Paid 12.5 USDT-ETH to ${address}`);
    expect(next).toContain("npx sluice mine ETH 12");
    const txid = transaction!.replace("Transaction ", "");

    await mineBlocks({ home, chain: "eth", count: 2 }, terminal);
    const receipt = await evm.rpc.call<{ blockNumber: string; logs: { data: string }[] }>(
      "eth_getTransactionReceipt",
      [txid],
      signal,
    );
    expect(BigInt(receipt.logs[0]!.data)).toBe(12_500_000n);
    const height = Number(receipt.blockNumber) + 1;
    expect(terminal.lines()[0]).toMatch(new RegExp(`^ETH is at block ${height} 0x[0-9a-f]{64}$`));

    await reorgChain({ home, chain: "ETH", depth: 2, transactions: "wait" }, terminal);
    expect(terminal.lines()).toEqual([
      expect.stringMatching(new RegExp(`^ETH is at block ${height} 0x`)),
      expect.stringContaining("are pending again"),
    ]);
    expect(await evm.rpc.call("eth_getTransactionReceipt", [txid], signal)).toBeNull();
  });

  it("pays an ether deposit, and rejects an amount with too many digits", async () => {
    const id = await deposit(member, 2, "1002");
    await payDeposit({ home, depositId: id, amount: "0.25" }, terminal);
    expect(terminal.lines()[0]).toMatch(/^Paid 0\.25 ETH to 0x/);
    const tooFine = payDeposit({ home, depositId: id, amount: "0.0000000000000000001" }, terminal);
    await expect(tooFine).rejects.toThrow("18 decimals");
    expect(terminal.lines()).toEqual([]);
  });

  it("logs in once for several commands, and again when the token is invalid", async () => {
    const id = await deposit(member, 2, "1002");
    const pay = () => payDeposit({ home, depositId: id, amount: "0.01" }, terminal);
    const logIns = async () =>
      (
        await sql<{ count: string }>("select count(*) from token_family where credential_id = $1", [
          member.id,
        ])
      )[0]!.count;
    await pay();
    const before = await logIns();
    await pay();
    await pay();
    expect(await logIns()).toBe(before);

    const kept = join(home, "sandbox-tokens.json");
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    await writeFile(kept, JSON.stringify({ [member.login]: "ended" }));
    await pay();
    expect(await logIns()).toBe(String(Number(before) + 1));
    await writeFile(kept, "not ours");
    await pay();
    expect(await logIns()).toBe(String(Number(before) + 2));
    expect(terminal.lines().filter((line) => line.startsWith("Paid 0.01 ETH"))).toHaveLength(5);
    await removeSandboxFile(home);
    await expect(stat(kept)).rejects.toThrow("ENOENT");
    await arrangeSandboxFile();
  });

  it("refuses a deposit that cannot be paid, states why, and prints nothing", async () => {
    const pay = (depositId: string) => payDeposit({ home, depositId, amount: "1" }, terminal);
    const merchant = await deposit(member, 1, "840");
    await expect(pay(merchant)).rejects.toThrow("has not chosen a currency");
    await expect(pay("99999")).rejects.toThrow("the demo account has no deposit 99999");
    await expect(pay("../wallet")).rejects.toThrow("no deposit");
    expect(terminal.lines()).toEqual([]);
  });

  it("does not find a deposit of another account", async () => {
    const other = await arrangeMember({
      ...accountsContext(db, systemClock),
      passwordHashing: defaultPasswordHashing,
    });
    const foreign = await deposit(other, 2, "1002");
    await expect(payDeposit({ home, depositId: foreign, amount: "1" }, terminal)).rejects.toThrow(
      `no deposit ${foreign}`,
    );
  });

  it("explains what to do without a sandbox, and for a chain that the sandbox does not run", async () => {
    const nowhere = join(home, "nothing");
    await expect(mineBlocks({ home: nowhere, chain: "ETH", count: 1 }, terminal)).rejects.toThrow(
      "npm start",
    );
    await expect(mineBlocks({ home, chain: "BTC", count: 1 }, terminal)).rejects.toThrow(
      "does not run BTC; it runs ETH",
    );
    await expect(mineBlocks({ home, chain: "toString", count: 1 }, terminal)).rejects.toThrow(
      "does not run TOSTRING",
    );
  });
});
