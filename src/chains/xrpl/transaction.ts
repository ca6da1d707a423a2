import { type Fields, Malformed, readFields, readList, readText } from "../rpc/answer.ts";
import { dropsIn, readDrops, readHash, readUint32 } from "./answer.ts";

/** An XRP balance that a transaction changed. */
export type BalanceChange = {
  readonly account: string;
  /** Drops, without the transaction's own fee; negative if the account lost. Null if its balance is no amount of drops. */
  readonly change: bigint | null;
  /** The node's place in the metadata, which consensus fixes. */
  readonly index: number;
};

/** What an object of the ledger says about the payment that it held: a check, an escrow or a channel. */
export type HeldPayment = {
  readonly owner: string;
  readonly destination: string;
  readonly tag: string | null;
};

export type ExecutedTransaction = {
  readonly txid: string;
  readonly type: string;
  /** Whose sequence it uses. */
  readonly account: string;
  /** Null where a ticket or nothing (pseudo-transactions) takes its place. */
  readonly sequence: number | null;
  readonly destination: string | null;
  readonly destinationTag: string | null;
  /** The drops that it burned. */
  readonly feeUnits: bigint;
  /** False for `tec` results: it cost its fee and did nothing else. */
  readonly hasSucceeded: boolean;
  /** XRP delivered to the destination, in drops; null if the node does not say or something else was delivered. */
  readonly deliveredUnits: bigint | null;
  /** Empty for a failed transaction. */
  readonly changes: readonly BalanceChange[];
  readonly held: readonly HeldPayment[];
  /** Accounts whose offers it took: they trade, so their balances change besides what is delivered to them. */
  readonly traders: readonly string[];
};

/**
 * A transaction with its metadata, as `ledger` with `expand` or `tx` answer it: `tx_json` and `meta` (API version 2), or both in one
 * object with `metaData` (API version 1).
 */
export function readTransaction(value: unknown): ExecutedTransaction {
  const entry = readFields(value);
  const tx = readFields(entry["tx_json"] ?? entry);
  const meta = readFields(entry["meta"] ?? entry["metaData"]);
  const txid = readHash(entry["hash"] ?? tx["hash"]);
  const account = readText(tx["Account"]);
  const feeUnits = readDrops(tx["Fee"]);
  const hasSucceeded = readResult(meta["TransactionResult"]);
  // With a delegated permission, the delegate pays the fee.
  const feePayer = tx["Delegate"] === undefined ? account : readText(tx["Delegate"]);
  const nodes = readList(meta["AffectedNodes"]).map(readNode);
  return {
    txid,
    type: readText(tx["TransactionType"]),
    account,
    sequence: sequenceOf(tx),
    destination: tx["Destination"] === undefined ? null : readText(tx["Destination"]),
    destinationTag: readTagIn(tx),
    feeUnits,
    hasSucceeded,
    deliveredUnits: dropsIn(meta["delivered_amount"] ?? meta["DeliveredAmount"]),
    changes: hasSucceeded
      ? nodes.flatMap((node, index) => changeIn(node, index, feePayer, feeUnits))
      : [],
    held: nodes.flatMap(heldIn),
    traders: nodes.flatMap(({ type, fields }) =>
      type === "Offer" && fields["Account"] !== undefined ? [readText(fields["Account"])] : [],
    ),
  };
}

/** Only `tesSUCCESS` and `tec` results are in ledgers. */
function readResult(value: unknown): boolean {
  const result = readText(value);
  if (result !== "tesSUCCESS" && !result.startsWith("tec"))
    throw new Malformed(`${result} in a ledger`);
  return result === "tesSUCCESS";
}

/** Tickets and pseudo-transactions have the sequence 0. */
function sequenceOf(tx: Fields): number | null {
  const sequence = readUint32(tx["Sequence"]);
  return sequence === 0 ? null : sequence;
}

function readTagIn(fields: Fields): string | null {
  const tag = fields["DestinationTag"];
  return tag === undefined ? null : String(readUint32(tag));
}

/** A changed object: `fields` are its new or last ones, `previous` those that the transaction changed. */
type Node = {
  readonly kind: "CreatedNode" | "ModifiedNode" | "DeletedNode";
  readonly type: string;
  readonly fields: Fields;
  readonly previous: Fields;
};

const kinds = ["CreatedNode", "ModifiedNode", "DeletedNode"] as const;

function readNode(value: unknown): Node {
  const wrapped = readFields(value);
  const kind = kinds.find((name) => wrapped[name] !== undefined);
  if (kind === undefined) throw new Malformed("a node of an unknown kind");
  const node = readFields(wrapped[kind]);
  return {
    kind,
    type: readText(node["LedgerEntryType"]),
    fields: readFields(node["NewFields"] ?? node["FinalFields"] ?? {}),
    previous: readFields(node["PreviousFields"] ?? {}),
  };
}

function changeIn(
  { kind, type, fields, previous }: Node,
  index: number,
  feePayer: string,
  feeUnits: bigint,
): readonly BalanceChange[] {
  if (type !== "AccountRoot") return [];
  const isNew = kind === "CreatedNode";
  // Nodes list an account without its fields if only the thread of its transactions continued.
  if (!isNew && fields["Account"] === undefined && previous["Balance"] === undefined) return [];
  const account = readText(fields["Account"]);
  // New objects have no members with a default value, as 0 XRP: the account of a pool of two tokens has no balance.
  const after = isNew && fields["Balance"] === undefined ? 0n : dropsIn(fields["Balance"]);
  // A balance that is not among the previous fields has not changed.
  const unchanged = isNew ? 0n : after;
  const before = previous["Balance"] === undefined ? unchanged : dropsIn(previous["Balance"]);
  if (after === null || before === null) return [{ account, change: null, index }];
  const change = after - before + (account === feePayer ? feeUnits : 0n);
  return change === 0n ? [] : [{ account, change, index }];
}

const holders = new Set(["Check", "Escrow", "PayChannel"]);

function heldIn({ kind, type, fields }: Node): readonly HeldPayment[] {
  if (!holders.has(type) || kind === "CreatedNode" || fields["Destination"] === undefined)
    return [];
  return [
    {
      owner: readText(fields["Account"]),
      destination: readText(fields["Destination"]),
      tag: readTagIn(fields),
    },
  ];
}
