import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import recordedAccounts from "../../../test/recorded/xrpl-ledger-38129.json" with { type: "json" };
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { present } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type ChainReader, WrongNetwork } from "../port.ts";
import { createHttpNodes } from "../rpc/http-nodes.ts";
import { verifyRippledNode } from "./network.ts";
import { createXrplReader } from "./reader.ts";
import { createRippledNode } from "./rippled-node.ts";

/* The reader against a server that answers JSON-RPC with recorded answers; each test names what it answers. */

type Answer = Record<string, unknown>;
type Params = Readonly<Record<string, unknown>>;

const { signal } = new AbortController();
const coin = "1010" as CurrencyId;
const tip = { ...recordedAccounts, status: "success" };
const { ledger } = recordedAccounts;
const txid = "3B1A4E1C9BB6A7208EB146BCDB86ECEA6068ED01466D933528CA2B4C64F753EF";
const sender = "r3kmLJN5D28dHuH8vZNUZpMC43pEHpaocV";
const lost: Answer = { status: "error", error: "lgrNotFound" };
const info = { network_id: 1, complete_ledgers: "38000-38129" };

let answers: Record<string, (params: Params) => Answer> = {};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly method: string;
      readonly params: readonly [Params];
    };
    const result = answers[method]?.(params[0]) ?? { status: "error", error: "unknownCmd" };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ result }));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});
beforeEach(() => {
  answers = {
    server_info: () => ({ status: "success", info }),
    ledger: ({ ledger_index, ledger_hash }) =>
      ledger_index === "validated" || ledger_index === 38_129 || ledger_hash === ledger.ledger_hash
        ? tip
        : lost,
  };
});

async function reading<Result>(
  work: (reader: ChainReader) => Promise<Result>,
  networkId = 1,
): Promise<Result> {
  const network = { networkId };
  const nodes = createHttpNodes({
    nodes: [{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }],
    chain: "XRP",
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 5_000,
    attempts: 1,
    verify: verifyRippledNode(network),
  });
  const currencies = builtInCurrencies.filter(({ id }) => id === coin);
  const node = createRippledNode("XRP", nodes);
  try {
    return await work(createXrplReader({ node, network, currencies, clock: systemClock }));
  } finally {
    await node.close();
  }
}

test("the validated ledger is the tip, and is found by height and by hash", async () => {
  await reading(async (reader) => {
    const newest = await reader.tip(signal);
    expect(newest.height).toBe(38_129);
    expect(await reader.headerAt(38_129, signal)).toEqual(newest);
    expect(await reader.headerByHash(newest.hash, signal)).toEqual(newest);
    expect(await reader.headerAt(38_130, signal)).toBeNull();
    const content = await reader.readBlock(newest, signal);
    expect(content?.transfers.map(({ key }) => key.txid)).toEqual([txid]);
    expect(await reader.receiptsIn([txid], newest, signal)).toEqual([
      { txid, hasSucceeded: true, feeUnits: 10n },
    ]);
    const senders = await reader.senders([txid], newest, signal);
    expect(senders.get(txid)).toEqual({ addresses: [sender], claims: [`${sender}#62`] });
  });
});

test("a ledger that is not validated does not exist", async () => {
  answers["ledger"] = ({ ledger_index }) =>
    ledger_index === "validated" ? tip : { ...tip, validated: false };
  await reading(async (reader) => {
    expect(await reader.headerAt(38_130, signal)).toBeNull();
    expect(await reader.headerByHash(ledger.ledger_hash, signal)).toBeNull();
  });
});

test("a gap in the node's history is an outage, never an empty past", async () => {
  await expect(reading((reader) => reader.headerAt(37_000, signal))).rejects.toThrow(
    /no ledger 37000: it has 38000-38129/,
  );
});

test("a node of another network is refused, and so is one that lacks amendments", async () => {
  await expect(reading((reader) => reader.tip(signal), 0)).rejects.toThrow(WrongNetwork);
  answers["server_info"] = () => ({ info: { ...info, amendment_blocked: true } });
  await expect(reading((reader) => reader.tip(signal))).rejects.toThrow(Unavailable);
});

test.each(["noNetwork", "slowDown", "failedToForward"])(
  "a node that answers %s is unavailable",
  async (error) => {
    answers["ledger"] = () => ({ status: "error", error });
    await expect(reading((reader) => reader.tip(signal))).rejects.toThrow(Unavailable);
  },
);

test("a transaction is pending until a validated ledger has it, or another used its sequence", async () => {
  let sequence = 62;
  const [recorded] = ledger.transactions;
  const { metaData, hash, ...tx_json } = present(recorded, "a transaction");
  let found: Answer = { status: "error", error: "txnNotFound" };
  answers["tx"] = () => found;
  answers["account_info"] = () => ({
    account_data: { Balance: "5", Sequence: sequence, Flags: 0, OwnerCount: 0 },
  });
  const claims = [`${sender}#62`];
  const status = () => reading((reader) => reader.statusOf(txid, claims, signal));
  expect(await status()).toEqual({ kind: "unknown" });
  found = { tx_json, hash };
  expect(await status()).toEqual({ kind: "pending" });
  sequence = 63;
  expect(await status()).toEqual({ kind: "conflicted", by: null, height: null });
  found = { tx_json, hash, meta: metaData, validated: true, ledger_index: 38_129 };
  expect(await status()).toEqual({ kind: "included", height: 38_129 });
});

test("balances are those of the ledger with that hash, 0 for an account that does not exist", async () => {
  answers["account_info"] = ({ account, ledger_hash }) => {
    if (ledger_hash !== ledger.ledger_hash) return lost;
    if (account !== sender) return { status: "error", error: "actNotFound" };
    return {
      account_data: { Balance: "981481999380", Sequence: 63, Flags: 0, OwnerCount: 0 },
    };
  };
  const balances = (hash: string) =>
    reading((reader) =>
      reader.balancesAt([sender, "rLQBHVhFnaC5gLEkgr6HgBJJ3bgeZHg9cj"], coin, hash, signal),
    );
  expect(await balances(ledger.ledger_hash)).toEqual([981_481_999_380n, 0n]);
  expect(await balances("AB".repeat(32))).toBeNull();
});
