import {
  Address,
  beginCell,
  type Cell,
  loadMessage,
  type Message,
  type ShardAccount,
  storeStateInit,
} from "@ton/core";
import type { BlockId, Executed } from "../chain.ts";

const noHash = Buffer.alloc(32).toString("base64");

export function base64Of(cell: Cell): string {
  return cell.toBoc().toString("base64");
}

export function base64Hash(hash: string): string {
  return Buffer.from(hash, "hex").toString("base64");
}

export function printBlockId({ fileHash, rootHash, seqno, shard, workchain }: BlockId): object {
  return {
    "@type": "ton.blockIdExt",
    workchain,
    shard: String(shard),
    seqno,
    root_hash: rootHash.toString("base64"),
    file_hash: fileHash.toString("base64"),
  };
}

function printTransactionId(lt: bigint, hash: string): object {
  return { "@type": "internal.transactionId", lt: String(lt), hash };
}

/** The newest transaction of an account. */
export function printLastTransaction(state: ShardAccount | null): object {
  if (state === null || state.lastTransactionLt === 0n) return printTransactionId(0n, noHash);
  const hash = state.lastTransactionHash.toString(16).padStart(64, "0");
  return printTransactionId(state.lastTransactionLt, base64Hash(hash));
}

/** The raw form as toncenter writes it, with digits in upper case. */
export function printRaw(account: string): string {
  return account.toUpperCase();
}

/** A transaction of `getTransactions`. Fees contain what its messages pay for their way. */
export function printTransaction(executed: Executed): object {
  return { "@type": "ext.transaction", ...printCommon(executed, "ext.message") };
}

/** A transaction of `getBlockTransactionsExt`. */
export function printTransactionExt(executed: Executed): object {
  return { "@type": "raw.transactionExt", ...printCommon(executed, "raw.message") };
}

type MessageType = "ext.message" | "raw.message";

function printCommon(executed: Executed, type: MessageType): object {
  const { account, cell, hash, inMessage, outMessages, transaction } = executed;
  const sent = outMessages.map((message) => loadMessage(message.beginParse()));
  const forwarded = sent.reduce(
    (sum, { info }) => sum + (info.type === "internal" ? info.forwardFee : 0n),
    0n,
  );
  const fee = transaction.totalFees.coins + forwarded;
  const storageFee = storageFeeOf(executed);
  return {
    address: { "@type": "accountAddress", account_address: friendlyOf(account) },
    account: printRaw(account),
    utime: transaction.now,
    data: base64Of(cell),
    transaction_id: printTransactionId(transaction.lt, base64Hash(hash)),
    fee: String(fee),
    storage_fee: String(storageFee),
    other_fee: String(fee - storageFee),
    ...(inMessage === null ? {} : { in_msg: printMessage(inMessage, type) }),
    out_msgs: outMessages.map((message) => printMessage(message, type)),
  };
}

function storageFeeOf({ transaction: { description } }: Executed): bigint {
  return "storagePhase" in description
    ? (description.storagePhase?.storageFeesCollected ?? 0n)
    : 0n;
}

function printMessage(cell: Cell, type: MessageType): object {
  const message = loadMessage(cell.beginParse());
  const { info } = message;
  const address = (one: Address | null | undefined): unknown => {
    const written = one?.toString() ?? "";
    return type === "ext.message"
      ? written
      : { "@type": "accountAddress", account_address: written };
  };
  const isInternal = info.type === "internal";
  const comment = commentOf(message.body);
  return {
    "@type": type,
    hash: cell.hash().toString("base64"),
    source: address(info.type === "external-in" ? null : info.src),
    destination: address(info.type === "external-out" ? null : info.dest),
    value: String(isInternal ? info.value.coins : 0n),
    extra_currencies: [],
    fwd_fee: String(isInternal ? info.forwardFee : 0n),
    ihr_fee: String(isInternal ? info.ihrFee : 0n),
    created_lt: String(info.type === "external-in" ? 0n : info.createdLt),
    body_hash: message.body.hash().toString("base64"),
    msg_data:
      comment === null
        ? { "@type": "msg.dataRaw", body: base64Of(message.body), init_state: initOf(message) }
        : { "@type": "msg.dataText", text: comment.toString("base64") },
    ...(type === "ext.message"
      ? { message: comment?.toString("utf8") ?? rawText(message.body) }
      : {}),
  };
}

function initOf({ init }: Message): string {
  return init == null ? "" : base64Of(beginCell().store(storeStateInit(init)).endCell());
}

/** The bytes of the body's first cell in base64, with the line break of the first implementation. */
function rawText(body: Cell): string {
  const bits = body.bits.length;
  const padded = beginCell()
    .storeBits(body.bits)
    .storeUint(0, (8 - (bits % 8)) % 8)
    .endCell();
  const bytes = padded.beginParse().loadBuffer(Math.ceil(bits / 8));
  return bytes.length === 0 ? "" : `${bytes.toString("base64")}\n`;
}

/** The bytes of a text comment (operation 0), over all its cells; null if the body is no comment. */
function commentOf(body: Cell): Buffer | null {
  let slice = body.beginParse();
  if (slice.remainingBits < 32 || slice.loadUint(32) !== 0) return null;
  const parts: Buffer[] = [];
  for (;;) {
    if (slice.remainingBits % 8 !== 0) return null;
    parts.push(slice.loadBuffer(slice.remainingBits / 8));
    if (slice.remainingRefs === 0) return Buffer.concat(parts);
    slice = slice.loadRef().beginParse();
  }
}

function friendlyOf(account: string): string {
  return Address.parseRaw(account).toString();
}
