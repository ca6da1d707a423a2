import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { comparable } from "../../src/chains/conformance/conformance-check.ts";
import type { BlockRef, Destination } from "../../src/chains/port.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  describeTransfer,
  eth,
  type PrivateEvm,
  signal,
  startPrivateEvm,
  usdt,
} from "../support/private-evm.ts";
import { type Interception, type RpcGateway, startGateway } from "../support/rpc-gateway.ts";

describe("the EVM reader on a node with fewer methods", () => {
  /*
   * Nodes with fewer features than Anvil: a gateway in front of it rejects what Geth, pruned and hosted nodes reject, with their
   * error messages. One block contains a token payment and ether sent by a contract.
   */

  let evm: PrivateEvm;
  let block: BlockRef;
  let plainBlock: BlockRef;
  let payee: Destination;
  let gateway: RpcGateway;
  let clients: AdapterUnderTest[] = [];

  beforeAll(async () => {
    evm = await startPrivateEvm();
    const wallet = await evm.deploy("PayingWallet");
    const client = connectEvm({ url: evm.anvil.url, currencies: evm.currencies });
    payee = client.adapter.addressing.depositAt(500, null);
    await evm.send({ to: payee.address, value: 2n });
    await evm.mine();
    plainBlock = await client.adapter.reader.tip(signal);
    await evm.send({
      to: evm.contracts.usdt,
      call: ["TetherLike", "transfer", payee.address, 3n],
    });
    await evm.send({
      to: wallet,
      value: 20n,
      call: ["PayingWallet", "payPartly", [payee.address], [payee.address], [4n]],
    });
    await evm.send({
      to: wallet,
      value: 5n,
      call: ["PayingWallet", "payByEnding", payee.address],
    });
    await evm.mine();
    block = await client.adapter.reader.tip(signal);
    await client.close();
  });
  afterAll(() => evm.stop());
  beforeEach(async () => {
    gateway = await startGateway(evm.anvil.url);
  });
  afterEach(async () => {
    for (const { close } of clients) await close();
    clients = [];
    await gateway.close();
  });

  function connect(
    tracing: "auto" | "required" | "off" = "auto",
    bodyBytesMax = 128 * 1024 * 1024,
  ): AdapterUnderTest["adapter"]["reader"] {
    const { currencies } = evm;
    const client = connectEvm({ url: gateway.url, currencies, tracing, bodyBytesMax });
    clients.push(client);
    return client.adapter.reader;
  }

  function refuse(...methods: readonly string[]): void {
    gateway.intercept = (method) =>
      methods.includes(method)
        ? {
            error: {
              code: -32601,
              message: `the method ${method} does not exist/is not available`,
            },
          }
        : null;
  }

  function answerTraces(instead: Interception): void {
    gateway.intercept = (method) =>
      method === "trace_block" || method.startsWith("debug_") ? instead : null;
  }

  async function read(reader: ReturnType<typeof connect>): Promise<readonly string[]> {
    const content = await reader.readBlock(block, signal);
    return (content?.transfers ?? [])
      .filter(({ to }) => to === payee.address.toLowerCase())
      .map((transfer) => `${transfer.key.index}: ${describeTransfer(transfer)}`);
  }

  const everything = [`1: ${usdt} 3`, `2: ${eth} 4`, `4: ${eth} 5`];
  const withoutContracts = [`1: ${usdt} 3`];

  it("returns the same transfers with either trace method", async () => {
    const direct = comparable(await connect().readBlock(block, signal));
    refuse("trace_block");
    const reader = connect();
    expect(comparable(await reader.readBlock(block, signal))).toEqual(direct);
    expect((await reader.limitations(signal)).join()).not.toContain("sent by contracts");
    expect(gateway.requests.flat().filter((method) => method === "trace_block")).toHaveLength(2);
  });

  it("fetches receipts one by one if the node cannot return a whole block's", async () => {
    const direct = comparable(await connect().readBlock(block, signal));
    refuse("eth_getBlockReceipts");
    const reader = connect();
    expect(comparable(await reader.readBlock(block, signal))).toEqual(direct);
    expect(comparable(await reader.readBlock(block, signal))).toEqual(direct);
    const requests = gateway.requests.flat();
    expect(requests.filter((method) => method === "eth_getBlockReceipts")).toHaveLength(2);
  });

  it("reads a block of plain payments in one round trip and any other in two", async () => {
    const reader = connect();
    await reader.tip(signal);
    gateway.requests.length = 0;
    expect((await reader.readBlock(plainBlock, signal))?.transfers).toHaveLength(1);
    expect(gateway.requests).toHaveLength(1);
    await reader.readBlock(block, signal);
    expect(gateway.requests).toHaveLength(3);
  });

  it("reports ether sent by contracts as a blind spot if traces are unavailable", async () => {
    refuse("trace_block", "debug_traceBlockByHash");
    const reader = connect();
    const [spot] = await reader.limitations(signal);
    expect(spot).toContain("sent by contracts");
    expect(await read(reader)).toEqual(withoutContracts);
    const requests = gateway.requests.flat().filter((method) => method.includes("trace"));
    expect(requests).toHaveLength(2);
  });

  it("reads no block that needs traces when traces are required and the node has none", async () => {
    refuse("trace_block", "debug_traceBlockByHash");
    const reader = connect("required");
    await expect(reader.readBlock(block, signal)).rejects.toBeInstanceOf(Unavailable);
    expect((await reader.readBlock(plainBlock, signal))?.transfers).toHaveLength(1);
  });

  it("requests no traces if tracing is disabled", async () => {
    const reader = connect("off");
    expect(await read(reader)).toEqual(withoutContracts);
    expect((await reader.limitations(signal))[0]).toContain("switched off");
    expect(gateway.requests.flat().filter((method) => method.includes("trace"))).toEqual([]);
  });

  it.each([
    "historical state of block 0x1 is not available",
    "missing trie node 5f3c",
    "required data unavailable",
    "state at block 17 is pruned",
  ])(
    "reads a block whose state the node has pruned (%s) without traces, and records that",
    async (message) => {
      answerTraces({ error: { code: -32000, message } });
      const reader = connect();
      expect((await reader.readBlock(block, signal))?.lacks).toContain(message);
      expect(await read(reader)).toEqual(withoutContracts);
      gateway.intercept = () => null;
      expect((await reader.readBlock(block, signal))?.lacks).toBeUndefined();
      expect(await read(reader)).toEqual(everything);
      expect((await reader.limitations(signal))[0]).toContain(
        `from ${block.height} to ${block.height}`,
      );
    },
  );

  it.each<[string, Interception]>([
    ["a node error", { error: { code: -32000, message: "execution timeout" } }],
    [
      "an error of a node behind a gateway",
      { error: { code: -32000, message: "statement failed, 3 retries" } },
    ],
    ["an empty list of traces", { result: [] }],
    ["a trace of another transaction", { result: [{ type: "call" }] }],
    ["a malformed response", { result: "0x" }],
  ])(
    "reads the block again later after %s, instead of treating it as a block without internal transfers",
    async (_, instead) => {
      answerTraces(instead);
      const reader = connect();
      await expect(reader.readBlock(block, signal)).rejects.toBeInstanceOf(Unavailable);
      gateway.intercept = () => null;
      expect(await read(reader)).toEqual(everything);
    },
  );

  it.each(["trace_block", "debug_traceBlockByHash"] as const)(
    "traces a block transaction by transaction when its traces are too large at once (%s)",
    async (way) => {
      const tooMuch = { error: { code: -32003, message: "response too large" } };
      const unknown = { error: { code: -32601, message: "Method not found" } };
      const isFlat = way === "trace_block";
      gateway.intercept = (method) => {
        if (method === way) return tooMuch;
        return method.startsWith(isFlat ? "debug_" : "trace_") ? unknown : null;
      };
      expect(await read(connect())).toEqual(everything);
    },
  );

  it("skips the traces of a transaction whose response never ends, and still reads the block", async () => {
    const huge = { result: [{ padding: "x".repeat(200_000) }] };
    gateway.intercept = (method) => (method.startsWith("trace_") ? huge : null);
    const reader = connect("auto", 100_000);
    expect(await read(reader)).toEqual(withoutContracts);
    expect((await reader.limitations(signal))[0]).toContain("too large");
  });

  it("assigns traces without ids to the right transactions of a block that begins with a plain payment", async () => {
    const wallet = await evm.deploy("PayingWallet");
    await evm.send({ to: payee.address, value: 7n, feeTimes: 2 });
    const call = ["PayingWallet", "payPartly", [payee.address], [payee.address], [8n]] as const;
    await evm.send({ to: wallet, value: 20n, call });
    await evm.mine();
    gateway.intercept = (method) =>
      method === "trace_block" ? { error: { code: -32601, message: "Method not found" } } : null;
    gateway.alter = (method, _params, result) =>
      method === "debug_traceBlockByHash"
        ? (result as readonly { readonly result: unknown }[]).map(({ result: trace }) => ({
            result: trace,
          }))
        : result;
    const reader = connect();
    const content = await reader.readBlock(await reader.tip(signal), signal);
    const paid = content?.transfers.filter(({ to }) => to === payee.address.toLowerCase()) ?? [];
    expect(paid.map(describeTransfer)).toEqual([`${eth} 7`, `${eth} 8`]);
  });

  /** The transactions that pay the payee by contracts, in the order of the block. */
  async function contractPayments(): Promise<readonly string[]> {
    const content = await connect().readBlock(block, signal);
    const found = content?.transfers.filter(({ to }) => to === payee.address.toLowerCase()) ?? [];
    return found.slice(1).map(({ key }) => key.txid);
  }

  it.each([
    ["the node", { error: { code: -32000, message: "execution timeout" } }],
    ["a host", { error: { code: -32002, message: "Request timed out on the free tier" } }],
  ])(
    "skips a transaction whose traces always take too long for %s, and still reads the block",
    async (_what, late) => {
      const [heavy] = await contractPayments();
      gateway.intercept = (method, [parameter]) => {
        if (method === "trace_block") return late;
        return method === "trace_transaction" && parameter === heavy ? late : null;
      };
      const reader = connect();
      for (let attempt = 0; attempt < 2; attempt += 1)
        await expect(reader.readBlock(block, signal)).rejects.toBeInstanceOf(Unavailable);
      expect(await read(reader)).toEqual([everything[0], everything[2]]);
      expect((await reader.limitations(signal))[0]).toContain("took too long");
      const required = connect("required");
      for (let attempt = 0; attempt < 5; attempt += 1)
        await expect(required.readBlock(block, signal)).rejects.toBeInstanceOf(Unavailable);
    },
  );

  it("traces one by one a block whose traces take too long, and each transaction is late once", async () => {
    const late = { error: { code: -32000, message: "execution timeout" } };
    const seen = new Set<unknown>();
    gateway.intercept = (method, [parameter]) => {
      const isFirst = method === "trace_transaction" && !seen.has(parameter);
      if (isFirst) seen.add(parameter);
      return method === "trace_block" || isFirst ? late : null;
    };
    const reader = connect();
    let attempts = 0;
    const tried = async (): Promise<readonly string[]> => {
      for (; attempts < 20; attempts += 1) {
        try {
          return await read(reader);
        } catch (error) {
          if (!(error instanceof Unavailable)) throw error;
        }
      }
      return [];
    };
    expect(await tried()).toEqual(everything);
    expect(attempts).toBe(1 + seen.size);
  });

  it.each([
    ["offers no traces of single transactions", { code: -32601, message: "Method not found" }],
    ["has pruned their state", { code: -32000, message: "missing trie node 5f3c" }],
  ])("reads a block that is too large to trace at once if the node %s", async (_what, error) => {
    gateway.intercept = (method) => {
      if (method === "trace_block")
        return { error: { code: -32003, message: "response too large" } };
      return method.startsWith("trace_") || method.startsWith("debug_") ? { error } : null;
    };
    const reader = connect();
    expect(await read(reader)).toEqual(withoutContracts);
    expect((await reader.limitations(signal))[0]).toContain("too large");
  });

  it("fetches receipts one by one when they exceed the node's limit or ours", async () => {
    const direct = comparable(await connect().readBlock(block, signal));
    const tooMuch = { error: { code: -32003, message: "response too large" } };
    const huge = { result: [{ padding: "x".repeat(200_000) }] };
    for (const instead of [tooMuch, huge]) {
      gateway.intercept = (method) => (method === "eth_getBlockReceipts" ? instead : null);
      expect(comparable(await connect("auto", 100_000).readBlock(block, signal))).toEqual(direct);
    }
  });

  it("skips a transaction whose receipt alone is too large, and reads the others", async () => {
    const direct = comparable(await connect().readBlock(block, signal));
    const txids = [...new Set(direct?.transfers.map(({ key }) => key.txid))];
    const [spoilt] = txids;
    const huge = { result: { padding: "x".repeat(200_000) } };
    gateway.intercept = (method, [parameter]) => {
      if (method === "eth_getBlockReceipts") return huge;
      return method === "eth_getTransactionReceipt" && parameter === spoilt ? huge : null;
    };
    const content = await connect("auto", 100_000).readBlock(block, signal);
    expect(content?.transfers).toEqual(direct?.transfers.filter(({ key }) => key.txid !== spoilt));
  });

  it("waits for receipts that are not available yet", async () => {
    gateway.intercept = (method) => (method.includes("Receipt") ? { result: null } : null);
    const reader = connect();
    await expect(reader.readBlock(block, signal)).rejects.toBeInstanceOf(Unavailable);
  });

  it("reports no pending payments when the node's pending block is its latest one", async () => {
    const txid = await evm.send({ to: payee.address, value: 6n });
    const reader = connect();
    expect(await reader.pendingTransfers?.(signal)).toHaveLength(1);
    const latest = await evm.rpc.call("eth_getBlockByNumber", ["latest", true], signal);
    gateway.intercept = (method, [at]) =>
      method === "eth_getBlockByNumber" && at === "pending" ? { result: latest } : null;
    expect(await reader.pendingTransfers?.(signal)).toEqual([]);
    gateway.intercept = (method, [at]) =>
      method === "eth_getBlockByNumber" && at === "pending" ? { result: null } : null;
    expect(await reader.pendingTransfers?.(signal)).toEqual([]);
    expect(await reader.statusOf(txid, [], signal)).toEqual({ kind: "pending" });
    await evm.mine();
  });

  it("counts ether only once on chains that log it themselves (EIP-7708)", async () => {
    const receipts = await evm.rpc.call<{ logs: { address: string }[] }[]>(
      "eth_getBlockReceipts",
      [block.hash],
      signal,
    );
    for (const { logs } of receipts)
      for (const log of logs) log.address = "0xfffffffffffffffffffffffffffffffffffffffe";
    gateway.intercept = (method) =>
      method === "eth_getBlockReceipts" ? { result: receipts } : null;
    expect(await read(connect())).toEqual([`2: ${eth} 4`, `4: ${eth} 5`]);
  });
});
