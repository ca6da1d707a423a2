import type { DeliveryError, HoldCause, NoticeKind, StopCause } from "./notice-event.ts";
import type { Topic } from "./topic.ts";

/** What notifications are made from in one language, with the words that the dashboard uses. */
export type NoticeWords = {
  /** The kind of each event, before what happened. */
  readonly titles: Readonly<Record<NoticeKind, string>>;
  /** The title of a message about several. */
  readonly many: Readonly<Record<Topic, (count: number) => string>>;
  /** What the reader should know or do; null where the line says it all. `{minutes}` is replaced. */
  readonly notes: Readonly<Record<NoticeKind, string | null>>;
  readonly order: (number: string) => string;
  readonly deposit: (name: string) => string;
  readonly payout: (name: string) => string;
  readonly paidFor: (amount: string, subject: string) => string;
  readonly paidTo: (amount: string, recipient: string) => string;
  readonly worth: (amount: string, fiat: string) => string;
  readonly remark: (text: string, remark: string) => string;
  readonly comma: string;
  readonly colon: string;
  /** `difference` null: by an unknown amount. */
  readonly holdCauses: Readonly<Record<HoldCause, (difference: string | null) => string>>;
  readonly deliveryErrors: Readonly<Record<DeliveryError, string>>;
  /** How many payouts a batch has. */
  readonly payouts: (count: number) => string;
  readonly requestedBy: (change: string, name: string) => string;
  readonly allPayouts: string;
  readonly payoutsOn: (chain: string) => string;
  readonly payoutsOf: (wallet: string) => string;
  /** Who stops and resumes the payouts of every account. */
  readonly operator: string;
  /** A person who stops payouts gives a reason instead. */
  readonly stopCauses: Readonly<Record<Exclude<StopCause, "kill_switch">, string>>;
  readonly labels: Readonly<
    Record<
      | "order"
      | "deposit"
      | "payout"
      | "trackingId"
      | "amount"
      | "value"
      | "recipient"
      | "beneficiary"
      | "address"
      | "tag"
      | "batch"
      | "payouts"
      | "total"
      | "resumedBy"
      | "time"
      | "change"
      | "requestedBy"
      | "shop",
      string
    >
  >;
  readonly more: (count: number) => string;
  readonly openDashboard: string;
  /** In a browser, of a notice that says no more. */
  readonly details: string;
  readonly why: string;
  readonly settings: string;
};
