/*
 * What a payer may know of a deposit: the answer of `/pay/{uuid}/state/`, of each of its events, and what the page is drawn
 * from. It names no account, no wallet and no id but the page's own. Amounts are decimal texts, instants ISO 8601 in UTC.
 */

/** Where the payment stands, as the page tells it. */
export type CheckoutStage =
  /** The payer has to choose a coin first. */
  | "choose"
  | "waiting"
  /** Enough was seen on the chain, and is not confirmed yet. */
  | "seen"
  /** Something arrived, and some is missing still. */
  | "partial"
  | "paid"
  /** Money waits for the merchant's decision; `reason` says why. */
  | "unresolved"
  | "expired"
  | "cancelled";

/** Why an unresolved payment waits. */
export type UnresolvedReason =
  | "overpaid"
  | "late"
  | "second_payment"
  | "partial"
  | "cancelled"
  | "other";

export type CheckoutState = {
  /** The page's UUID. */
  readonly id: string;
  /** Differs whenever anything that the page shows differs; also the id of the server-sent event. */
  readonly version: string;
  readonly stage: CheckoutStage;
  readonly reason: UnresolvedReason | null;
  readonly isSandbox: boolean;
  /** The name that the shop gave its payment pages; null shows none. */
  readonly shop: string | null;
  readonly helpEmail: string | null;
  readonly redirect: { readonly url: string; readonly text: string | null } | null;
  /** What is asked for, in the shop's currency; null where the payer says how much. */
  readonly price: {
    readonly amount: string;
    readonly code: string;
    readonly precision: number;
  } | null;
  /** What may be chosen, in the order to show; null once it is chosen. */
  readonly choices: readonly CheckoutChoice[] | null;
  /** Null until a coin is chosen. */
  readonly payment: CheckoutPayment | null;
  /** Newest first. */
  readonly arrivals: readonly CheckoutArrival[];
  /** When the time limit runs out; null has none. */
  readonly expiresAt: string | null;
  /** The server's clock, by which the page counts down. */
  readonly now: string;
  /** Whether a refund address may be left, and the one that was. */
  readonly refund: { readonly isAsked: boolean; readonly address: string | null };
};

export type CheckoutCurrency = {
  /** Currency id, which is what is sent to choose it. */
  readonly currency: string;
  /** `USDT-ETH`: the part before the dash is the symbol. */
  readonly code: string;
  readonly name: string;
  readonly chain: string;
  readonly chainName: string;
  readonly isSimulated: boolean;
};

export type CheckoutChoice = CheckoutCurrency & {
  /** What would have to be paid now; null where the payer says how much, or there is no rate. */
  readonly amount: string | null;
  /** Least amount that is credited. */
  readonly minimum: string;
  /** Why it cannot be chosen now. */
  readonly unavailable: "below_minimum" | "no_rate" | "paused" | null;
};

export type CheckoutPayment = CheckoutCurrency & {
  readonly precision: number;
  readonly address: string;
  readonly addressType: string;
  readonly tag: { readonly type: string; readonly value: string } | null;
  /** Asked for in all; null where the payer says how much. */
  readonly requested: string | null;
  /** Confirmed, and seen without being confirmed. */
  readonly received: string;
  readonly pending: string;
  /** Still to be paid, at the rate that is locked; null where the payer says how much. */
  readonly missing: string | null;
  /**
   * One coin in the shop's currency, and until when; `expiresAt` null does not end (equal currencies, or a rate that is not held). Null where the payer says
   * how much: each payment is then valued when it is seen.
   */
  readonly rate: {
    readonly value: string;
    readonly expiresAt: string | null;
    /** Whether a payment counts at this rate. False: the rate follows the market, and a payment counts at that of its moment. */
    readonly isHeld: boolean;
    readonly isExpired: boolean;
  } | null;
  /**
   * Payment URI for the rest that is missing, and its QR code as rows of `0` and `1` without the quiet zone. Both are empty
   * while nothing (more) is to be paid; an amount that the payer decides leaves them there.
   */
  readonly uri: string;
  readonly qr: readonly string[];
  /** What a browser wallet (EIP-1193) is asked to send; null on other chains. `units` null leaves the amount to the payer. */
  readonly evm: {
    readonly chainId: number;
    readonly token: string | null;
    readonly units: string | null;
  } | null;
};

export type CheckoutArrival = {
  /** Null: paid inside the service, without the chain. */
  readonly txid: string | null;
  /** Of a token that is not known here its contract; `amount` is empty then. */
  readonly code: string;
  readonly amount: string;
  readonly state:
    | "pending"
    | "confirmed"
    | "waiting"
    | "wrong_asset"
    | "too_small"
    | "held"
    | "reverted"
    | "returned";
  /** Counted up to `needed`. */
  readonly confirmations: number;
  /** Confirmations after which it counts; 0 counts when seen. */
  readonly needed: number;
  readonly seenAt: string;
};
