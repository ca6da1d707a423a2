/** Transactions of a block that left the best chain, as a node with an index describes them. */
import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import { type Call, client, signal, startNode } from "../../../test/support/scripted-node.ts";
import { createByteSource } from "./byte-source.ts";
import { readTransactionStatus } from "./transaction-status.ts";

const tip = "aa".repeat(32);
const orphan = "bb".repeat(32);
const coinbase = "cc".repeat(32);
const child = "dd".repeat(32);
const transactions: Readonly<Record<string, object>> = {
  [coinbase]: { vin: [{ coinbase: "0164", sequence: 0 }], blockhash: orphan },
  [child]: { vin: [{ txid: coinbase, vout: 0 }], blockhash: orphan },
};

/** A node whose tip is block 1, whose block of before is on no chain any more, and whose index reaches that height. */
async function statusOf(txid: string, spends: readonly string[], indexedHeight = 1) {
  const answer = ({ method, params }: Call): object => {
    const id = String(params[0]);
    switch (method) {
      case "getbestblockhash":
        return { result: tip };
      case "getblockheader": {
        const confirmations = id === tip ? 1 : -1;
        return { result: { hash: id, height: 1, confirmations, time: 1_700_000_000 } };
      }
      case "getindexinfo":
        return { result: { txindex: { synced: true, best_block_height: indexedHeight } } };
      case "getrawtransaction":
        if (transactions[id] !== undefined) return { result: transactions[id] };
        break;
      case "gettxout":
        return { result: null };
    }
    return { error: { code: -5, message: "No such thing" } };
  };
  const node = await startNode((body, response) => {
    const one = (call: Call): object => ({ id: call.id, ...answer(call) });
    response.end(
      JSON.stringify(Array.isArray(body) ? (body as Call[]).map(one) : one(body as Call)),
    );
  });
  const rpc = client([node]);
  const source = createByteSource(rpc, { chain: bitcoin, network: bitcoin.networks.regtest });
  return await readTransactionStatus(rpc, source, txid, spends, signal);
}

const lost = { kind: "conflicted", by: null, height: null };

describe("the status of transactions of an orphaned block", () => {
  it("never confirms a coinbase, nor what spends it", async () => {
    expect(await statusOf(coinbase, [])).toEqual(lost);
    expect(await statusOf(child, [`${coinbase}:0`])).toEqual(lost);
  });

  it("concludes nothing while the index is behind, or about a transaction that the node does not know", async () => {
    expect(await statusOf(coinbase, [], 0)).toEqual({ kind: "unknown" });
    expect(await statusOf("ee".repeat(32), [])).toEqual({ kind: "unknown" });
  });
});
