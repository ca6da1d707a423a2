import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { useDatabase } from "../support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  type DepositWorld,
  depositWorld,
  readBalance,
  readTransfers,
} from "../support/deposit-world.ts";
import { eth, type PrivateEvm, signal, startPrivateEvm, usdt } from "../support/private-evm.ts";
import { type RpcGateway, startGateway } from "../support/rpc-gateway.ts";
import { type WatchedEvm, watchEvm } from "../support/watched-evm.ts";

/*
 * Nodes that lie: gateways in front of Anvil change a payment to a deposit, and the real follower reads through them. Its
 * bookings are compared with the real payment.
 */

const database = useDatabase();
let evm: PrivateEvm;
let lying: RpcGateway;
let honest: RpcGateway;
let world: DepositWorld;
let watched: WatchedEvm | null = null;
let isNeeded = true;

beforeAll(async () => {
  evm = await startPrivateEvm();
});
afterAll(() => evm.stop());
beforeEach(async () => {
  isNeeded = true;
  // Payments that an earlier test left waiting do not belong to this one.
  await database.sql("update address set keyspace = 'earlier ' || deposit_id");
  await database.sql("update transfer set awaits_opinion_since = null, due_height = null");
  await database.sql("truncate chain_cursor, chain_block, scanned_range, node_doubt");
  [lying, honest] = await Promise.all([startGateway(evm.anvil.url), startGateway(evm.anvil.url)]);
  world = depositWorld(database, { needsOpinion: () => isNeeded });
});
afterEach(async () => {
  await watched?.client.close();
  watched = null;
  await Promise.all([lying.close(), honest.close()]);
});

type Fields = Record<string, unknown>;
const maxWord = `0x${"f".repeat(64)}`;

/** The gateway changes transactions of whole blocks, and receipts wherever the node returns one. */
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
  const wallet = await arrangeWallet(world, { currency });
  const deposit = await arrangeDeposit(world, wallet);
  watched = watchEvm(world, evm, nodes);
  const { follow, askOthers } = watched;
  const address = await watched.address(deposit);
  return { wallet, deposit, address, follow, askOthers };
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

/** Repeats every log, like a gateway that merges the responses of two nodes. */
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

  it("stops the chain at its block until the chain's only node tells the truth", async () => {
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

  it("is rejected for a token as well", async () => {
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
  it("is rejected, and the block is read from the next node", async () => {
    const { deposit, address, follow } = await arrange([lying, honest], usdt);
    lie({ receipt: repeatLogs });
    await payTokens(address, 5_000_000n);
    await follow();
    expect(await received(deposit)).toEqual([5_000_000n]);
  });

  it("credits nothing when it comes from a chain's only node", async () => {
    const { deposit, address, follow } = await arrange([lying], usdt);
    lie({ receipt: repeatLogs });
    await payTokens(address, 5_000_000n);
    await expect(follow()).rejects.toThrow("not numbered one after another");
    expect(await received(deposit)).toEqual([]);
  });
});

it("is rejected when it belongs to another transaction", async () => {
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

describe("a credited amount", () => {
  const small = 10n ** 13n;

  /** A payment followed to the depth at which it becomes payable. */
  async function payDeep(nodes = [lying, honest]) {
    const arranged = await arrange(nodes, eth);
    await evm.send({ to: arranged.address, value: small });
    await evm.mine(3);
    await arranged.follow();
    return arranged;
  }

  it("becomes payable once another node has confirmed it", async () => {
    const { wallet, askOthers } = await payDeep();
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: small });
    await askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: small, pending: 0n });
    expect(await doubts()).toEqual([]);
    expect(honest.requests.flat()).toContain("eth_getBlockReceipts");
  });

  it("stays pending while another node shows a smaller one, and that node is named", async () => {
    lie({
      transaction: (transaction) => ({
        ...transaction,
        value: `0x${(24n * 10n ** 17n).toString(16)}`,
      }),
    });
    const { wallet, deposit, askOthers } = await payDeep();
    await askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({
      available: 0n,
      pending: 24n * 10n ** 17n,
    });
    const [transfer] = await readTransfers(world, deposit);
    expect(transfer?.message).toBe("Waiting for a second node to confirm this payment");
    const [doubt] = await doubts();
    expect(doubt).toMatchObject({ node: hostOf(honest), kind: "disagrees" });
    expect(doubt?.reason).toMatch(/shows 10000000000000 units .* not 2400000000000000000 units/);
  });

  it("waits for an unavailable node, and loses nothing", async () => {
    honest.isCutOff = true;
    const { wallet, askOthers } = await payDeep();
    await askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: small });
    expect(await doubts()).toMatchObject([{ node: hostOf(honest), kind: "silent" }]);
    honest.isCutOff = false;
    await askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: small, pending: 0n });
    expect(await doubts()).toEqual([]);
  });

  it("waits until the other node is as deep", async () => {
    const arranged = await payDeep();
    const { wallet, askOthers } = arranged;
    const tip = await evm.rpc.call<string>("eth_blockNumber", [], signal);
    const behind = await evm.rpc.call<unknown>(
      "eth_getBlockByNumber",
      [`0x${(BigInt(tip) - 1n).toString(16)}`, false],
      signal,
    );
    honest.intercept = (method, [at]) =>
      method === "eth_getBlockByNumber" && at === "latest" ? { result: behind } : null;
    await askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: small });
    expect(await doubts()).toMatchObject([{ node: hostOf(honest), kind: "behind" }]);
    honest.intercept = () => null;
    await askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: small });
  });

  it("needs two other nodes if it is unknown which node its block came from", async () => {
    const { wallet, askOthers } = await payDeep();
    await database.sql("update chain_block set read_from = null");
    lying.isCutOff = true;
    await askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n });
    lying.isCutOff = false;
    await askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: small });
  });

  it("becomes payable without another node if none is required any more", async () => {
    honest.isCutOff = true;
    const { wallet, askOthers } = await payDeep();
    await askOthers();
    isNeeded = false;
    await askOthers();
    expect(await readBalance(world, wallet)).toMatchObject({ available: small, pending: 0n });
  });
});

describe("one of our transactions that a node reports as failed", () => {
  const revert = (receipt: Fields): Fields => ({ ...receipt, status: "0x0", logs: [] });

  /** The nodes' combined answer for a payment that was mined and succeeded, at a depth of 3. */
  async function outcomeBy(nodes: readonly RpcGateway[]) {
    watched = watchEvm(world, evm, nodes);
    const { secondOpinion } = watched;
    const to = present(evm.accounts[1], "an account");
    const txid = await evm.send({ to, value: 1n });
    await evm.mine();
    const block = await watched.client.adapter.reader.tip(signal);
    await evm.mine(2);
    return {
      ask: async () => {
        const requested = [{ txid, dueHeight: block.height + 2 }];
        const [receipt] = await secondOpinion.confirmReceipts(block, requested, signal);
        await secondOpinion.recordDoubts();
        return receipt ?? null;
      },
    };
  }

  beforeEach(() => {
    lying.alter = (method, _params, result) =>
      method === "eth_getTransactionReceipt" && result !== null ? revert(result as Fields) : result;
  });

  it("has no outcome while another node reports success", async () => {
    const { ask } = await outcomeBy([lying, honest]);
    expect(await ask()).toBeNull();
    const [doubt] = await doubts();
    expect(doubt).toMatchObject({ node: hostOf(honest), kind: "disagrees" });
    expect(doubt?.reason).toContain("succeeded");
  });

  it("has no outcome while the other node is unavailable", async () => {
    honest.isCutOff = true;
    const { ask } = await outcomeBy([lying, honest]);
    expect(await ask()).toBeNull();
    expect(await doubts()).toMatchObject([{ node: hostOf(honest), kind: "silent" }]);
  });

  it("has succeeded once both nodes report success", async () => {
    const { ask } = await outcomeBy([lying, honest]);
    lying.alter = (_method, _params, result) => result;
    expect(await ask()).toMatchObject({
      hasSucceeded: true,
      feeUnits: expect.any(BigInt) as bigint,
    });
    expect(await doubts()).toEqual([]);
  });

  it("has succeeded, without a fee, if the nodes report different fees", async () => {
    lying.alter = (method, _params, result) =>
      method === "eth_getTransactionReceipt" && result !== null
        ? { ...(result as Fields), gasUsed: "0x7fffffff" }
        : result;
    const { ask } = await outcomeBy([lying, honest]);
    expect(await ask()).toMatchObject({ hasSucceeded: true, feeUnits: null });
    const [doubt] = await doubts();
    expect(doubt).toMatchObject({ node: hostOf(honest), kind: "disagrees" });
    expect(doubt?.reason).toMatch(
      /succeeded for a fee of \d+ units, and .* for a fee of \d+ units/,
    );
  });

  it("has the fee that two of three nodes report", async () => {
    lying.alter = (method, _params, result) =>
      method === "eth_getTransactionReceipt" && result !== null
        ? { ...(result as Fields), gasUsed: "0x1" }
        : result;
    const third = await startGateway(evm.anvil.url);
    try {
      const { ask } = await outcomeBy([lying, honest, third]);
      const receipt = await ask();
      expect(receipt?.feeUnits).toBeGreaterThan(21_000n);
    } finally {
      await third.close();
    }
  });

  it("has failed if its chain's only node reports so", async () => {
    expect(await (await outcomeBy([lying])).ask()).toMatchObject({ hasSucceeded: false });
  });
});
