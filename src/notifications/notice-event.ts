/** An amount with all digits of its currency: `{ value: "0.040000000000000000", code: "ETH" }`. */
export type StatedAmount = { readonly value: string; readonly code: string };

/** A deposit by what people know it by: the merchant's order number, and the label that the dashboard shows. */
export type StatedDeposit = {
  readonly id: string;
  readonly order: string | null;
  readonly label: string | null;
};

/** Why a payment waits for a decision. */
export type HoldCause =
  | "overpaid"
  | "late"
  | "second_payment"
  | "partial"
  | "cancelled"
  | "screening";

/** Why a deployment's payouts are stopped. */
export type StopCause = "kill_switch" | "restore" | "reconciliation";

type Payment<Kind extends string> = {
  readonly kind: Kind;
  readonly deposit: StatedDeposit;
  readonly amount: StatedAmount;
  /** In the account's fiat currency, as of the payment; null where `amount` is in it, and without a price. */
  readonly worth: StatedAmount | null;
  /** Null: all payments of the deposit together. */
  readonly transferId: string | null;
};

type PayoutNews<Kind extends string> = {
  readonly kind: Kind;
  readonly id: string;
  readonly label: string | null;
  readonly trackingId: string | null;
  readonly amount: StatedAmount;
  /** As of a payment. */
  readonly worth: StatedAmount | null;
  /** Who gets it, by its name on the allowlist or the name of the account's own wallet; null: without a name. */
  readonly recipient: string | null;
  /** Null within the service. */
  readonly address: string | null;
  readonly tag: string | null;
  /** Name of the member who asks for its approval; absent where nobody decides, and in notices of the former version. */
  readonly by?: string | null;
};

/** A change of what protects payouts. Amounts without their code; null if none is in force. */
export type StatedChange = {
  readonly kind:
    | "limit"
    | "limit_removal"
    | "travel_rule_threshold"
    | "payee_addition"
    | "payee_removal"
    | "allowlist";
  readonly code: string | null;
  readonly span: "transaction" | "hour" | "day" | null;
  /** Null: all wallets of the account. */
  readonly walletId: string | null;
  readonly former: string | null;
  readonly amount: string | null;
  readonly chain: string | null;
  readonly address: string | null;
  readonly tag: string | null;
  readonly label: string | null;
  readonly isEnforced: boolean | null;
};

/** What happened, in a form from which each language makes its texts. Names are stored as they were given. */
/** What failed at a delivery that got no answer. Coarse on purpose: a callback's owner must not be able to map the service's network. */
export type DeliveryError =
  | "address_refused"
  | "name_not_resolved"
  | "connect_failed"
  | "tls_failed"
  | "connection_lost"
  | "malformed_answer"
  | "timed_out";

export type NoticeEvent =
  | Payment<"payment_received">
  | Payment<"payment_screened">
  | {
      readonly kind: "payment_held";
      readonly deposit: StatedDeposit;
      /** Received in all. */
      readonly amount: StatedAmount;
      readonly cause: HoldCause | null;
      /** How much was paid too much or too little; null where the cause is another one. */
      readonly difference: StatedAmount | null;
    }
  | PayoutNews<"payout_held">
  | PayoutNews<"payout_failed">
  | PayoutNews<"payout_approval">
  | {
      /** Payouts of one file wait, and are approved together. */
      readonly kind: "batch_approval";
      readonly id: string;
      /** The account's own name for the batch. */
      readonly reference: string;
      /** How many payouts it has. */
      readonly payouts: number;
      /** Their sum. */
      readonly amount: StatedAmount;
      /** As of a payment. */
      readonly worth: StatedAmount | null;
      /** Name of the member who created it. */
      readonly by: string;
    }
  | {
      readonly kind: "change_approval";
      readonly id: string;
      /** Name of the member who asks. */
      readonly by: string;
      readonly change: StatedChange;
    }
  | {
      readonly kind: "webhook_failing";
      readonly host: string;
      /** The last delivery's HTTP status, or what failed without one; absent in notices of the former version. */
      readonly answer?: {
        readonly statusCode: number | null;
        readonly error: DeliveryError | "aborted" | null;
      };
    }
  | {
      readonly kind: "payouts_stopped";
      /** Both null: all payouts. */
      readonly chain: string | null;
      readonly wallet: { readonly id: string; readonly label: string } | null;
      /** Null: a member stopped the wallet's payouts. */
      readonly cause: StopCause | null;
      readonly reason: string | null;
    }
  | {
      readonly kind: "payouts_resumed";
      /** Both null: all payouts. */
      readonly chain: string | null;
      readonly wallet: { readonly id: string; readonly label: string } | null;
      /** Why they were stopped; null: a member had stopped the wallet's payouts. */
      readonly cause: StopCause | null;
      /** Name of the member who resumed a wallet's payouts; null otherwise: only operators may know who stops and resumes every account's. */
      readonly by: string | null;
      /** ISO 8601, in UTC. */
      readonly at: string;
    }
  | { readonly kind: "node_down"; readonly chain: string }
  | {
      readonly kind: "node_answers";
      readonly chain: string;
      /** How long it did not answer, or not always. */
      readonly minutes: number;
    };

export type NoticeKind = NoticeEvent["kind"];
