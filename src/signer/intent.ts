import { type KeyObject, sign, verify } from "node:crypto";
import type { JsonObject } from "../platform/kernel/json.ts";
import type { Validity } from "../platform/kernel/validity.ts";

/*
 * The signer's requests. An intent states what may be paid, to whom, and at what maximum cost. The signer decodes the
 * accompanying draft itself and accepts it only if it does exactly that.
 */

/** An asset as the signer names it: a chain's coin, or a token by its locator, in the spelling of `canonicalLocator`. */
export type IntendedAsset =
  | { readonly kind: "coin" }
  | { readonly kind: "token"; readonly locator: string };

/**
 * The one spelling of a locator: hexadecimal text that begins with `0x` in lower case, since its case carries only a checksum;
 * everything else as given, since base58 and issuer codes that differ in case are different.
 */
export function canonicalLocator(locator: string): string {
  return /^0x[0-9a-fA-F]+$/.test(locator) ? locator.toLowerCase() : locator;
}

/** The same text for each asset of a chain, however its locator is spelled: `coin`, `token:0xdac1...`. */
export function assetName(asset: IntendedAsset): string {
  return asset.kind === "coin" ? "coin" : `token:${canonicalLocator(asset.locator)}`;
}

/** What a payout's approval signature covers, each member as text; see `approvalMessage`. */
export type PayoutIntent = {
  readonly payoutId: string;
  readonly chain: string;
  /** Canonical spelling. */
  readonly address: string;
  readonly tag: string | null;
  /** The service's currency id, for limits. */
  readonly currency: string;
  readonly asset: IntendedAsset;
  /** What the receiver gets, in smallest units as decimal text. */
  readonly units: string;
};

/** A payout and its approval by the api, which holds the approval key: Ed25519, in base64. */
export type ApprovedPayout = PayoutIntent & { readonly approval: string };

/** The source of a sweep: deposit address `keyIndex` and its assets. */
export type SweepSource = {
  readonly keyIndex: number;
  readonly address: string;
  readonly assets: readonly IntendedAsset[];
};

export type SpendIntent = {
  /** The spend's id: attempts of one spend replace each other. */
  readonly spendId: string;
  readonly chain: string;
  /** The most that may be burnt, in smallest units of the chain's coin as decimal text. The signer's own limit applies as well. */
  readonly feeCeiling: string;
} & (
  | { readonly kind: "payout"; readonly payouts: readonly ApprovedPayout[] }
  /** From deposit addresses to the hot account, which the signer derives itself. */
  | { readonly kind: "sweep"; readonly sources: readonly SweepSource[] }
  /** Coin from the gas account to a deposit address of ours, for its own sweep. */
  | { readonly kind: "top_up"; readonly keyIndex: number; readonly units: string }
  /** Merges coins of ours into one. */
  | { readonly kind: "consolidation" }
  /** From the hot account (or coins) to the cold address of the signer's own configuration. */
  | { readonly kind: "cold"; readonly asset: IntendedAsset; readonly units: string }
  /** Sends nothing to itself, to use a sequence number. */
  | { readonly kind: "gap" }
  /** Lends a deposit address of ours the resources of that much coin, which the gas account has staked, for its own sweep. */
  | { readonly kind: "delegate"; readonly keyIndex: number; readonly units: string }
  /** Ends the delegation of a deposit address. */
  | { readonly kind: "undelegate"; readonly keyIndexes: readonly number[] }
  /** Lets a deposit address of ours, or the hot account (null), hold an asset. */
  | { readonly kind: "opt_in"; readonly keyIndex: number | null; readonly asset: IntendedAsset }
);

export type SignRequest = {
  readonly intent: SpendIntent;
  /** The draft's `body` and `claims` as the adapter made them. */
  readonly body: JsonObject;
  readonly claims: readonly string[];
};

/** `raw` is hexadecimal. The same request gets the same answer, even after the answer was lost. */
export type SignOutcome =
  | { readonly kind: "signed"; readonly txid: string; readonly raw: string }
  /** Nothing was signed or stored; `reason` is for operators. */
  | { readonly kind: "refused"; readonly reason: string };

/** A signed spend in the signer's journal, for reconciling a restored database. */
export type SignedSpend = {
  readonly spendId: string;
  readonly kind: SpendIntent["kind"];
  readonly chain: string;
  readonly payoutIds: readonly string[];
  readonly claims: readonly string[];
  /** As in `InspectedDraft`. */
  readonly decisive?: readonly string[];
  readonly txid: string;
  readonly raw: string;
  readonly body: JsonObject;
  /** In smallest units of the chain's coin as decimal text. */
  readonly feeUnits: string;
  /** As the signer read them in the draft (`InspectedDraft`). */
  readonly validity?: Validity;
  readonly sender?: string;
  /** The intent that was signed. */
  readonly intent: SpendIntent;
  /** Its sequence number in the journal, from 1. */
  readonly sequence: number;
  /** By the signer's clock, ISO 8601. */
  readonly signedAt: string;
};

/** Of which coins claims are wanted: those that are shown for the first time, all that were ever shown, or none, since they are only shown. */
export type ClaimedCoins = "new" | "all" | "none";

/**
 * What spending coins claims, where only the signer can compute it (key images): of the coins after the first `offset`, each with the proof
 * that the chain's wallets require. In hexadecimal.
 */
export type CoinClaims = {
  readonly offset: number;
  readonly claims: readonly { readonly claim: string; readonly proof: string }[];
};

/**
 * Null: the signer's program has lost coins that it was shown before, and needs all of them. `refused`: one of the coins is none that it can
 * spend, so it took none of them.
 */
export type ClaimAnswer = CoinClaims | "refused" | null;

/** The journal's record of a payout: every transaction ever signed for it, of which one can be mined. */
export type SignedPayout = {
  readonly payoutId: string;
  readonly txids: readonly string[];
  /** What was paid under that id, once per transaction. */
  readonly intents: readonly PayoutIntent[];
};

/** The bytes that an approval signs: unambiguous, since every part is JSON text in a fixed order. */
export function approvalMessage(intent: PayoutIntent): Uint8Array {
  return approvalBytes(intent, assetName(intent.asset));
}

/**
 * The bytes that approvals of token payouts signed while every token was an ERC-20; null for payouts that it could not name.
 * Stored approvals of that time stay valid.
 */
function formerApprovalMessage(intent: PayoutIntent): Uint8Array | null {
  if (intent.asset.kind === "coin") return null;
  const locator = canonicalLocator(intent.asset.locator);
  return /^0x[0-9a-f]{40}$/.test(locator) ? approvalBytes(intent, `erc20:${locator}`) : null;
}

function approvalBytes(intent: PayoutIntent, asset: string): Uint8Array {
  const parts = [
    "sluice payout approval 1",
    intent.payoutId,
    intent.chain,
    intent.address,
    intent.tag,
    intent.currency,
    asset,
    intent.units,
  ];
  return new TextEncoder().encode(JSON.stringify(parts));
}

/** Approves a payout: Ed25519 (RFC 8032) over `approvalMessage`, 64 bytes. */
export function signApproval(key: KeyObject, intent: PayoutIntent): Uint8Array {
  return new Uint8Array(sign(null, approvalMessage(intent), key));
}

/** Whether one of the Ed25519 public keys approved exactly this payout. */
export function verifyApproval(keys: readonly KeyObject[], payout: ApprovedPayout): boolean {
  const signature = Buffer.from(payout.approval, "base64");
  const former = formerApprovalMessage(payout);
  const messages = [approvalMessage(payout), ...(former === null ? [] : [former])];
  return keys.some((key) => messages.some((message) => verify(null, message, key, signature)));
}
