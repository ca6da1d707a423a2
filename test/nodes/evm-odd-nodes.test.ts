import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { balanceAtTip } from "../../src/chains/conformance/balance-at-tip.ts";
import type { BlockRef, ChainReader, Destination } from "../../src/chains/port.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  currenciesOf,
  describeTransfer,
  eth,
  type PrivateEvm,
  signal,
  startPrivateEvm,
  usdt,
} from "../support/private-evm.ts";
import { type RpcGateway, startGateway } from "../support/rpc-gateway.ts";

describe("the EVM reader on a node with unusual responses", () => {
  /*
   * Responses that other nodes and other EVM chains give and Anvil does not: a gateway in front of it rewrites its responses. One
   * block contains a token payment.
   */

  type Log = { address: string; removed: boolean };
  type Receipt = { blockHash: string; transactionHash: string; logs: Log[] };

  let evm: PrivateEvm;
  let block: BlockRef;
  let payee: Destination;
  let receipts: readonly Receipt[];
  let txid: string;
  let gateway: RpcGateway;
  let clients: AdapterUnderTest[] = [];

  beforeAll(async () => {
    evm = await startPrivateEvm();
    const client = connectEvm({ url: evm.anvil.url, currencies: evm.currencies });
    payee = client.adapter.addressing.depositAt(700, null);
    txid = await evm.send({
      to: evm.contracts.usdt,
      call: ["TetherLike", "transfer", payee.address, 3n],
    });
    await evm.mine();
    block = await client.adapter.reader.tip(signal);
    await client.close();
  });
  afterAll(() => evm.stop());
  beforeEach(async () => {
    gateway = await startGateway(evm.anvil.url);
    receipts = await evm.rpc.call<Receipt[]>("eth_getBlockReceipts", [block.hash], signal);
  });
  afterEach(async () => {
    for (const { close } of clients) await close();
    clients = [];
    await gateway.close();
  });

  function connect(chain = "ETH"): ChainReader {
    const currencies = chain === "ETH" ? evm.currencies : currenciesOf(chain);
    const client = connectEvm({ url: gateway.url, chain, currencies });
    clients.push(client);
    return client.adapter.reader;
  }

  function rewriteLogs(change: (log: Log) => void): void {
    for (const { logs } of receipts) logs.forEach(change);
    gateway.intercept = (method) =>
      method === "eth_getBlockReceipts" ? { result: receipts } : null;
  }

  async function read(reader: ChainReader, requests = block): Promise<readonly string[] | null> {
    const content = await reader.readBlock(requests, signal);
    return content?.transfers.map(describeTransfer) ?? null;
  }

  it("ignores logs that the node marks as removed", async () => {
    expect(await read(connect())).toEqual([`${usdt} 3`]);
    rewriteLogs((log) => {
      log.removed = true;
    });
    expect(await read(connect())).toEqual([]);
  });

  it("ignores Polygon's own log of its coin, and reads the same log as a token elsewhere", async () => {
    const contract = "0x0000000000000000000000000000000000001010";
    rewriteLogs((log) => {
      log.address = contract;
    });
    expect(await read(connect("MATIC"))).toEqual([]);
    expect(await read(connect("ETH"))).toEqual([`${contract} 3`]);
  });

  it("treats a replaced block as gone although the node still returns it by its hash", async () => {
    await evm.mine();
    const doomed = await evm.rpc.call<{ number: string; hash: string; parentHash: string }>(
      "eth_getBlockByNumber",
      ["latest", true],
      signal,
    );
    const doomedBlock = { ...block, hash: doomed.hash, height: Number(doomed.number) };
    await evm.mine();
    const orphan = { ...doomed, hash: `0x${"dd".repeat(32)}` };
    gateway.intercept = (method, [hash]) => {
      if (hash !== orphan.hash) return null;
      return { result: method === "eth_getBlockByHash" ? orphan : [] };
    };
    const reader = connect();
    expect(await reader.headerByHash(orphan.hash, signal)).toBeNull();
    expect(await read(reader, { ...doomedBlock, hash: orphan.hash })).toBeNull();
  });

  it("ignores receipts of the same transaction in another block", async () => {
    gateway.intercept = (method) => {
      if (method === "eth_getBlockReceipts") return { error: { code: -32601, message: "no" } };
      if (method !== "eth_getTransactionReceipt") return null;
      const blockHash = `0x${"ee".repeat(32)}`;
      const logs = receipts[0]?.logs.map((log) => ({ ...log, blockHash }));
      return { result: { ...receipts[0], blockHash, logs } };
    };
    expect(await read(connect())).toBeNull();
  });

  it("accepts system transactions without a receipt", async () => {
    const full = await evm.rpc.call<{ transactions: object[] }>(
      "eth_getBlockByHash",
      [block.hash, true],
      signal,
    );
    const zero = `0x${"00".repeat(20)}`;
    const stateSync = {
      ...full.transactions[0],
      hash: `0x${"55".repeat(32)}`,
      from: zero,
      to: zero,
    };
    const transactions = [...full.transactions, stateSync];
    gateway.intercept = (method) =>
      method === "eth_getBlockByHash" ? { result: { ...full, transactions } } : null;
    expect(await read(connect())).toEqual([`${usdt} 3`]);
  });

  it("reads a rollup's deposits from the chain below, which use no nonce", async () => {
    const transaction = await evm.rpc.call<object>("eth_getTransactionByHash", [txid], signal);
    const reader = connect();
    const signed = (await reader.senders([txid], null, signal)).get(txid);
    expect(signed?.claims).toHaveLength(1);
    gateway.intercept = (method) =>
      method === "eth_getTransactionByHash" ? { result: { ...transaction, type: "0x7e" } } : null;
    const deposited = (await reader.senders([txid], null, signal)).get(txid);
    expect(deposited).toEqual({ addresses: signed?.addresses, claims: [] });
  });

  it("reads all balances at the same block, even if a new block arrives during the request", async () => {
    const requests: unknown[] = [];
    const { hash } = await connect().tip(signal);
    gateway.intercept = (method, [, at]) => {
      if (method === "eth_getBalance" || method === "eth_call") requests.push(at);
      return null;
    };
    const reader = connect();
    const addresses = [payee.address, evm.accounts[1]!];
    await balanceAtTip(reader, addresses, eth, signal);
    expect(await balanceAtTip(reader, [payee.address], usdt, signal)).toBe(3n);
    expect(requests).toEqual([{ blockHash: hash }, { blockHash: hash }, { blockHash: hash }]);
  });
});
