import type { Amount, IssuedAmount, Offer } from "./objects.ts";
import type { Result } from "./results.ts";
import type { Settings } from "./settings.ts";
import type { Draft } from "./state.ts";
import type { TransactionJson } from "./transaction.ts";

/** A transaction whose fee is already paid, in the ledger that it changes. */
export type Execution = {
  readonly draft: Draft;
  readonly json: TransactionJson;
  /** Of the open ledger. */
  readonly ledgerIndex: number;
  /** When the ledger before was closed, in seconds since 2000. */
  readonly parentCloseTime: number;
  readonly settings: Settings;
  /** The sender's balance before the fee, in drops. */
  readonly priorBalance: bigint;
  /** The offers that sell XRP for that issued currency. */
  readonly offers: (currency: Pick<IssuedAmount, "currency" | "issuer">) => readonly Offer[];
};

/** `delivered` only where it may differ from the amount that the transaction states. */
export type Outcome = { readonly result: Result; readonly delivered?: Amount };

/** What one type of transaction does. */
export type Transactor = {
  /** What is wrong with it in every ledger (`tem`); null if nothing is. */
  readonly malformed: (json: TransactionJson) => Result | null;
  /** Without `tesSUCCESS`, what it wrote is discarded. */
  readonly execute: (execution: Execution) => Outcome;
};

/** Bits that every transaction may set: `tfFullyCanonicalSig`. */
const universalFlags = 0x80000000;

/** Whether the transaction sets a flag that its type does not have. */
export function hasUnknownFlags(json: TransactionJson, known: number): boolean {
  // The bits as unsigned numbers: JavaScript's operators are signed.
  return (flagsOf(json) & ~(known | universalFlags)) >>> 0 !== 0;
}

export function flagsOf(json: TransactionJson): number {
  return numberIn(json, "Flags") ?? 0;
}

/** A member that is a whole number of at most 32 bits; null if it is absent. */
export function numberIn(json: TransactionJson, name: string): number | null {
  const value = json[name];
  return typeof value === "number" ? value : null;
}

export function textIn(json: TransactionJson, name: string): string | null {
  const value = json[name];
  return typeof value === "string" ? value : null;
}

/** An amount of XRP in drops; null for an amount of an issued currency, and for none. */
export function dropsIn(json: TransactionJson, name: string): bigint | null {
  const value = json[name];
  return typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : null;
}
