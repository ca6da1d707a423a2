import type { Draft, Funds, Payment } from "../../chains/paying-port.ts";
import type { PaymentDelivery, PaymentOutcome, TokenDelivery } from "../../chains/port.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import type { SpendIntent } from "../../signer/intent.ts";

export type SpendKind = SpendIntent["kind"];

/**
 * `open`: no attempt is in a block. `included`: one is. `confirmed`: read again at the currency's confirmation count. `failed`:
 * as deep, but it was reverted or delivered no tokens. `dropped`: given up before anything was signed. `dead`: something else
 * used a claim, irreversibly, or every transaction has expired.
 */
export type SpendState = "open" | "included" | "confirmed" | "failed" | "dropped" | "dead";

/**
 * drafted -> signing -> signed -> broadcast -> mined | dead; drafted | signing -> refused. From `signing` on the signer may
 * have signed it, whether or not we have its bytes.
 */
export type AttemptState =
  | "drafted"
  | "signing"
  | "signed"
  | "broadcast"
  | "refused"
  | "mined"
  | "dead";

/** One of the transactions that can carry out a spend. */
export type Attempt = {
  /** From 1; a higher number pays more and replaces the lower ones. */
  readonly number: number;
  readonly state: AttemptState;
  readonly draft: Draft;
  readonly txid: string | null;
  /** Signed bytes. Empty for a foreign transaction that makes the same payments. */
  readonly raw: Uint8Array | null;
  readonly broadcasts: number;
  /** The latest reason of the node or the signer for refusing it. */
  readonly refusal: string | null;
  readonly firstBroadcastAt: Instant | null;
  readonly lastBroadcastAt: Instant | null;
  /** When a node was last asked about it. */
  readonly checkedAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** The request to the writer, to be repeated for a replacement. */
export type SpendRequest = { readonly payments: readonly Payment[]; readonly funds: Funds };

/** One decision to move money on a chain, and the transactions that can carry it out, of which the chain can take only one. */
export type Spend = {
  readonly id: string;
  readonly chain: string;
  readonly kind: SpendKind;
  readonly state: SpendState;
  /** The sending account, in canonical spelling; null on UTXO chains. */
  readonly sender: string | null;
  /** The intent's own members, without those of every intent; empty for payouts, which are read from their rows. */
  readonly purpose: JsonObject;
  readonly request: SpendRequest | null;
  readonly feeCurrency: CurrencyId;
  /** The depth at which it is final. */
  readonly confirmations: number;
  /** Money that leaves our addresses beside payments to others and the fee: to the cold address. */
  readonly leaves: Money | null;
  /** The block that contains it and its cost there, in units of the fee's currency. */
  readonly inclusion: Inclusion | null;
  /** The height at which it is final; null while it is in no block, and once it is final. */
  readonly dueHeight: number | null;
  /** A block by which all of its transactions had expired, which none of them reached; null unless it is dead for that reason. */
  readonly expiredBy: { readonly height: number; readonly hash: string } | null;
  readonly attempts: readonly Attempt[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export type Inclusion = {
  readonly attempt: number;
  readonly height: number;
  readonly hash: string;
  readonly burntUnits: bigint;
  /** False if it was reverted, or if the receiver got none of its tokens. */
  readonly hasSucceeded: boolean;
  /** The actual delivery of its tokens, if it differs from the request. */
  readonly delivery: TokenDelivery | null;
  /** What became of each payment of the request. Absent: all share the transaction's fate. */
  readonly payments?: readonly PaymentOutcome[];
  /** The deliveries of several payments' tokens that differ from the request. */
  readonly deliveries?: readonly PaymentDelivery[];
  /** Tokens that a sweep took from our addresses and did not deliver to another of ours. */
  readonly lost: readonly Money[];
};

/** The input of `createSpend`. */
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

/** Whether a block may contain the attempt: it is signed, and nothing has irreversibly contradicted it. */
export function isMinable(attempt: Attempt): boolean {
  return attempt.state === "signed" || attempt.state === "broadcast";
}

/** Whether the attempt holds its claims: it was neither refused nor superseded. */
export function holdsClaims(attempt: Attempt): boolean {
  return attempt.state !== "refused" && attempt.state !== "dead";
}

/** The id of the transaction that is in a block, otherwise of the newest broadcast one; null before. */
export function currentTxid(spend: Spend): string | null {
  const { inclusion, attempts } = spend;
  if (inclusion !== null) {
    return attempts.find(({ number }) => number === inclusion.attempt)?.txid ?? null;
  }
  return attempts.findLast(({ state }) => state === "broadcast")?.txid ?? null;
}

/** The claims that the spend holds; none once it is dropped or dead. */
export function liveClaims(spend: Spend): ReadonlySet<string> {
  if (spend.state === "dropped" || spend.state === "dead") return new Set();
  return new Set(spend.attempts.filter(holdsClaims).flatMap(({ draft }) => draft.claims));
}
