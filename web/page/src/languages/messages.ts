import type {
  CheckoutArrival,
  CheckoutChoice,
  CheckoutStage,
  CheckoutTagType,
  UnresolvedReason,
} from "../../../../src/deposits/checkout/checkout-state.ts";

/** Every text of the page. A language with a missing text does not compile. */
export type Messages = {
  /** BCP 47 tag for formatting numbers. */
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
  readonly language: string;
  readonly payment: string;
  readonly paymentTo: (store: string) => string;
  readonly sandbox: string;
  /** Precedes the store's order number. */
  readonly orderNumber: string;
  readonly explorer: string;
  readonly help: (email: string) => string;
  readonly backToStore: (store: string | null) => string;
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly titles: Readonly<Record<CheckoutStage, string>>;
  readonly choose: {
    readonly lead: string;
    readonly leadOpen: string;
    readonly search: string;
    readonly currencies: string;
    readonly nothingFound: string;
    readonly nothingOffered: string;
    readonly found: (count: number) => string;
    readonly onNetwork: (network: string) => string;
    readonly anyAmount: string;
    readonly minimum: (amount: string) => string;
    readonly unavailable: Readonly<
      Record<NonNullable<CheckoutChoice["unavailable"]>, (minimum: string) => string>
    >;
    readonly irrevocable: string;
    readonly submit: (name: string) => string;
    readonly submitNone: string;
    readonly working: string;
  };
  readonly pay: {
    readonly amount: string;
    readonly amountRemaining: string;
    readonly amountOpen: string;
    readonly address: string;
    readonly tag: Readonly<Record<CheckoutTagType, string>>;
    readonly tagWarning: (label: string) => string;
    readonly account: string;
    readonly accountHint: (label: string) => string;
    readonly combined: (label: string) => string;
    readonly network: (name: string, network: string) => string;
    readonly networkWarning: (code: string, network: string) => string;
    readonly simulated: string;
    readonly qr: (code: string) => string;
    readonly openWallet: string;
    readonly expiresIn: string;
    readonly timeAnnounced: (minutes: number) => string;
    readonly exactly: string;
    readonly feeHint: string;
    /** Until the address can be paid. */
    readonly preparing: string;
    readonly receivedOpen: (amount: string) => string;
    readonly alreadyPaid: string;
  };
  readonly rate: {
    readonly line: (code: string, price: string, isExact: boolean) => string;
    readonly lockedUntil: (time: string) => string;
    readonly notLocked: string;
    readonly expired: string;
    readonly updating: string;
    readonly update: string;
    readonly updateFailed: string;
  };
  readonly wallet: {
    readonly pay: (wallet: string | null) => string;
    readonly pending: string;
    readonly sent: string;
    readonly hint: string;
    readonly changed: string;
    readonly errors: Readonly<
      Record<
        | "rejected"
        | "busy"
        | "wrong_network"
        | "unknown_network"
        | "no_account"
        | "funds"
        | "failed",
        (network: string) => string
      >
    >;
  };
  readonly seen: {
    /** Title and lead once every confirmation is there. */
    readonly confirmedTitle: string;
    readonly confirmedLead: string;
    readonly lead: string;
    readonly confirmations: (done: number, needed: number) => string;
    readonly waitsForBlock: string;
    readonly mayClose: string;
  };
  readonly partial: { readonly lead: (received: string, missing: string) => string };
  readonly paid: {
    readonly lead: (store: string | null) => string;
    readonly receipt: string;
    readonly price: string;
    readonly requested: string;
    readonly received: string;
    readonly refunded: string;
    readonly time: string;
    readonly network: string;
    readonly transaction: (count: number) => string;
    readonly store: string;
    readonly description: string;
    readonly reference: string;
    readonly print: string;
  };
  readonly expired: { readonly lead: string; readonly doNotPay: string };
  readonly cancelled: { readonly lead: string; readonly doNotPay: string };
  readonly unresolved: {
    /** `excess` is the amount received beyond the amount requested; null if there is none. */
    readonly lead: Readonly<Record<UnresolvedReason, (excess: string | null) => string>>;
    readonly next: string;
    readonly steps: readonly [string, string, string];
  };
  readonly refund: {
    readonly title: string;
    readonly lead: (code: string, network: string) => string;
    readonly label: (code: string) => string;
    readonly submit: string;
    /** Before it is saved. */
    readonly final: string;
    readonly saved: string;
    /** Below the saved address. */
    readonly fixed: string;
    readonly empty: string;
    readonly invalid: (network: string) => string;
    readonly tagHint: (label: string) => string;
    readonly invalidTag: (label: string) => string;
  };
  readonly arrivals: {
    readonly title: string;
    readonly states: Readonly<Record<CheckoutArrival["state"], string>>;
    readonly explained: Readonly<
      Record<
        "wrong_asset" | "too_small" | "held" | "reverted" | "returned",
        (code: string) => string
      >
    >;
  };
  readonly connection: Readonly<Record<"reconnecting" | "offline", string>>;
  readonly failures: Readonly<Record<"not_found" | "throttled" | "unavailable", string>>;
  readonly failureTitles: Readonly<Record<"not_found" | "throttled" | "unavailable", string>>;
  readonly tryAgain: string;
  readonly refused: Readonly<
    Record<
      "throttled" | "unavailable" | "offline" | "choice" | "address" | "gone" | "no_rate",
      string
    >
  >;
  readonly selfUpdating: string;
};

/** Picks the text for a count by the language's plural rules; `other` stands in for forms that are not given. */
export function plural(
  locale: string,
  count: number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string },
): string {
  return forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
}
