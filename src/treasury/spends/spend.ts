import type { Draft, Funds, Payment } from "../../chains/paying-port.ts";
import type { TokenDelivery } from "../../chains/port.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import type { SpendIntent } from "../../signer/intent.ts";

export type SpendKind = SpendIntent["kind"];

/**
 * `open`: no attempt is in a block. `included`: one is. `confirmed`: read again at the currency's own count. `failed`:
 * as deep, but the chain reverted it or its token brought nothing. `dropped`: given up before anything was signed. `dead`: something else used up a claim, for good.
 */
export type SpendState = "open" | "included" | "confirmed" | "failed" | "dropped" | "dead";

/**
 * drafted -> signing -> signed -> broadcast -> mined | dead; drafted | signing -> refused. From `signing` on the signer may
 * have signed it, whether or not we hold its bytes.
 */
export type AttemptState =
  | "drafted"
  | "signing"
  | "signed"
  | "broadcast"
  | "refused"
  | "mined"
  | "dead";

/** One transaction that would do what the spend is for. */
export type Attempt = {
  /** From 1; a greater one pays more and replaces the smaller. */
  readonly number: number;
  readonly state: AttemptState;
  readonly draft: Draft;
  readonly txid: string | null;
  /** Signed bytes. Empty for a transaction that is not ours and does the same. */
  readonly raw: Uint8Array | null;
  readonly broadcasts: number;
  /** What the node or the signer last said against it. */
  readonly refusal: string | null;
  readonly firstBroadcastAt: Instant | null;
  readonly lastBroadcastAt: Instant | null;
  /** When the node was last asked what became of it. */
  readonly checkedAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** What the writer was asked for, to be asked again for a replacement. */
export type SpendRequest = { readonly payments: readonly Payment[]; readonly funds: Funds };

/** One decision to move money on a chain, with the transactions that would do it: the chain can take only one of them. */
export type Spend = {
  readonly id: string;
  readonly chain: string;
  readonly kind: SpendKind;
  readonly state: SpendState;
  /** The account that sends, in canonical spelling; null on chains of coins. */
  readonly sender: string | null;
  /** The intent's own members, beside those of every intent; empty for payouts, which are read from their rows. */
  readonly purpose: JsonObject;
  readonly request: SpendRequest | null;
  readonly feeCurrency: CurrencyId;
  /** The count at which it is over. */
  readonly confirmations: number;
  /** What leaves our own addresses beside payments of others and the fee: to the cold address. */
  readonly leaves: Money | null;
  /** In which block it is, and what it cost there, units of the fee's currency. */
  readonly inclusion: Inclusion | null;
  /** Height at which it is over; null while in no block, and afterwards. */
  readonly dueHeight: number | null;
  readonly attempts: readonly Attempt[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type Inclusion = {
  readonly attempt: number;
  readonly height: number;
  readonly hash: string;
  readonly burntUnits: bigint;
  /** False: in the block, but reverted by the chain, or of its tokens nothing came to the receiver. */
  readonly hasSucceeded: boolean;
  /** What came of its tokens, where that is not just what was asked. */
  readonly delivery: TokenDelivery | null;
  /** Tokens that a sweep took from our addresses and did not bring to another of ours. */
  readonly lost: readonly Money[];
};

/** What `openSpend` is given. */
export type NewSpend = {
  readonly chain: string;
  readonly kind: SpendKind;
  readonly sender: string | null;
  readonly purpose: JsonObject;
  readonly request: SpendRequest | null;
  readonly feeCurrency: CurrencyId;
  readonly confirmations: number;
  readonly leaves: Money | null;
  readonly draft: Draft;
};

/** Whether the chain may take the attempt: it is signed, and nothing has contradicted it for good. */
export function isMinable(attempt: Attempt): boolean {
  return attempt.state === "signed" || attempt.state === "broadcast";
}

/** Whether its transaction holds the claims: all but those that were refused before anything was signed. */
export function holdsClaims(attempt: Attempt): boolean {
  return attempt.state !== "refused" && attempt.state !== "dead";
}

/** The id of the transaction that is in a block, or else of the newest that was handed to the network; null before. */
export function currentTxid(spend: Spend): string | null {
  const { inclusion, attempts } = spend;
  if (inclusion !== null) {
    return attempts.find(({ number }) => number === inclusion.attempt)?.txid ?? null;
  }
  return attempts.findLast(({ state }) => state === "broadcast")?.txid ?? null;
}

/** What the spend holds live in the database; nothing once it is given up. */
export function liveClaims(spend: Spend): ReadonlySet<string> {
  if (spend.state === "dropped" || spend.state === "dead") return new Set();
  return new Set(spend.attempts.filter(holdsClaims).flatMap(({ draft }) => draft.claims));
}
