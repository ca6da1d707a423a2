import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { useDatabase } from "../support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  type DepositWorld,
  depositWorld,
  readTransfers,
} from "../support/deposit-world.ts";
import { eth, type PrivateEvm, startPrivateEvm, usdt } from "../support/private-evm.ts";
import { type RpcGateway, startGateway } from "../support/rpc-gateway.ts";
import { type WatchedEvm, watchEvm } from "../support/watched-evm.ts";

/*
 * Nodes that lie: gateways in front of Anvil change what it says of a payment to a deposit, and the real follower reads through
 * them. What it books is compared with what was paid.
 */

const database = useDatabase();
let evm: PrivateEvm;
let lying: RpcGateway;
let honest: RpcGateway;
let world: DepositWorld;
let watched: WatchedEvm | null = null;

beforeAll(async () => {
  evm = await startPrivateEvm();
});
afterAll(() => evm.stop());
beforeEach(async () => {
  await database.sql("truncate chain_cursor, chain_block, scanned_range, node_doubt");
  [lying, honest] = await Promise.all([startGateway(evm.anvil.url), startGateway(evm.anvil.url)]);
  world = depositWorld(database);
});
afterEach(async () => {
  await watched?.client.close();
  watched = null;
  await Promise.all([lying.close(), honest.close()]);
});

type Fields = Record<string, unknown>;
const maxWord = `0x${"f".repeat(64)}`;

/** The gateway changes transactions of whole blocks, and receipts, wherever the node shows one. */
function lie(change: {
  readonly transaction?: (transaction: Fields) => Fields;
  readonly receipt?: (receipt: Fields, others: readonly Fields[]) => Fields;
}): void {
  lying.alter = (method, params, result) => {
    if (result === null) return result;
    if (method === "eth_getBlockByHash" && params[1] === true && change.transaction !== undefined) {
      const block = result as Fields & { readonly transactions: readonly Fields[] };
      return { ...block, transactions: block.transactions.map(change.transaction) };
    }
    if (method === "eth_getTransactionByHash" && change.transaction !== undefined)
      return change.transaction(result as Fields);
    if (method === "eth_getBlockReceipts" && change.receipt !== undefined) {
      const receipts = result as readonly Fields[];
      return receipts.map((receipt) => change.receipt?.(receipt, receipts));
    }
    return result;
  };
}

async function arrange(nodes: readonly RpcGateway[], currency: typeof eth) {
  const deposit = await arrangeDeposit(world, await arrangeWallet(world, { currency }));
  watched = watchEvm(world, evm, nodes);
  return { deposit, address: await watched.address(deposit), follow: watched.follow };
}

async function received(deposit: Deposit): Promise<readonly bigint[]> {
  return (await readTransfers(world, deposit)).map(({ units }) => units);
}

async function doubts() {
  return await database.sql<{ node: string; kind: string; reason: string }>(
    "select node, kind, reason from node_doubt order by node, kind",
  );
}

const hostOf = ({ url }: RpcGateway): string => new URL(url).host;

async function payTokens(address: string, units: bigint): Promise<void> {
  await evm.send({ to: evm.contracts.usdt, call: ["TetherLike", "transfer", address, units] });
  await evm.mine();
}

/** Every log a second time, as a gateway gives it that merges the answers of two nodes. */
const repeatLogs = (receipt: Fields): Fields => {
  const logs = receipt["logs"] as readonly Fields[];
  return { ...receipt, logs: [...logs, ...logs] };
};

describe("an amount above the supply", () => {
  it("is read from the next node instead, and the first one is set aside", async () => {
    const { deposit, address, follow } = await arrange([lying, honest], eth);
    lie({ transaction: (transaction) => ({ ...transaction, value: maxWord }) });
    await evm.send({ to: address, value: 10n ** 16n });
    await evm.mine();
    await follow();
    expect(await received(deposit)).toEqual([10n ** 16n]);
    expect(await doubts()).toMatchObject([{ node: hostOf(lying), kind: "refused" }]);
  });

  it("of a chain's only node keeps the chain where it is until the node tells the truth", async () => {
    const { deposit, address, follow } = await arrange([lying], eth);
    await follow();
    lie({ transaction: (transaction) => ({ ...transaction, value: maxWord }) });
    await evm.send({ to: address, value: 10n ** 16n });
    await evm.mine(2);
    await expect(follow()).rejects.toThrow(/above its supply|set aside|no node answers/);
    expect(await received(deposit)).toEqual([]);
    const [doubt] = await doubts();
    expect(doubt?.reason).toMatch(/reports \d+ units of currency 1002 in 0x\w+, above its supply/);

    lying.alter = (_method, _params, result) => result;
    await expect
      .poll(() =>
        follow().then(
          () => received(deposit),
          () => null,
        ),
      )
      .toEqual([10n ** 16n]);
    expect(await doubts()).toEqual([]);
  });

  it("of a token is refused as well", async () => {
    const { deposit, address, follow } = await arrange([lying, honest], usdt);
    lie({
      receipt: (receipt) => ({
        ...receipt,
        logs: (receipt["logs"] as readonly Fields[]).map((log) => ({ ...log, data: maxWord })),
      }),
    });
    await payTokens(address, 5_000_000n);
    await follow();
    expect(await received(deposit)).toEqual([5_000_000n]);
  });
});

describe("a repeated log", () => {
  it("is refused, and the block is read from the next node", async () => {
    const { deposit, address, follow } = await arrange([lying, honest], usdt);
    lie({ receipt: repeatLogs });
    await payTokens(address, 5_000_000n);
    await follow();
    expect(await received(deposit)).toEqual([5_000_000n]);
  });

  it("of a chain's only node credits nothing", async () => {
    const { deposit, address, follow } = await arrange([lying], usdt);
    lie({ receipt: repeatLogs });
    await payTokens(address, 5_000_000n);
    await expect(follow()).rejects.toThrow("not numbered one after another");
    expect(await received(deposit)).toEqual([]);
  });
});

it("refuses a log of another transaction", async () => {
  const { deposit, address, follow } = await arrange([lying, honest], usdt);
  lie({
    receipt: (receipt, others) => ({
      ...receipt,
      logs: others.flatMap((other) => other["logs"] as readonly Fields[]),
    }),
  });
  await evm.send({ to: evm.contracts.usdt, call: ["TetherLike", "transfer", address, 1_000_000n] });
  await payTokens(address, 2_000_000n);
  await follow();
  expect((await received(deposit)).toSorted()).toEqual([1_000_000n, 2_000_000n]);
});
