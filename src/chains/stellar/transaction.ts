import { createHash } from "node:crypto";
import type {
  Memo,
  MuxedAccount,
  Operation,
  Transaction,
  TransactionEnvelope,
  TransactionV0,
} from "@stellar/stellar-sdk/xdr";
import { hexOf } from "./answer.ts";
import { addressOfKey } from "./payee-addressing.ts";

/** An account as operations name it: its G-address, and the id of an M-address. */
export type NamedAccount = { readonly address: string; readonly id: string | null };

export type NamedOperation = {
  readonly type: string;
  /** Null: the transaction's own source. */
  readonly source: string | null;
  /** Whom it names as receiver. */
  readonly destination: NamedAccount | null;
};

/** What a transaction says; a fee-bump transaction says what the one inside it does. */
export type StatedTransaction = {
  /** Its own hash, by which explorers find it. */
  readonly txid: string;
  /** The hash of the transaction inside a fee-bump transaction. */
  readonly innerTxid: string | null;
  readonly source: string;
  readonly sequence: bigint;
  /** Who pays the fee. */
  readonly feeSource: string;
  /** The memo as a tag: an id in decimal, a text, or a hash in hexadecimal. */
  readonly memo: string | null;
  readonly operations: readonly NamedOperation[];
};

/** The network's id, which every signature covers: the SHA-256 of its passphrase. */
export function networkIdOf(passphrase: string): Uint8Array {
  return createHash("sha256").update(passphrase).digest();
}

/** Reads an envelope and computes its hash on that network. */
export function readEnvelope(
  envelope: TransactionEnvelope,
  networkId: Uint8Array,
): StatedTransaction {
  switch (envelope.type) {
    case "envelopeTypeTxV0":
      return readBody(envelope.v0.tx, hashOfV0(envelope.v0.tx, networkId));
    case "envelopeTypeTx":
      return readBody(envelope.v1.tx, hashOf(envelopeTypes.tx, envelope.v1.tx.toXdr(), networkId));
    case "envelopeTypeTxFeeBump": {
      const { tx } = envelope.feeBump;
      const inner = tx.innerTx.v1.tx;
      const innerTxid = hashOf(envelopeTypes.tx, inner.toXdr(), networkId);
      return {
        ...readBody(inner, innerTxid),
        txid: hashOf(envelopeTypes.feeBump, tx.toXdr(), networkId),
        innerTxid,
        feeSource: accountOf(tx.feeSource).address,
      };
    }
  }
}

const envelopeTypes = { tx: 2, feeBump: 5 };

function hashOf(type: number, body: Uint8Array, networkId: Uint8Array): string {
  const tag = Buffer.alloc(4);
  tag.writeUInt32BE(type);
  return createHash("sha256").update(networkId).update(tag).update(body).digest("hex");
}

/** A transaction of the first form is signed as one of the second, whose source begins with the type of its key. */
function hashOfV0(tx: TransactionV0, networkId: Uint8Array): string {
  return hashOf(envelopeTypes.tx, Buffer.concat([Buffer.alloc(4), tx.toXdr()]), networkId);
}

function readBody(tx: Transaction | TransactionV0, txid: string): StatedTransaction {
  const source =
    "sourceAccountEd25519" in tx
      ? addressOfKey(tx.sourceAccountEd25519.value)
      : accountOf(tx.sourceAccount).address;
  return {
    txid,
    innerTxid: null,
    source,
    sequence: tx.seqNum,
    feeSource: source,
    memo: memoOf(tx.memo),
    operations: tx.operations.map(readOperation),
  };
}

function readOperation({ sourceAccount, body }: Operation): NamedOperation {
  const source = sourceAccount === null ? null : accountOf(sourceAccount).address;
  return { type: body.type, source, destination: destinationOf(body) };
}

function destinationOf(body: Operation["body"]): NamedAccount | null {
  if (body.type === "createAccount")
    return { address: addressOfKey(body.createAccountOp.destination.ed25519.value), id: null };
  if (body.type === "payment") return accountOf(body.paymentOp.destination);
  if (body.type === "pathPaymentStrictReceive")
    return accountOf(body.pathPaymentStrictReceiveOp.destination);
  if (body.type === "pathPaymentStrictSend")
    return accountOf(body.pathPaymentStrictSendOp.destination);
  return body.type === "accountMerge" ? accountOf(body.destination) : null;
}

function accountOf(account: MuxedAccount): NamedAccount {
  if (account.type === "keyTypeEd25519")
    return { address: addressOfKey(account.ed25519.value), id: null };
  const { ed25519, id } = account.med25519;
  return { address: addressOfKey(ed25519.value), id: id.toString() };
}

/**
 * The memo as a tag. Wallets that offer only text send a number as text: it is the tag of that number. Hashes, and text that cannot be
 * shown, are hexadecimal digits.
 */
function memoOf(memo: Memo): string | null {
  switch (memo.type) {
    case "memoNone":
      return null;
    case "memoText":
      return memo.text.length === 0 ? null : textOf(memo.text.bytes);
    case "memoId":
      return memo.id.toString();
    case "memoHash":
      return hexOf(memo.hash.value);
    case "memoReturn":
      return hexOf(memo.retHash.value);
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return /\p{C}/u.test(text) ? hexOf(bytes) : text;
  } catch {
    return hexOf(bytes);
  }
}
