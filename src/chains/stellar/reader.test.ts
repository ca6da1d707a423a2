import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  AccountEntry,
  AccountEntryExt,
  LedgerEntryData,
  Thresholds,
} from "@stellar/stellar-sdk/xdr";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import recorded from "../../../test/recorded/stellar-ledgers-848581.json" with { type: "json" };
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type ChainReader, WrongNetwork } from "../port.ts";
import { createHttpNodes } from "../rpc/http-nodes.ts";
import { native } from "./asset.ts";
import { holdingKey, publicKeyOf } from "./entries.ts";
import { verifyStellarNode } from "./network.ts";
import { currentFees } from "./pay-questions.ts";
import { createStellarReader } from "./reader.ts";
import { createStellarNode, type StellarNode } from "./stellar-node.ts";

/* The reader against a server that answers JSON-RPC with recorded ledgers; each test names what else it answers. */

type Params = Readonly<Record<string, unknown>>;
type Answer = { readonly result: unknown } | { readonly error: { code: number; message: string } };

const { signal } = new AbortController();
const coin = "1021" as CurrencyId;
const outOfRange: Answer = { error: { code: -32_600, message: "start ledger must be between" } };
/** Pays fees in both recorded ledgers. */
const payer = "GABSU3JRV7EOOLZ64AUYSPYJBA5QYXVHSFM4SNCKZ4MZOFZUHM4EPUDF";
const absent = "GDVSYYTUAJ3ACHTPQNSTQBDQ4LDHQCMNY4FCEQH5TJUMSSLWQSTG42MV";

/** Before version 25, stellar-rpc refuses even an empty object where a method has no parameters. */
const isRefused = (method: string, params: Params | undefined): boolean =>
  ["getHealth", "getNetwork", "getFeeStats"].includes(method) && params !== undefined;

let answers: Record<string, (params: Params) => Answer> = {};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly id: number;
      readonly method: string;
      readonly params?: Params;
    };
    const answer = isRefused(method, params)
      ? { error: { code: -32_602, message: "no parameters accepted" } }
      : (answers[method]?.(params ?? {}) ?? { error: { code: -32_601, message: "unknown" } });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
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
    getNetwork: () => ({ result: { passphrase: recorded.network, protocolVersion: 23 } }),
    getHealth: () => ({
      result: { status: "healthy", latestLedger: 848_582, oldestLedger: 848_581 },
    }),
    getLedgers: ({ startLedger, pagination }) => {
      const ledgers = recorded.ledgers.filter(({ sequence }) => sequence >= Number(startLedger));
      const { limit } = pagination as { readonly limit: number };
      return Number(startLedger) < 848_581 || ledgers.length === 0
        ? outOfRange
        : { result: { ledgers: ledgers.slice(0, limit) } };
    },
  };
});

async function reading<Result>(
  work: (reader: ChainReader, node: StellarNode) => Promise<Result>,
  passphrase = recorded.network,
): Promise<Result> {
  const network = { passphrase };
  const nodes = createHttpNodes({
    nodes: [{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }],
    chain: "XLM",
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 5_000,
    attempts: 1,
    verify: verifyStellarNode(network),
  });
  const currencies = builtInCurrencies.filter(({ id }) => id === coin);
  const node = createStellarNode("XLM", nodes);
  try {
    return await work(createStellarReader({ node, network, currencies, clock: systemClock }), node);
  } finally {
    await node.close();
  }
}

function account(balance: bigint, sequence: bigint): LedgerEntryData {
  return LedgerEntryData.account(
    new AccountEntry({
      accountId: publicKeyOf(payer),
      balance,
      seqNum: sequence,
      numSubEntries: 0,
      inflationDest: null,
      flags: 0,
      homeDomain: "",
      thresholds: new Thresholds(Uint8Array.of(1, 0, 0, 0)),
      signers: [],
      ext: AccountEntryExt.v0(),
    }),
  );
}

/** Answers with the entry of the payer's account, and with no other entry. */
function answerAccount(entry: LedgerEntryData, latestLedger = 848_582): void {
  const key = holdingKey(payer, native).toXdr("base64");
  answers["getLedgerEntries"] = ({ keys }) => ({
    result: {
      latestLedger,
      entries: (keys as readonly string[]).includes(key)
        ? [{ key, xdr: entry.toXdr("base64"), lastModifiedLedgerSeq: latestLedger }]
        : [],
    },
  });
}

describe("the reader of Stellar", () => {
  it("finds the newest ledger as the tip, by number and by hash", async () => {
    await reading(async (reader) => {
      const tip = await reader.tip(signal);
      expect(tip.height).toBe(848_582);
      expect(await reader.headerAt(848_582, signal)).toEqual(tip);
      expect(await reader.headerByHash(tip.hash, signal)).toEqual(tip);
      expect(await reader.headerAt(848_583, signal)).toBeNull();
      expect(await reader.readBlock(tip, signal)).toMatchObject({ block: tip, transfers: [] });
      expect(await reader.readBlock({ ...tip, hash: "ab".repeat(32) }, signal)).toBeNull();
    });
  });

  it("asks nodes that refuse parameters of methods without any", async () => {
    const percentiles = { p50: "100", p70: "200", p99: "300" };
    answers["getFeeStats"] = () => ({ result: { inclusionFee: percentiles } });
    await reading(async (reader, node) => {
      await reader.verifyNetwork(signal);
      expect((await reader.tip(signal)).height).toBe(848_582);
      const fees = await node.consult((ask) => ask(currentFees), signal);
      expect(fees).toEqual({ low: 100n, medium: 200n, high: 300n });
    });
  });

  it("finds a ledger by its hash that it has not read before", async () => {
    const { hash } = await reading((reader) => reader.tip(signal));
    const found = await reading((reader) => reader.headerByHash(hash, signal));
    expect(found?.height).toBe(848_582);
  });

  it("does not take an unknown hash for proof of absence if older ledgers are not searched", async () => {
    answers["getHealth"] = () => ({ result: { latestLedger: 848_582, oldestLedger: 800_000 } });
    const find = reading((reader) => reader.headerByHash("ab".repeat(32), signal));
    await expect(find).rejects.toThrow(Unavailable);
  });

  it("is unavailable for a ledger that the node has no more, which is never an empty one", async () => {
    await expect(reading((reader) => reader.headerAt(848_000, signal))).rejects.toThrow(
      /no ledger 848000: it has 848581 to 848582/,
    );
    expect(await reading((reader) => reader.limitations(signal))).toEqual([
      "ledgers before 848581: the node in use keeps no older ones",
    ]);
  });

  it("refuses a node of another network", async () => {
    const tip = reading((reader) => reader.tip(signal), "another network");
    await expect(tip).rejects.toThrow(WrongNetwork);
  });

  it.each([-32_603, -32_601])("is unavailable when a node answers with error %d", async (code) => {
    answers["getHealth"] = () => ({ error: { code, message: "latency is too high" } });
    await expect(reading((reader) => reader.tip(signal))).rejects.toThrow(Unavailable);
  });

  it("discards other ledgers than the one it asked for", async () => {
    answers["getLedgers"] = () => ({ result: { ledgers: recorded.ledgers.slice(0, 1) } });
    await expect(reading((reader) => reader.tip(signal))).rejects.toThrow(Unavailable);
  });

  it("names whose money a transaction moved, and the sequence it used", async () => {
    await reading(async (reader) => {
      const block = await reader.headerAt(848_581, signal);
      const txid = "ff77832b5252986ac318bde7a53247abdeab3f5cf807c27296d26143d0c79f6e";
      const source = "GDNV3UG7VU6KYENCMCXWUYEZJWUCG6CQNZLQDTFDZRCZXEYGBSOTJXGN";
      const senders = await reader.senders([txid], block, signal);
      expect(senders.get(txid)?.addresses).toContain(source);
      expect(senders.get(txid)?.claims).toEqual([`${source}#272498495134737`]);
    });
  });

  it("gives the receipt of our transaction inside a fee-bump transaction of the account that its operations name", async () => {
    const inner = "f35706592de1393767b4a426c2515ba2e6e524e787a5cf5f6b00673921689980";
    await reading(async (reader) => {
      const tip = await reader.tip(signal);
      expect(await reader.receiptsIn([inner], tip, signal)).toEqual([
        { txid: inner, hasSucceeded: false, feeUnits: 200n },
      ]);
    });
  });

  it("takes later changes back to say what an account held after an earlier ledger", async () => {
    answerAccount(account(99_893_052_422n, 1n));
    await reading(async (reader) => {
      const earlier = await reader.headerAt(848_581, signal);
      const tip = await reader.tip(signal);
      const held = (hash: string) => reader.balancesAt([payer, absent], coin, hash, signal);
      expect(await held(tip.hash)).toEqual([99_893_052_422n, 0n]);
      expect(await held(earlier?.hash ?? "")).toEqual([99_893_052_622n, 0n]);
      expect(await held("ab".repeat(32))).toBeNull();
    });
  });

  it("says that a transaction can confirm until a ledger has it, or another one used its sequence", async () => {
    const claims = [`${payer}#62`];
    const status = () => reading((reader) => reader.statusOf("ab".repeat(32), claims, signal));
    const oldestLedgerCloseTime = "1759439852";
    let found: Params = { status: "NOT_FOUND", oldestLedgerCloseTime };
    answers["getTransaction"] = () => ({ result: found });
    answerAccount(account(5n, 61n));
    expect(await status()).toEqual({ kind: "unknown" });
    answerAccount(account(5n, 62n));
    expect(await status()).toEqual({ kind: "conflicted", by: null, height: null });
    found = { status: "FAILED", ledger: 848_582, oldestLedgerCloseTime };
    expect(await status()).toEqual({ kind: "included", height: 848_582 });
  });
});
