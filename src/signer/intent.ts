import { type KeyObject, sign, verify } from "node:crypto";
import type { JsonObject } from "../platform/kernel/json.ts";

/*
 * What the signer is asked to make true. An intent names what may leave, to whom, and at most at what cost; the draft
 * that comes with it is only believed as far as the signer, reading it by itself, finds exactly this in it.
 */

/** How the signer tells what is paid: a chain's coin, or a token by its contract. */
export type IntendedAsset =
  | { readonly kind: "coin" }
  | { readonly kind: "erc20"; readonly contract: string };

/** One text per asset of a chain, however its contract is spelled: `coin`, `erc20:0xdac1...`. */
export function assetName(asset: IntendedAsset): string {
  return asset.kind === "coin" ? "coin" : `erc20:${asset.contract.toLowerCase()}`;
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
  /** What the receiver gets, smallest units, decimal text. */
  readonly units: string;
};

/** A payout together with the approval that the api (which holds the approval key) gave it: Ed25519, base64. */
export type ApprovedPayout = PayoutIntent & { readonly approval: string };

/** Where a sweep takes from: deposit address number `keyIndex`, and which assets. */
export type SweepSource = {
  readonly keyIndex: number;
  readonly address: string;
  readonly assets: readonly IntendedAsset[];
};

export type SpendIntent = {
  /** The spend's id: attempts of one spend replace each other. */
  readonly spendId: string;
  readonly chain: string;
  /** Most that may be burnt, smallest units of the chain's coin, decimal text. The signer's own limit applies beside it. */
  readonly feeCeiling: string;
} & (
  | { readonly kind: "payout"; readonly payouts: readonly ApprovedPayout[] }
  /** From deposit addresses to the hot account, which the signer derives by itself. */
  | { readonly kind: "sweep"; readonly sources: readonly SweepSource[] }
  /** Coin from the gas account to a deposit address of ours, to pay for its own sweep. */
  | { readonly kind: "top_up"; readonly keyIndex: number; readonly units: string }
  /** Coins of ours into one of ours. */
  | { readonly kind: "consolidation" }
  /** From the hot account (or coins) to the cold address of the signer's own configuration. */
  | { readonly kind: "cold"; readonly asset: IntendedAsset; readonly units: string }
  /** Nothing to oneself: uses up a nonce. */
  | { readonly kind: "gap" }
  /** Ends the delegation of a deposit address. */
  | { readonly kind: "undelegate"; readonly keyIndexes: readonly number[] }
);

export type SignRequest = {
  readonly intent: SpendIntent;
  /** The draft's `body` and `claims` as the adapter made them. */
  readonly body: JsonObject;
  readonly claims: readonly string[];
};

/** `raw` in hex. The same request gives the same answer, also after the answer was lost. */
export type SignOutcome =
  | { readonly kind: "signed"; readonly txid: string; readonly raw: string }
  /** Nothing was signed and nothing written down: `reason` for operators. */
  | { readonly kind: "refused"; readonly reason: string };

/** What the signer's journal knows of a signed spend; for reconciling a restored database. */
export type SignedSpend = {
  readonly spendId: string;
  readonly kind: SpendIntent["kind"];
  readonly chain: string;
  readonly payoutIds: readonly string[];
  readonly claims: readonly string[];
  readonly txid: string;
  readonly raw: string;
  readonly body: JsonObject;
  /** Smallest units of the chain's coin, decimal text. */
  readonly feeUnits: string;
  /** What the signer was asked to make true. */
  readonly intent: SpendIntent;
  /** Its place in the journal, from 1; later ones are greater. */
  readonly sequence: number;
  /** By the signer's clock, ISO 8601. */
  readonly signedAt: string;
};

/** What the signer's journal knows of a payout: every transaction that it ever signed for it, of which one can be mined. */
export type SignedPayout = {
  readonly payoutId: string;
  readonly txids: readonly string[];
  /** What it was asked to pay under that id, once for each transaction. */
  readonly intents: readonly PayoutIntent[];
};

/**
 * The bytes that an approval signs: unambiguous, since every part is JSON text in a fixed order.
 */
export function approvalMessage(intent: PayoutIntent): Uint8Array {
  const parts = [
    "sluice payout approval 1",
    intent.payoutId,
    intent.chain,
    intent.address,
    intent.tag,
    intent.currency,
    assetName(intent.asset),
    intent.units,
  ];
  return new TextEncoder().encode(JSON.stringify(parts));
}

/** Approves a payout: Ed25519 (RFC 8032) over `approvalMessage`, 64 bytes. */
export function signApproval(key: KeyObject, intent: PayoutIntent): Uint8Array {
  return new Uint8Array(sign(null, approvalMessage(intent), key));
}

/** Whether one of the keys (Ed25519, public) approved exactly this payout. */
export function verifyApproval(keys: readonly KeyObject[], payout: ApprovedPayout): boolean {
  const message = approvalMessage(payout);
  const signature = Buffer.from(payout.approval, "base64");
  return keys.some((key) => verify(null, message, key, signature));
}
