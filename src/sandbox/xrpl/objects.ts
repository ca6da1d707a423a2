import { sha512 } from "@noble/hashes/sha2.js";
import { accountIdOf } from "../../currencies/xrpl-address.ts";
import { present } from "../../platform/kernel/assert.ts";

/* Objects of the ledger in rippled's JSON, and their keys. Amounts of XRP are drops in decimal text. */

/** An amount of an issued currency. */
export type IssuedAmount = {
  readonly currency: string;
  readonly issuer: string;
  readonly value: string;
};

export type Amount = string | IssuedAmount;

/** The transaction that changed the object last. */
type Threaded = { readonly PreviousTxnID: string; readonly PreviousTxnLgrSeq: number };

export type AccountRoot = Threaded & {
  readonly LedgerEntryType: "AccountRoot";
  readonly Account: string;
  readonly Balance: string;
  readonly Flags: number;
  readonly OwnerCount: number;
  readonly Sequence: number;
  readonly Domain?: string;
  /** The pool whose account it is. */
  readonly AMMID?: string;
};

export type Check = Threaded & {
  readonly LedgerEntryType: "Check";
  readonly Account: string;
  readonly Destination: string;
  readonly DestinationTag?: number;
  readonly SendMax: string;
  readonly Sequence: number;
  readonly Flags: number;
};

/** XRP that was taken from its owner and goes to the destination when someone finishes it. */
export type Escrow = Threaded & {
  readonly LedgerEntryType: "Escrow";
  readonly Account: string;
  readonly Destination: string;
  readonly DestinationTag?: number;
  readonly Amount: string;
  /** In seconds since 2000. */
  readonly FinishAfter: number;
  readonly Flags: number;
};

/** Sells XRP for an issued currency. */
export type Offer = Threaded & {
  readonly LedgerEntryType: "Offer";
  readonly Account: string;
  readonly TakerGets: string;
  readonly TakerPays: IssuedAmount;
  readonly Sequence: number;
  readonly Flags: number;
};

/** A trust line. Its balance is positive if the lower account holds the currency. */
export type RippleState = Threaded & {
  readonly LedgerEntryType: "RippleState";
  readonly Balance: IssuedAmount;
  readonly LowLimit: IssuedAmount;
  readonly HighLimit: IssuedAmount;
  readonly Flags: number;
};

/** What an amount is of; XRP has no issuer. */
export type Asset = { readonly currency: string; readonly issuer?: string };

/** A pool of XRP and an issued currency, or of two of these (XLS-30); what it has is in its account. */
export type Amm = Threaded & {
  readonly LedgerEntryType: "AMM";
  readonly Account: string;
  readonly Asset: Asset;
  readonly Asset2: Asset;
  readonly LPTokenBalance: IssuedAmount;
  /** In units of a thousandth of a percent. */
  readonly TradingFee: number;
  readonly Flags: number;
};

/** XRP that was taken from its owner, who gives it to the destination step by step. */
export type PayChannel = Threaded & {
  readonly LedgerEntryType: "PayChannel";
  readonly Account: string;
  readonly Destination: string;
  readonly DestinationTag?: number;
  readonly Amount: string;
  /** What the destination already has of it. */
  readonly Balance: string;
  readonly PublicKey: string;
  readonly SettleDelay: number;
  readonly Flags: number;
};

export type LedgerObject = AccountRoot | Amm | Check | Escrow | Offer | PayChannel | RippleState;

/** Flags of an AccountRoot. */
export const accountFlags = {
  disableMaster: 0x00100000,
  requireDestTag: 0x00020000,
  requireAuth: 0x00040000,
  disallowXrp: 0x00080000,
  defaultRipple: 0x00800000,
  depositAuth: 0x01000000,
};

const spaces = {
  account: 0x61,
  amm: 0x41,
  channel: 0x78,
  check: 0x43,
  escrow: 0x75,
  offer: 0x6f,
  rippleState: 0x72,
};

export function accountKey(address: string): string {
  return keyOf(spaces.account, [idOf(address)]);
}

export function checkKey(account: string, sequence: number): string {
  return keyOf(spaces.check, [idOf(account), uint32(sequence)]);
}

export function escrowKey(account: string, sequence: number): string {
  return keyOf(spaces.escrow, [idOf(account), uint32(sequence)]);
}

export function offerKey(account: string, sequence: number): string {
  return keyOf(spaces.offer, [idOf(account), uint32(sequence)]);
}

export function channelKey(account: string, destination: string, sequence: number): string {
  return keyOf(spaces.channel, [idOf(account), idOf(destination), uint32(sequence)]);
}

/** Of the pool of two assets in the ledger's order. */
export function ammKey([first, second]: readonly [Asset, Asset]): string {
  return keyOf(spaces.amm, [...issueBytes(first), ...issueBytes(second)]);
}

/** XRP first, then by currency and issuer. */
export function orderedAssets(assets: readonly [Asset, Asset]): readonly [Asset, Asset] {
  const [one, other] = assets;
  const [left, right] = assets.map((asset) => Buffer.concat(issueBytes(asset).toReversed()));
  return Buffer.compare(present(left, "one"), present(right, "other")) < 0 ? assets : [other, one];
}

/** The code of a pool's shares, in hexadecimal. */
export function poolTokenCode([first, second]: readonly [Asset, Asset]): string {
  return `03${sha512Half(codeBytes(first), codeBytes(second)).slice(0, 38)}`;
}

export function rippleStateKey(low: string, high: string, currency: string): string {
  return keyOf(spaces.rippleState, [idOf(low), idOf(high), currencyBytes(currency)]);
}

/** Whether the first account's id is the lower one: it comes first in trust lines. */
export function isLower(first: string, second: string): boolean {
  return Buffer.compare(idOf(first), idOf(second)) < 0;
}

/** The first half of SHA-512 in upper-case hexadecimal. */
export function sha512Half(...parts: readonly Uint8Array[]): string {
  return Buffer.from(sha512(Buffer.concat(parts)).subarray(0, 32))
    .toString("hex")
    .toUpperCase();
}

function keyOf(space: number, parts: readonly Uint8Array[]): string {
  return sha512Half(Uint8Array.of(0, space), ...parts);
}

function idOf(address: string): Uint8Array {
  return present(accountIdOf(address), "an account's address");
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function issueBytes(asset: Asset): readonly [Uint8Array, Uint8Array] {
  const { issuer } = asset;
  return [issuer === undefined ? Buffer.alloc(20) : idOf(issuer), codeBytes(asset)];
}

/** XRP has zeros in place of its code. */
function codeBytes({ currency, issuer }: Asset): Buffer {
  return issuer === undefined ? Buffer.alloc(20) : currencyBytes(currency);
}

/** A code of three letters, or 20 bytes in hexadecimal. */
function currencyBytes(currency: string): Buffer {
  if (currency.length === 40) return Buffer.from(currency, "hex");
  const bytes = Buffer.alloc(20);
  bytes.write(currency, 12, "latin1");
  return bytes;
}
