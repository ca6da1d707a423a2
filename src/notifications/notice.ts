import type { Topic } from "./topic.ts";

/** What a notice tells. */
export type NoticeContent = {
  /** Path in the dashboard: `deposits/17`. */
  readonly path: string;
  /** What happened, in one line: `Deposit 17 (Order 5): received 100.00 USD`. */
  readonly line: string;
  /** Of an email that tells nothing else, in place of the topic's title. */
  readonly title?: string;
  /** The same for texts in other languages; absent: the topic's title says enough. */
  readonly about?: NoticeSubject;
};

/** What a notice is about: `Payout 5 (Salaries): 100 USDT`, or a name alone. */
export type NoticeSubject = {
  readonly object: "deposit" | "payout" | "change" | null;
  readonly id: string | null;
  readonly label: string | null;
  /** An amount with its currency, or a name: a receiver's host, a chain. */
  readonly detail: string | null;
  /** In place of the topic's title. */
  readonly title?: "change_waiting" | "node_answers";
};

/**
 * Who may be notified besides having chosen the topic. A wallet: members who see it; `all_wallets`: members who see all of the account's;
 * `everyone`: the account's members; `deployment`: every account's members.
 */
export type Audience =
  | { readonly accountId: string; readonly walletId: string }
  | { readonly accountId: string; readonly members: "all_wallets" | "everyone" }
  | "deployment";

/** Something that members who chose the topic are notified, written in the transaction in which it happens. */
export type Notice = {
  readonly audience: Audience;
  readonly topic: Topic;
  readonly content: NoticeContent;
  /** The deposit that became Paid: its payers who asked for a receipt get it. Null otherwise. */
  readonly paidDepositId: string | null;
};
