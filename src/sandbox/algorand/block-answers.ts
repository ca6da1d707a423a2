import { digestText } from "./address.ts";
import { type Answer, Fault, formatted, jsonAnswer } from "./answer.ts";
import { type Block, blockValue } from "./block.ts";
import type { Ledger } from "./ledger.ts";
import { transactionId } from "./transaction.ts";

/** A block, or its header only, as JSON or as MessagePack with a certificate. */
export function blockAnswer(ledger: Ledger, round: bigint, query: URLSearchParams): Answer {
  const block = blockIn(ledger, round);
  if (query.get("header-only") === "true") return formatted({ block: block.header }, query);
  const json = formatted({ block: blockValue(block) }, query);
  if (json.type === "application/json") return json;
  // Nobody certified the first block.
  if (round === 0n) throw missing();
  return formatted({ block: blockValue(block), cert: certificate(block) }, query);
}

/** The round and the hash that the network agreed on. Nobody voted, so there are no votes. */
function certificate({ hash, round }: Block) {
  return { prop: { dig: hash }, rnd: round, step: 2n };
}

export function blockHash(ledger: Ledger, round: bigint): Answer {
  return jsonAnswer({ blockHash: digestText(blockIn(ledger, round).hash) });
}

export function blockTransactionIds(ledger: Ledger, round: bigint): Answer {
  const { transactions } = blockIn(ledger, round);
  return jsonAnswer({ blockTxids: transactions.map(({ txn }) => transactionId(txn)) });
}

function blockIn(ledger: Ledger, round: bigint): Block {
  const block = ledger.at(round);
  if (block === null) throw missing();
  return block;
}

function missing(): Fault {
  return new Fault(404, "failed to retrieve information from the ledger");
}
