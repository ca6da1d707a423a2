/*
 * The public state of a deposit: the response of `/pay/{uuid}/state/`, the data of each event, and the input of the payment page.
 * It contains no account, no wallet, no label and no id except the page's own and the store's order reference. Amounts are decimal texts, instants ISO 8601 in UTC.
 */

/** The payer's view of the payment's status. */
export type CheckoutStage =
  /** The payer has not chosen a currency yet. */
  | "choose"
  | "waiting"
  /** The full amount was detected and is not confirmed yet. */
  | "seen"
  /** Less than the requested amount was received. */
  | "partial"
  | "paid"
  /** A payment is on hold until the merchant resolves it; `reason` says why. */
  | "unresolved"
  | "expired"
  | "cancelled";

/** Why a payment is on hold. */
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
  /** Changes whenever anything on the page changes. Also the id of the server-sent event. */
  readonly version: string;
  readonly stage: CheckoutStage;
  readonly reason: UnresolvedReason | null;
  readonly isSandbox: boolean;
  /** The store's name on its payment pages; null shows none. */
  readonly shop: string | null;
  readonly brand: CheckoutBrand;
  /** The store's order number, where it wants payers to see it. */
  readonly order: string | null;
  /** What the payment is for. */
  readonly description: string | null;
  readonly helpEmail: string | null;
  /** Origins that may embed the page, and learn its stage then. */
  readonly embedders: readonly string[];
  readonly redirect: { readonly url: string; readonly text: string | null } | null;
  /** The requested amount in the store's currency; null if the payer decides the amount. */
  readonly price: {
    readonly amount: string;
    readonly code: string;
    readonly precision: number;
  } | null;
  /** The currencies to choose from, in display order; null after the choice. */
  readonly choices: readonly CheckoutChoice[] | null;
  /** Null until a currency is chosen. */
  readonly payment: CheckoutPayment | null;
  /** Newest first. */
  readonly arrivals: readonly CheckoutArrival[];
  /** When the payment expires; null if never. */
  readonly expiresAt: string | null;
  /** The server's current time, the basis of the page's countdown. */
  readonly now: string;
  /** Whether the page shows a receipt once it is paid, the store's text below it, and whether it can be sent by email. */
  readonly receipt: {
    readonly isShown: boolean;
    readonly note: string | null;
    readonly isMailed: boolean;
  };
  /** Whether the payer is asked for a refund address, the kind of tag that such an address may need, and what was saved. */
  readonly refund: {
    readonly isAsked: boolean;
    readonly tagType: CheckoutTagType | null;
    readonly address: string | null;
    readonly tag: string | null;
  };
};

/** What selects a receiver of a shared account, by the name that the chain's wallets use. */
export type CheckoutTagType = "destination_tag" | "memo" | "comment";

/** What the store's pages look like. */
export type CheckoutBrand = {
  /** Address of the logo, below the page's own origin. */
  readonly logo: string | null;
  /** Null: the page's own colors. */
  readonly accents: { readonly light: CheckoutAccent; readonly dark: CheckoutAccent } | null;
};

/** `#rrggbb` of text and buttons, and of text on them. */
export type CheckoutAccent = { readonly color: string; readonly ink: string };

export type CheckoutCurrency = {
  /** Currency id, as sent to choose it. */
  readonly currency: string;
  /** `USDT-ETH`: the part before the dash is the symbol. */
  readonly code: string;
  readonly name: string;
  readonly chain: string;
  readonly chainName: string;
  readonly isSimulated: boolean;
};

export type CheckoutChoice = CheckoutCurrency & {
  /** The amount to pay at the current rate; null if the payer decides the amount or there is no rate. */
  readonly amount: string | null;
  /** Smallest amount that is credited. */
  readonly minimum: string;
  /** Why it cannot be chosen; null if it can. */
  readonly unavailable: "below_minimum" | "no_rate" | "paused" | null;
};

export type CheckoutPayment = CheckoutCurrency & {
  readonly precision: number;
  readonly address: string;
  readonly addressType: string;
  readonly tag: { readonly type: CheckoutTagType; readonly value: string } | null;
  /** The account without the tag, where the address contains the tag; else null. */
  readonly account: string | null;
  /** One address that contains the tag, where the address itself does not and the chain has such addresses; else null. */
  readonly combined: string | null;
  /** Total requested amount; null if the payer decides the amount. */
  readonly requested: string | null;
  /** Confirmed (`received`) and unconfirmed (`pending`) payments. */
  readonly received: string;
  readonly pending: string;
  /** What the store refunded of `received` when it kept the rest; null if nothing. */
  readonly refunded: string | null;
  /** Amount remaining at the locked rate; null if the payer decides the amount. */
  readonly missing: string | null;
  /**
   * Price of one unit in the store's currency, and when it expires; `expiresAt` is null if it does not (equal currencies, or a
   * rate that is not locked). The whole rate is null if the payer decides the amount: each payment is then valued when detected.
   */
  readonly rate: {
    readonly value: string;
    readonly expiresAt: string | null;
    /** Whether the rate is locked. False: payments are converted at the market rate when detected. */
    readonly isHeld: boolean;
    readonly isExpired: boolean;
  } | null;
  /**
   * Payment URI for the amount remaining, and its QR code as rows of `0` and `1` without the quiet zone. Both are empty when
   * nothing remains to be paid.
   */
  readonly uri: string;
  readonly qr: readonly string[];
  /** Transfer for a browser wallet (EIP-1193); null on other chains. `units` is null if the payer decides the amount. */
  readonly evm: {
    readonly chainId: number;
    readonly token: string | null;
    readonly units: string | null;
  } | null;
};

export type CheckoutArrival = {
  /** Null for an internal payment that is not on the chain. */
  readonly txid: string | null;
  /** The transaction in a public explorer; null on private and test networks. */
  readonly link: string | null;
  /** Currency code; for an unknown token its contract, with an empty `amount`. */
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
  /** At most `needed`. */
  readonly confirmations: number;
  /** Required confirmations; 0 credits the payment when it is detected. */
  readonly needed: number;
  readonly seenAt: string;
};
