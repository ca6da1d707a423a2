import { Transaction } from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import { type Call, client, signal, startNode } from "../../../test/support/scripted-node.ts";
import type { AddressTypeName } from "../../currencies/utxo-facts.ts";
import { previousTransactions } from "./previous-transactions.ts";

const created = new Transaction();
created.addInput(Buffer.alloc(32, 1), 0);
created.addOutput(Buffer.from(`0014${"ab".repeat(20)}`, "hex"), 70_000n);
created.addOutput(Buffer.from(`0014${"cd".repeat(20)}`, "hex"), 80_000n);
const txid = created.getId();
const tip = "aa".repeat(32);
const home = "bb".repeat(32);

/** A node without an index, whose mempool has a transaction that spends both coins: it is to be replaced. */
function answerTo({ method, params }: Call): unknown {
  switch (method) {
    case "getrawtransaction":
      return params[2] === home
        ? { result: created.toHex() }
        : { error: { code: -5, message: "" } };
    case "gettxout":
      return { result: params[2] === true ? null : { bestblock: tip, confirmations: 3 } };
    case "getblockhash":
      return { result: params[0] === 98 ? home : tip };
    case "getblockheader": {
      const isTip = params[0] === tip;
      return {
        result: {
          hash: params[0],
          height: isTip ? 100 : 98,
          confirmations: isTip ? 1 : 3,
          previousblockhash: "cc".repeat(32),
          time: 1_700_000_000,
        },
      };
    }
    default:
      throw new Error(`not expected: ${method}`);
  }
}

/** A node that answers every call by the script above. */
function startScripted() {
  return startNode((body, response) => {
    const one = (call: Call): object => ({ id: call.id, ...(answerTo(call) as object) });
    response.end(
      JSON.stringify(Array.isArray(body) ? (body as Call[]).map(one) : one(body as Call)),
    );
  });
}

function coinsOf(...types: readonly AddressTypeName[]) {
  return types.map((addressType, vout) => ({
    claim: `${txid}:${vout}`,
    units: 70_000n,
    addressType,
    branch: 0 as const,
    keyIndex: vout,
  }));
}

describe("previousTransactions", () => {
  it("finds without an index what created the coins of a payment that waits", async () => {
    const node = await startScripted();
    const coins = coinsOf("bech32", "bech32");
    expect(await previousTransactions(client([node]), bitcoin, coins, signal)).toEqual(
      new Map([[txid, created.toHex()]]),
    );
  });

  it("shows what created a taproot coin and those beside it, and nothing if all are taproot", async () => {
    const node = await startScripted();
    const rpc = client([node]);
    expect(await previousTransactions(rpc, bitcoin, coinsOf("bech32m", "bech32"), signal)).toEqual(
      new Map([[txid, created.toHex()]]),
    );
    expect(await previousTransactions(rpc, bitcoin, coinsOf("bech32m", "bech32m"), signal)).toEqual(
      new Map(),
    );
  });
});
