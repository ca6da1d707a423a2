import {
  Address,
  beginCell,
  type Cell,
  Dictionary,
  loadMessage,
  loadTransaction,
  type Message,
  type Transaction,
} from "@ton/core";
import { type TonNetworkKind, tonAddressText } from "../../currencies/ton-address.ts";
import { Malformed } from "../rpc/answer.ts";

/** A message between accounts. */
export type InternalMessage = {
  /** Identifies it in the transactions of its sender and of its receiver: 64 hexadecimal digits. */
  readonly hash: string;
  /** Accounts in their canonical spelling; raw outside the basic workchain. */
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  /** What its sender paid for its way. */
  readonly fees: bigint;
  /** Whether it comes back if its receiver fails. */
  readonly bounces: boolean;
  /** Whether it is one that came back. */
  readonly isBounced: boolean;
  readonly createdLt: bigint;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly body: Cell;
};

/** A transaction of an account, as its own bytes describe it. */
export type ExecutedTransaction = {
  /** 64 hexadecimal digits. */
  readonly hash: string;
  readonly account: string;
  readonly lt: bigint;
  /** Seconds since 1970. */
  readonly time: number;
  readonly previous: { readonly lt: bigint; readonly hash: string };
  /** What it burned, without what its messages paid for their way. */
  readonly fees: bigint;
  /** The contract failed, has no code, or could not pay for its work. */
  readonly isAborted: boolean;
  readonly input:
    | { readonly kind: "internal"; readonly message: InternalMessage }
    /** Signed by an owner: its normalized hash (TEP-467), and its body. */
    | { readonly kind: "external"; readonly id: string; readonly body: Cell }
    | null;
  readonly sent: readonly InternalMessage[];
};

/** Reads a transaction from its cell. Throws `Malformed` for anything else. */
export function readTransaction(cell: Cell, network: TonNetworkKind): ExecutedTransaction {
  try {
    return read(cell, network);
  } catch (error) {
    if (error instanceof Malformed) throw error;
    throw new Malformed("no transaction");
  }
}

function read(cell: Cell, network: TonNetworkKind): ExecutedTransaction {
  const transaction = loadTransaction(cell.beginParse());
  const { input, sent } = messageCells(cell);
  const id = Buffer.from(hexOf(transaction.address), "hex");
  return {
    hash: cell.hash().toString("hex"),
    account: tonAddressText(id, network),
    lt: transaction.lt,
    time: transaction.now,
    previous: { lt: transaction.prevTransactionLt, hash: hexOf(transaction.prevTransactionHash) },
    fees: transaction.totalFees.coins,
    isAborted: isAborted(transaction),
    input: input === null ? null : readInput(input, network),
    sent: sent.flatMap((message) => internalIn(message, network) ?? []),
  };
}

/** The cells of its messages. Reading and writing a message may put its body elsewhere, which changes its hash. */
function messageCells(cell: Cell): { readonly input: Cell | null; readonly sent: readonly Cell[] } {
  const messages = cell.beginParse().loadRef().beginParse();
  const input = messages.loadMaybeRef();
  const sent = messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  return {
    input,
    sent: sent
      .keys()
      .toSorted((a, b) => a - b)
      .flatMap((key) => sent.get(key) ?? []),
  };
}

function isAborted({ description }: Transaction): boolean {
  return "aborted" in description && description.aborted;
}

function readInput(cell: Cell, network: TonNetworkKind): ExecutedTransaction["input"] {
  const message = loadMessage(cell.beginParse());
  if (message.info.type === "external-in")
    return { kind: "external", id: normalizedHash(message), body: message.body };
  const internal = internalIn(cell, network);
  return internal === null ? null : { kind: "internal", message: internal };
}

function internalIn(cell: Cell, network: TonNetworkKind): InternalMessage | null {
  const { info, body } = loadMessage(cell.beginParse());
  if (info.type !== "internal") return null;
  return {
    hash: cell.hash().toString("hex"),
    from: textOfAddress(info.src, network),
    to: textOfAddress(info.dest, network),
    value: info.value.coins,
    // What the library calls the IHR fee has been flags since version 12 of the network, and no fee.
    fees: info.forwardFee,
    bounces: info.bounce,
    isBounced: info.bounced,
    createdLt: info.createdLt,
    createdAt: info.createdAt,
    body,
  };
}

/** The canonical spelling; raw outside the basic workchain. */
export function textOfAddress(address: Address, network: TonNetworkKind): string {
  return address.workChain === 0 ? tonAddressText(address.hash, network) : address.toRawString();
}

/**
 * The hash of an external message without what its carrier may write differently: code, fee, sender, and where the body lies (TEP-467). Throws
 * `Malformed` for other messages.
 */
export function normalizedHash({ info, body }: Message): string {
  if (info.type !== "external-in") throw new Malformed("no external message");
  return beginCell()
    .storeUint(0b1000, 4)
    .storeAddress(info.dest)
    .storeUint(0, 4)
    .storeUint(0b01, 2)
    .storeRef(body)
    .endCell()
    .hash()
    .toString("hex");
}

function hexOf(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}
