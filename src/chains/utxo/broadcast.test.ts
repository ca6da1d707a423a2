import { Transaction } from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { bitcoin } from "../../../test/support/known-chains.ts";
import {
  answer,
  type Call,
  client,
  fail,
  type Handler,
  signal,
  startNode,
} from "../../../test/support/scripted-node.ts";
import { broadcast } from "./broadcast.ts";

function signed(): Transaction {
  const transaction = new Transaction();
  transaction.addInput(Buffer.alloc(32, 1), 0);
  transaction.addOutput(Buffer.from(`0014${"ab".repeat(20)}`, "hex"), 1_000n);
  return transaction;
}

/** Broadcasts through a node that has the transaction already, or not, and answers it so; returns what the node was asked. */
async function broadcasting(isPending: boolean, answers: Handler) {
  const node = await startNode(answers);
  const transaction = signed();
  const source = {
    isPending: (txid: string) => Promise.resolve(isPending && txid === transaction.getId()),
  };
  const raw = Buffer.from(transaction.toBuffer());
  const outcome = await broadcast(client([node]), source, bitcoin, raw, signal);
  const requests = (node.requests as readonly Call[]).map(({ method, params }) => [
    method,
    params[0],
  ]);
  return { outcome, sent: requests.filter(([, hex]) => hex === raw.toString("hex")) };
}

describe("broadcast", () => {
  it("sends a transaction again that only waits, so that the node announces it to its peers", async () => {
    const { outcome, sent } = await broadcasting(true, answer("id"));
    expect(sent).toHaveLength(1);
    expect(outcome).toEqual({ kind: "alreadyKnown" });
  });

  it("knows a waiting transaction whatever the node answers when it gets it again", async () => {
    const { outcome } = await broadcasting(true, fail(-26, "txn-mempool-conflict"));
    expect(outcome).toEqual({ kind: "alreadyKnown" });
  });

  it("tells the first time from later ones", async () => {
    expect((await broadcasting(false, answer("id"))).outcome).toEqual({ kind: "accepted" });
    const refused = await broadcasting(false, fail(-5, "bad-txns"));
    expect(refused.outcome).toEqual({ kind: "rejected", reason: "bad-txns" });
  });
});
