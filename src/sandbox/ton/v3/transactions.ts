import { loadMessage } from "@ton/core";
import type { Executed } from "../chain.ts";
import type { Ledger } from "../ledger.ts";
import { ToncenterError, wrongRequest } from "../toncenter-error.ts";
import { base64Hash } from "../v2/print.ts";
import { normalHash } from "../v2/send-methods.ts";
import { addressBook, printMessage, printShard, printTransaction } from "./print.ts";
import {
  addressesIn,
  hashesIn,
  integerIn,
  isAscending,
  isInRange,
  pageOf,
  type Query,
  sorted,
} from "./query.ts";

/** `transactions`: those that satisfy every member of the query. */
export function listTransactions(ledger: Ledger, query: Query): object {
  const accounts = addressesIn(query, "account");
  const excluded = addressesIn(query, "exclude_account");
  const hashes = hashesIn(query, "hash");
  const [workchain, seqno, mcSeqno, lt] = ["workchain", "seqno", "mc_seqno", "lt"].map((name) =>
    integerIn(query, name),
  );
  const shard = query.get("shard")?.toUpperCase();
  const within = isInRange(query);
  const candidates =
    mcSeqno == null
      ? accounts.length === 0
        ? ledger.transactions()
        : accounts.flatMap((account) => ledger.transactionsOf(account))
      : ledger.blocksIn(Number(mcSeqno)).flatMap(({ transactions }) => transactions);
  const found = candidates.filter(
    (one) =>
      within(one) &&
      (accounts.length === 0 || accounts.includes(one.account)) &&
      !excluded.includes(one.account) &&
      (hashes.length === 0 || hashes.includes(one.hash)) &&
      (workchain == null || BigInt(one.block.workchain) === workchain) &&
      (shard === undefined || shard === "" || printShard(one.block) === shard) &&
      (seqno == null || BigInt(one.block.seqno) === seqno) &&
      (lt == null || one.transaction.lt === lt),
  );
  return printList(ledger, query, found);
}

/** `transactionsByMasterchainBlock`: those of the block and of every block that it is the first to refer to. */
export function listOfMasterBlock(ledger: Ledger, query: Query): object {
  const seqno = integerIn(query, "seqno");
  if (seqno === null) throw wrongRequest("seqno is required");
  return printList(
    ledger,
    query,
    ledger.blocksIn(Number(seqno)).flatMap(({ transactions }) => transactions),
  );
}

/** `transactionsByMessage`: those that sent or processed a message. */
export function listByMessage(ledger: Ledger, query: Query): object {
  const messages = hashesIn(query, "msg_hash");
  const bodies = hashesIn(query, "body_hash");
  const opcode = query.get("opcode");
  if (messages.length === 0 && bodies.length === 0 && opcode === null)
    throw wrongRequest("at least one of msg_hash, body_hash, opcode should be specified");
  const direction = directionIn(query);
  const found = ledger.transactions().filter(({ inMessage, outMessages }) => {
    const looked = [
      ...(direction === "out" || inMessage === null ? [] : [inMessage]),
      ...(direction === "in" ? [] : outMessages),
    ];
    return looked.some((cell) => {
      const printed = printMessage(cell);
      const body = loadMessage(cell.beginParse()).body.hash().toString("hex");
      const names = [cell.hash().toString("hex"), hexOf(normalHash(cell))];
      return (
        (messages.length === 0 || names.some((name) => messages.includes(name))) &&
        (bodies.length === 0 || bodies.includes(body)) &&
        (opcode === null || printed["opcode"] === opcode.toLowerCase())
      );
    });
  });
  return printList(ledger, query, found);
}

/** `adjacentTransactions`: the one that sent a transaction's message, and those that processed what it sent. */
export function listAdjacent(ledger: Ledger, query: Query): object {
  const [hash] = hashesIn(query, "hash");
  const executed = hash === undefined ? null : ledger.transaction(hash);
  if (executed === null) throw new ToncenterError(404, "transactions not found");
  const direction = directionIn(query);
  const { inMessage, outMessages } = executed;
  const parent = inMessage === null ? null : ledger.senderOf(inMessage.hash().toString("hex"));
  const children = outMessages.map((cell) => ledger.receiverOf(cell.hash().toString("hex")));
  const found = [
    ...(direction === "out" ? [] : [parent]),
    ...(direction === "in" ? [] : children),
  ].filter((one) => one !== null);
  return printList(ledger, query, found);
}

/** `messages`: those that transactions sent or processed, each once, with the transactions. */
export function listMessages(ledger: Ledger, query: Query): object {
  const hashes = hashesIn(query, "msg_hash");
  const [source] = addressesIn(query, "source");
  const [destination] = addressesIn(query, "destination");
  const direction = directionIn(query);
  const known = new Map<string, Readonly<Record<string, unknown>>>();
  const newestFirst = ledger.transactions().toReversed();
  for (const { inMessage, outMessages } of newestFirst)
    for (const cell of [...(inMessage === null ? [] : [inMessage]), ...outMessages]) {
      const hash = cell.hash().toString("hex");
      const received = ledger.receiverOf(hash);
      const sent = ledger.senderOf(hash);
      known.set(hash, {
        ...printMessage(cell),
        in_msg_tx_hash: received === null ? null : base64Hash(received.hash),
        out_msg_tx_hash: sent === null ? null : base64Hash(sent.hash),
      });
    }
  const found = [...known]
    .filter(
      ([hash, message]) =>
        (hashes.length === 0 ||
          hashes.includes(hash) ||
          hashes.includes(hexOf(message["hash_norm"] as string | undefined))) &&
        (source === undefined || message["source"] === source.toUpperCase()) &&
        (destination === undefined || message["destination"] === destination.toUpperCase()) &&
        (direction !== "in" || message["in_msg_tx_hash"] !== null) &&
        (direction !== "out" || message["out_msg_tx_hash"] !== null),
    )
    .map(([, message]) => message);
  const messages = pageOf(query, isAscending(query) ? found.toReversed() : found);
  return {
    messages,
    address_book: addressBook(
      messages.flatMap((message) => [
        message["source"] as string | null,
        message["destination"] as string | null,
      ]),
    ),
    metadata: {},
  };
}

export function directionIn(query: Query): "in" | "out" | null {
  const direction = query.get("direction");
  if (direction === null || direction === "in" || direction === "out") return direction;
  throw wrongRequest("direction should be one of: in, out");
}

function printList(ledger: Ledger, query: Query, found: readonly Executed[]): object {
  const page = pageOf(query, sorted(query, found));
  return {
    transactions: page.map((executed) => printTransaction(ledger, executed)),
    address_book: addressBook(page.flatMap(addressesOf)),
  };
}

/** Every account that a transaction names. */
export function addressesOf({
  account,
  inMessage,
  outMessages,
}: Executed): readonly (string | null)[] {
  const messages = [...(inMessage === null ? [] : [inMessage]), ...outMessages].map(printMessage);
  return [
    account.toUpperCase(),
    ...messages.flatMap(({ destination, source }) => [
      source as string | null,
      destination as string | null,
    ]),
  ];
}

function hexOf(base64 = ""): string {
  return Buffer.from(base64, "base64").toString("hex");
}
