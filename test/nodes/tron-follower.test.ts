import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { depositOf } from "../../src/chains/conformance/conformance-check.ts";
import {
  defaultFollowerSettings,
  type FollowerContext,
} from "../../src/chains/follow/follower-session.ts";
import { blockIdOf } from "../../src/chains/tron/block-id.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { useDatabase } from "../support/database.ts";
import { hold, stepUntilIdle } from "../support/followed-chain.ts";
import { type HttpGateway, startHttpGateway } from "../support/http-gateway.ts";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";
import {
  createRecordingTables,
  issueAddress,
  recordingSink,
  seenBlocks,
  seenTransfers,
} from "../support/recording-sink.ts";
import { type ConnectedTron, connectTron } from "../support/tron-adapter.ts";

/*
 * The real follower on the simulated TRON ledger; its sink refuses whatever a follower must never report, such as a payment
 * twice. The first node is a gateway that can show a fork.
 */

type Header = { readonly block_header: { readonly raw_data: Readonly<Record<string, unknown>> } };

const database = useDatabase();
const depth = 19;
let ledger: PrivateTron;
let forking: HttpGateway;
let client: ConnectedTron;
let context: FollowerContext;

beforeAll(async () => {
  await createRecordingTables(database);
  ledger = await startPrivateTron();
  forking = await startHttpGateway(ledger.tron.url);
  client = connectTron(ledger, [forking.url, ledger.tron.url]);
  context = {
    db: database.db,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    adapter: client.adapter,
    sink: recordingSink,
    ownTxids: null,
    supplyOf: () => null,
    holder: "first",
    startHeight: null,
    settings: defaultFollowerSettings,
    onProgress: () => undefined,
  };
  await follow();
});
afterAll(async () => {
  await client.close();
  await forking.close();
  await ledger.stop();
});

async function follow(): Promise<void> {
  const session = await hold(context);
  try {
    await stepUntilIdle(context, session);
  } finally {
    await session.end();
  }
}

/** Pays a deposit of that number, in a block above the solid one. */
async function payDeposit(index: number): Promise<string> {
  const { adapter } = client;
  await issueAddress(database.db, adapter, index, formatTimestamp(systemClock.now()));
  const { address } = depositOf(adapter.addressing, index, null);
  const { faucet, mine, send, web } = ledger;
  const txid = await send(await web.transactionBuilder.sendTrx(address, 5, faucet));
  await mine();
  return txid;
}

const stateOf = async (txid: string): Promise<readonly string[]> =>
  (await seenTransfers(database, "TRX"))
    .filter((one) => one.txid === txid)
    .map(({ state }) => state);

describe("the TRON follower", () => {
  it("reports a payment as pending, and once as included when its block is solid", async () => {
    const txid = await payDeposit(1);
    await follow();
    expect(await stateOf(txid)).toEqual(["pending"]);
    await ledger.mine(depth);
    await follow();
    expect(await stateOf(txid)).toEqual(["included"]);
    await ledger.mine(3);
    await follow();
    expect(await stateOf(txid)).toEqual(["included"]);
  });

  it("reports a payment once even if forks above the solid block move it twice", async () => {
    const txid = await payDeposit(2);
    for (let forks = 0; forks < 2; forks += 1) {
      await follow();
      expect(await stateOf(txid)).toEqual(["pending"]);
      // Only its own block: a transaction refers to a block below, and is valid on no fork without that one.
      await ledger.control("/reorg", { depth: 1, transactions: "return" });
      await follow();
      await ledger.mine();
    }
    await ledger.mine(depth);
    await follow();
    expect(await stateOf(txid)).toEqual(["included"]);
  });

  it("switches to the next node if one reports another block in place of a final one", async () => {
    await ledger.mine();
    await follow();
    const before = await seenBlocks(database, "TRX");
    const newest = before.at(-1)!;
    forking.alter = (path, { id_or_num, value }, document) => {
      if (path.endsWith("/getblockbyid")) return value === newest.hash ? {} : document;
      const isNewest = id_or_num === undefined || id_or_num === newest.height;
      if (path !== "/walletsolidity/getblock" || !isNewest) return document;
      const { block_header } = document as Header;
      const raw_data = { ...block_header.raw_data, version: 1 };
      return { blockID: blockIdOf(raw_data), block_header: { ...block_header, raw_data } };
    };
    await follow();
    expect(await seenBlocks(database, "TRX")).toEqual(before);
    // Now: once blocks follow that the node shows too, the doubt ends.
    expect(await database.sql("select node, kind from node_doubt where chain = 'TRX'")).toEqual([
      { node: new URL(forking.url).host, kind: "refused" },
    ]);
    const txid = await payDeposit(3);
    await ledger.mine(depth);
    await follow();
    expect(await stateOf(txid)).toEqual(["included"]);
  });
});
