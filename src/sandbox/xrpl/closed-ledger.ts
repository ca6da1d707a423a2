import ledgerHashes from "ripple-binary-codec/dist/ledger-hashes.js";
import type { Metadata } from "./metadata.ts";
import { sha512Half } from "./objects.ts";
import type { Changes } from "./state.ts";
import type { Transaction } from "./transaction.ts";

/** A transaction in a ledger. */
export type Executed = { readonly transaction: Transaction; readonly metadata: Metadata };

/** A validated ledger. Times are in seconds since 2000-01-01T00:00:00Z. */
export type ClosedLedger = {
  readonly index: number;
  /** 64 hexadecimal digits in upper case, as all hashes. */
  readonly hash: string;
  readonly parentHash: string;
  readonly transactionHash: string;
  readonly accountHash: string;
  readonly closeTime: number;
  readonly parentCloseTime: number;
  /** All XRP that exists, in drops: fees are burned. */
  readonly totalCoins: bigint;
  readonly transactions: readonly Executed[];
};

/** Close times are rounded to so many seconds. */
export const closeTimeResolution = 10;

const noHash = "0".repeat(64);
const headerPrefix = Uint8Array.of(0x4c, 0x57, 0x52, 0);

/** The ledger after the parent (null: the first one). */
export function closeLedger(
  parent: ClosedLedger | null,
  content: {
    readonly closeTime: number;
    readonly transactions: readonly Executed[];
    readonly changes: Changes;
    readonly totalCoins: bigint;
  },
): ClosedLedger {
  const { closeTime, totalCoins, transactions } = content;
  const unhashed = {
    index: (parent?.index ?? 0) + 1,
    parentHash: parent?.hash ?? noHash,
    transactionHash: transactionHashOf(transactions),
    accountHash: accountHashOf(parent, content.changes),
    closeTime,
    parentCloseTime: parent?.closeTime ?? closeTime,
    totalCoins,
    transactions,
  };
  return { ...unhashed, hash: headerHash(unhashed) };
}

/** The root of the tree of transactions and their metadata, as the official SDK computes it. */
function transactionHashOf(transactions: readonly Executed[]): string {
  if (transactions.length === 0) return noHash;
  const items = transactions.map(({ transaction: { json, txid }, metadata }) => ({
    ...json,
    hash: txid,
    metaData: metadata,
  }));
  return ledgerHashes
    .transactionTreeHash(items as unknown as Parameters<typeof ledgerHashes.transactionTreeHash>[0])
    .toHex();
}

/** Depends on every change since the first ledger. Not the root of the tree of objects, which no client computes. */
function accountHashOf(parent: ClosedLedger | null, changes: Changes): string {
  if (changes.size === 0 && parent !== null) return parent.accountHash;
  const text = JSON.stringify([parent?.accountHash ?? noHash, [...changes]]);
  return sha512Half(Buffer.from(text));
}

function headerHash(ledger: Omit<ClosedLedger, "hash">): string {
  const header = Buffer.alloc(118);
  let at = header.writeUInt32BE(ledger.index, 0);
  at = header.writeBigUInt64BE(ledger.totalCoins, at);
  for (const hash of [ledger.parentHash, ledger.transactionHash, ledger.accountHash])
    at += header.write(hash, at, "hex");
  at = header.writeUInt32BE(ledger.parentCloseTime, at);
  at = header.writeUInt32BE(ledger.closeTime, at);
  at = header.writeUInt8(closeTimeResolution, at);
  header.writeUInt8(0, at);
  return sha512Half(headerPrefix, header);
}
