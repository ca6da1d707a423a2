import { decodeFunctionData, encodeAbiParameters, type Hex, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { type Call, client, signal, startNode } from "../../../test/support/scripted-node.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { readBalancesAt } from "./balances-at.ts";
import { createEvmNode } from "./evm-node.ts";

describe("readBalancesAt", () => {
  /*
   * Balances at one block from an HTTP node that counts its calls: with and without Multicall3, and at a block that the node does
   * not have.
   */

  const eth = "1002" as CurrencyId;
  const usdc = "2014" as CurrencyId;
  const currencies = builtInCurrencies.filter(({ chain }) => chain === "ETH");
  const hash = `0x${"11".repeat(32)}`;
  const addresses = Array.from(
    { length: 1_000 },
    (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`,
  );
  /** Each address holds a different amount. */
  const unitsOf = (address: string): bigint => BigInt(address);
  const word = (units: bigint): Hex => `0x${units.toString(16).padStart(64, "0")}`;
  const abi = parseAbi([
    "struct Call { address target; bool allowFailure; bytes callData; }",
    "function aggregate3(Call[] calls) payable",
  ]);

  function answerOf({ method, params }: Call, code: string, omitted: number): unknown {
    if (method === "eth_getBlockByHash")
      return params[0] === hash
        ? { number: "0x10", hash, parentHash: word(15n), timestamp: "0x6a000000" }
        : null;
    if (method === "eth_getCode") return code;
    // The node must be asked for the state after exactly this block (EIP-1898).
    expect(params[1]).toEqual({ blockHash: hash });
    if (method === "eth_getBalance") return word(unitsOf(params[0] as string));
    const { data } = params[0] as { readonly data: Hex };
    if (data.startsWith("0x70a08231")) return word(BigInt(`0x${data.slice(-40)}`));
    const [calls] = decodeFunctionData({ abi, data }).args;
    return encodeAbiParameters(
      [{ type: "tuple[]", components: [{ type: "bool" }, { type: "bytes" }] }],
      [
        calls
          .slice(omitted)
          .map(({ callData }) => [true, word(BigInt(`0x${callData.slice(-40)}`))] as const),
      ],
    );
  }

  /** A node with that code at Multicall3's address, whose answers omit the first balances of each combined call. */
  async function nodeWith(code: string, omitted = 0) {
    const calls: Call[] = [];
    const reply = (call: Call) => {
      calls.push(call);
      return { jsonrpc: "2.0", id: call.id, result: answerOf(call, code, omitted) };
    };
    const server = await startNode((body, response) => {
      response.end(JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body as Call)));
    });
    const node = createEvmNode("ETH", client([server]));
    return {
      calls,
      server,
      read: (currency: CurrencyId, at = hash) =>
        readBalancesAt(node, currencies, { addresses, currency, hash: at }, signal),
    };
  }

  it.each([eth, usdc])(
    "asks for the balances of currency %s in a few calls of Multicall3, at the block's hash",
    async (currency) => {
      const { calls, server, read } = await nodeWith("0x6001");
      expect(await read(currency)).toEqual(addresses.map(unitsOf));
      expect(calls.map(({ method }) => method)).toEqual([
        "eth_getBlockByHash",
        "eth_getCode",
        ...Array.from({ length: 4 }, () => "eth_call"),
      ]);
      expect(server.requests).toHaveLength(2);
    },
  );

  it.each([eth, usdc])(
    "asks for each balance of currency %s in batches of a hundred where Multicall3 is not deployed",
    async (currency) => {
      const { calls, server, read } = await nodeWith("0x");
      expect(await read(currency)).toEqual(addresses.map(unitsOf));
      expect(calls).toHaveLength(2 + addresses.length);
      expect(server.requests).toHaveLength(1 + addresses.length / 100);
    },
  );

  it("counts no address as empty when Multicall3 answers for fewer addresses", async () => {
    const { read } = await nodeWith("0x6001", 1);
    await expect(read(eth)).rejects.toThrow(Unavailable);
  });

  it("returns null for a block that the node does not have", async () => {
    const { read } = await nodeWith("0x6001");
    expect(await read(eth, `0x${"22".repeat(32)}`)).toBeNull();
  });
});
