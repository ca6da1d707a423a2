/**
 * Ledgers that the node no longer keeps come from Horizon, with the same payments, and the reader says so when neither has them. A server
 * without metadata, or one that leaves something out, is not believed. A follower reads them on its way to the newest ledger.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Asset,
  Keypair,
  Memo,
  Operation,
  rpc,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import { OperationMetaV2, TransactionMeta, TransactionMetaV4 } from "@stellar/stellar-sdk/xdr";
import { request } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { hold, stepUntilIdle } from "../../../test/support/followed-chain.ts";
import { createRecordingTables, recordingSink } from "../../../test/support/recording-sink.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import type { Currency } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type Stellar, startStellar } from "../../sandbox/stellar/start-stellar.ts";
import { readCursor } from "../follow/follower.store.ts";
import { defaultFollowerSettings, type FollowerContext } from "../follow/follower-session.ts";
import type { BlockContent, BlockRef, ChainReader, Transfer } from "../port.ts";
import { createHttpNodes } from "../rpc/http-nodes.ts";
import { createSecondOpinion } from "../second-opinion.ts";
import { createStellarAdapter } from "./adapter.ts";
import { noChannels } from "./channels.ts";
import { createStellarHistory, type StellarHistory, verifyHorizon } from "./history.ts";
import type { StellarNetwork } from "./network.ts";
import { createStellarReader } from "./reader.ts";
import { createStellarNode, type StellarNode } from "./stellar-node.ts";
import { networkIdOf } from "./transaction.ts";

const { signal } = new AbortController();
const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const receiver = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7)).publicKey();

type Answer = { readonly status: number; readonly body: unknown };
type Change = (path: string, answer: Answer) => Answer;
type Page = {
  readonly _embedded: { readonly records: readonly Readonly<Record<string, unknown>>[] };
};

let folder = "";
let network: Stellar;
let horizon: Server;
/** What the server between reader and Horizon makes of an answer. */
let change: Change = (_path, answer) => answer;
let block: BlockRef;
let content: BlockContent;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-stellar-"));
  network = await startStellar({ folder, port: 0, minesOnTime: false, ...world });
  horizon = createServer((incoming, response) => {
    void forward(incoming.url ?? "/").then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => horizon.listen(0, "127.0.0.1", resolve));
  await fromFaucet([Operation.createAccount({ destination: receiver, startingBalance: "5" })]);
  // More than a page of Horizon's, and 100 operations fit into a transaction.
  const payers = Array.from({ length: 203 }, () => Keypair.random());
  for (let from = 0; from < payers.length; from += 100) {
    const created = payers.slice(from, from + 100).map((one) => one.publicKey());
    await fromFaucet(
      created.map((destination) => Operation.createAccount({ destination, startingBalance: "9" })),
    );
  }
  for (const one of payers) await submit([payment("0.5"), payment("1")], one, "77");
  await mine();
  await reading({}, async (reader) => {
    block = await reader.tip(signal);
    content = present(await reader.readBlock(block, signal), "the ledger");
  });
  await mine();
  const forgotten = await request(`${network.sandboxUrl}/forget`, {
    method: "POST",
    body: JSON.stringify({ before: block.height + 1 }),
  });
  await forgotten.body.dump();
});
afterAll(async () => {
  await new Promise((resolve) => {
    horizon.close(resolve);
    horizon.closeAllConnections();
  });
  await network.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  change = (_path, answer) => answer;
});

async function forward(path: string): Promise<Answer> {
  const { statusCode, body } = await request(network.horizonUrl + path);
  return change(path, { status: statusCode, body: await body.json() });
}

const payment = (amount: string) =>
  Operation.payment({ destination: receiver, asset: Asset.native(), amount });

async function submit(operations: readonly xdr.Operation[], payer: Keypair, memo = "1") {
  const server = new rpc.Server(network.rpcUrl, { allowHttp: true });
  const builder = new TransactionBuilder(await server.getAccount(payer.publicKey()), {
    fee: "100",
    networkPassphrase: network.networkPassphrase,
    memo: Memo.id(memo),
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.setTimeout(0).build();
  transaction.sign(payer);
  expect((await server.sendTransaction(transaction)).status).toBe("PENDING");
}

async function fromFaucet(operations: readonly xdr.Operation[]): Promise<void> {
  await submit(operations, Keypair.fromSecret(network.faucetSecret));
  await mine();
}

async function mine(): Promise<void> {
  const closed = await request(`${network.sandboxUrl}/mine`, { method: "POST", body: "{}" });
  await closed.body.dump();
}

type Reached = { readonly withHistory?: boolean; readonly passphrase?: string };

/** Calls `work` with the node, and with Horizon where `withHistory` says so. */
async function reaching<Result>(
  { withHistory = false, passphrase = network.networkPassphrase }: Reached,
  work: (options: {
    readonly node: StellarNode;
    readonly network: StellarNetwork;
    readonly currencies: readonly Currency[];
    readonly clock: Clock;
    readonly history: StellarHistory | null;
  }) => Promise<Result>,
): Promise<Result> {
  const options = { chain: "XLM", timeoutMs: 5_000, attempts: 1, ...world };
  const node = createStellarNode(
    "XLM",
    createHttpNodes({ nodes: [{ url: network.rpcUrl }], ...options }),
  );
  const url = `http://127.0.0.1:${(horizon.address() as AddressInfo).port}`;
  const servers = createHttpNodes({
    nodes: [{ url }],
    verify: verifyHorizon({ passphrase }),
    ...options,
  });
  const networkId = networkIdOf(network.networkPassphrase);
  try {
    return await work({
      node,
      network: { passphrase: network.networkPassphrase },
      currencies: builtInCurrencies.filter(({ alpha }) => alpha === "XLM"),
      clock: systemClock,
      history: withHistory ? createStellarHistory(servers, networkId) : null,
    });
  } finally {
    await Promise.all([node.close(), servers.close()]);
  }
}

const reading = <Result>(
  reached: Reached,
  work: (reader: ChainReader) => Promise<Result>,
): Promise<Result> => reaching(reached, (options) => work(createStellarReader(options)));

const readOld = (reached: Reached): Promise<BlockContent | null> =>
  reading(reached, async (reader) => {
    const header = await reader.headerAt(block.height, signal);
    expect(header).toEqual(block);
    return await reader.readBlock(block, signal);
  });

/** Changes the transactions that Horizon lists of a ledger. */
const listing =
  (edit: (records: Page["_embedded"]["records"]) => Page["_embedded"]["records"]): Change =>
  (path, answer) =>
    path.includes("/transactions?")
      ? {
          ...answer,
          body: { _embedded: { records: edit((answer.body as Page)._embedded.records) } },
        }
      : answer;

describe("a ledger that the node no longer keeps", () => {
  it("comes from the history with the same payments", async () => {
    expect(content.transfers).toHaveLength(406);
    const { block: header, transfers } = present(await readOld({ withHistory: true }), "it");
    expect(header).toEqual(block);
    expect(transfers).toEqual(content.transfers);
  });

  it("is unavailable without a history, and if that does not have it either", async () => {
    await expect(readOld({})).rejects.toThrow(/has no ledger \d+: it has \d+ to \d+\)/);
    change = (path, answer) =>
      path.startsWith("/ledgers/") ? { status: 404, body: { status: 404 } } : answer;
    await expect(readOld({ withHistory: true })).rejects.toThrow(
      /has no ledger \d+: it has \d+ to \d+, and the history does not have it either/,
    );
  });

  it("is unavailable if the history is of another network", async () => {
    await expect(readOld({ withHistory: true, passphrase: "another network" })).rejects.toThrow(
      /the history's network is "Sluice Simulated Network/,
    );
  });

  const emptied = (meta: TransactionMeta): TransactionMeta => {
    if (meta.type !== "v4") throw new Error(meta.type);
    const { v4 } = meta;
    const operations: OperationMetaV2[] = [];
    return TransactionMeta.v4(
      Object.assign(Object.create(TransactionMetaV4.prototype) as TransactionMetaV4, v4, {
        operations,
      }),
    );
  };
  it.each<readonly [string, Change, RegExp]>([
    [
      "has no metadata",
      listing((records) => records.map((one) => ({ ...one, result_meta_xdr: null }))),
      /no metadata/,
    ],
    [
      "has empty metadata",
      listing((records) =>
        records.map((one) => ({
          ...one,
          result_meta_xdr: emptied(
            TransactionMeta.fromXdr(one["result_meta_xdr"] as string, "base64"),
          ).toXdr("base64"),
        })),
      ),
      /no metadata/,
    ],
    ["leaves a transaction out", listing((records) => records.slice(1)), /results that its header/],
    [
      "shows another ledger's header",
      (path, answer) =>
        /^\/ledgers\/\d+$/.test(path)
          ? { ...answer, body: { ...(answer.body as object), hash: "00".repeat(32) } }
          : answer,
      /whose header has the hash/,
    ],
  ])("is unavailable if the history %s", async (_, edit, reason) => {
    change = edit;
    const reading = readOld({ withHistory: true });
    await expect(reading).rejects.toThrow(Unavailable);
    await expect(reading).rejects.toThrow(reason);
  });
});

describe("a follower that begins before the ledgers that the node keeps", () => {
  const database = useDatabase();
  beforeAll(() => createRecordingTables(database));

  it("reaches the newest ledger, and our transactions on the way are confirmed with the node", async () => {
    const { db } = database;
    await reaching({ withHistory: true }, async (options) => {
      const adapter = createStellarAdapter({
        ...options,
        hotKey: Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7)).rawPublicKey(),
        channels: noChannels,
      });
      const [own, followed] = [adapter.nodes.readers, adapter.nodes.available()];
      // Payments that only the history has are no second opinion.
      await expect(own[0]?.reader.headerAt(block.height, signal)).rejects.toThrow(/has no ledger/);
      expect(await followed[0]?.reader.headerAt(block.height, signal)).toEqual(block);

      const [{ key }] = content.transfers as [Transfer];
      const opinion = createSecondOpinion({
        db,
        clock: systemClock,
        logger: silentLogger,
        adapter,
      });
      const confirmed = () => {
        const due = [{ txid: key.txid, dueHeight: block.height }];
        return opinion.confirmReceipts(block, due, signal);
      };
      expect(await confirmed()).toEqual([]);
      await opinion.recordDoubts();
      const context: FollowerContext = {
        ...world,
        db,
        adapter,
        sink: recordingSink,
        ownTxids: null,
        supplyOf: () => null,
        holder: "first",
        startHeight: block.height,
        settings: defaultFollowerSettings,
        onProgress: () => undefined,
      };
      const session = await hold(context);
      await stepUntilIdle(context, session);
      await session.end();
      const tip = await adapter.reader.tip(signal);
      expect(tip.height).toBeGreaterThan(block.height);
      expect(await readCursor(db, "XLM")).toMatchObject({ height: tip.height, hash: tip.hash });
      expect(await confirmed()).toMatchObject([{ txid: key.txid, hasSucceeded: true }]);
    });
  });
});
