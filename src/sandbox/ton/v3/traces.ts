import type { Executed } from "../chain.ts";
import type { Ledger } from "../ledger.ts";
import { queuedBy } from "../message-queue.ts";
import { wrongRequest } from "../toncenter-error.ts";
import { base64Hash } from "../v2/print.ts";
import { normalHash } from "../v2/send-methods.ts";
import { addressBook, printTransaction } from "./print.ts";
import {
  addressesIn,
  hashesIn,
  integerIn,
  isAscending,
  isInRange,
  pageOf,
  type Query,
} from "./query.ts";
import { addressesOf } from "./transactions.ts";

/** `traces`: what an external message started, as a tree and in the order of logical time. */
export function listTraces(ledger: Ledger, query: Query): object {
  const [account] = addressesIn(query, "account");
  const ids = hashesIn(query, "trace_id");
  const hashes = hashesIn(query, "tx_hash");
  const messages = hashesIn(query, "msg_hash");
  const mcSeqno = integerIn(query, "mc_seqno");
  const named = [account !== undefined, ids.length > 0, hashes.length > 0, messages.length > 0];
  if (named.filter(Boolean).length > 1)
    throw wrongRequest("only one of account, trace_id, tx_hash, msg_hash should be specified");
  const within = isInRange(query);
  const isNamed = (one: Executed): boolean =>
    within(one) &&
    (account === undefined || one.account === account) &&
    (ids.length === 0 || ids.includes(one.traceId)) &&
    (hashes.length === 0 || hashes.includes(one.hash)) &&
    (messages.length === 0 || namesOf(one).some((name) => messages.includes(name)));
  const found = new Set(
    ledger
      .transactions()
      .filter(isNamed)
      .map(({ traceId }) => traceId),
  );
  const traces = [...found]
    .map((id) => ledger.trace(id))
    .filter((trace) => mcSeqno === null || BigInt(trace.at(-1)?.mcSeqno ?? -1) === mcSeqno);
  const page = pageOf(query, isAscending(query) ? traces : traces.toReversed());
  return {
    traces: page.map((trace) => printTrace(ledger, trace)),
    address_book: addressBook(page.flat().flatMap(addressesOf)),
    metadata: {},
  };
}

/** The hashes of the messages in a transaction; an external one has a second name. */
function namesOf({ inMessage, outMessages }: Executed): readonly string[] {
  const own = outMessages.map((cell) => cell.hash().toString("hex"));
  if (inMessage === null) return own;
  const normal = Buffer.from(normalHash(inMessage), "base64").toString("hex");
  return [...own, inMessage.hash().toString("hex"), normal];
}

function printTrace(ledger: Ledger, trace: readonly Executed[]): object {
  const [first] = trace;
  if (first === undefined) return {};
  const inOrder = trace.toSorted((one, other) =>
    one.transaction.lt < other.transaction.lt ? -1 : 1,
  );
  const last = inOrder.at(-1) ?? first;
  const pending = trace.flatMap(({ outMessages }) =>
    queuedBy(outMessages, "").filter(({ hash }) => ledger.receiverOf(hash) === null),
  ).length;
  const messages = trace.reduce((sum, { outMessages }) => sum + outMessages.length, 1);
  const isComplete = pending === 0;
  return {
    trace_id: base64Hash(first.traceId),
    external_hash: first.inMessage === null ? null : normalHash(first.inMessage),
    mc_seqno_start: String(first.mcSeqno),
    mc_seqno_end: String(last.mcSeqno),
    start_lt: String(first.transaction.lt),
    start_utime: first.transaction.now,
    end_lt: isComplete ? String(last.transaction.lt) : "0",
    end_utime: isComplete ? last.transaction.now : 0,
    trace_info: {
      trace_state: isComplete ? "complete" : "pending",
      messages,
      transactions: trace.length,
      pending_messages: pending,
      classification_state: "unclassified",
    },
    is_incomplete: false,
    trace: printNode(ledger, first),
    transactions_order: inOrder.map(({ hash }) => base64Hash(hash)),
    transactions: Object.fromEntries(
      inOrder.map((one) => [base64Hash(one.hash), printTransaction(ledger, one)]),
    ),
  };
}

function printNode(ledger: Ledger, executed: Executed): object {
  const children = executed.outMessages
    .map((cell) => ledger.receiverOf(cell.hash().toString("hex")))
    .filter((child) => child !== null);
  return {
    tx_hash: base64Hash(executed.hash),
    in_msg_hash: executed.inMessage === null ? null : executed.inMessage.hash().toString("base64"),
    children: children.map((child) => printNode(ledger, child)),
  };
}
