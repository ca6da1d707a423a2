import type { NoticeEvent } from "./notice-event.ts";

/** What a notice tells. */
export type NoticeContent = {
  /** Path in the dashboard: `deposits/17`. */
  readonly path: string;
  /** What happened, in one line of English: `20.00 USD for order 4711`. Workers of the former version read it. */
  readonly line: string;
  /** Goes before the line. */
  readonly title?: string;
  /** What texts in the reader's language are made from; absent in notices of the former version. */
  readonly event?: NoticeEvent;
};

/** What a message tells. `count` may exceed the listed notices. */
export type Digest = {
  readonly count: number;
  readonly notices: readonly NoticeContent[];
  /** The reader's shop, as its payers know it; absent in messages of the former version. */
  readonly shop?: string;
  /** Of the reader's emails; absent: unknown. */
  readonly language?: string | null;
};

type AccountMembers = { readonly accountId: string; readonly exceptMemberId?: string | null };

/**
 * Who may be notified besides having chosen the topic. A wallet: members who see it; `all_wallets`: members who see all of the account's;
 * `everyone`: the account's members; `deployment`: every account's members. Never `exceptMemberId`: who asks for an approval can't give it.
 */
export type Audience =
  | (AccountMembers & { readonly walletId: string })
  | (AccountMembers & { readonly members: "all_wallets" | "everyone" })
  | "deployment";

/** Something that members who chose its topic are notified, written in the transaction in which it happens. */
export type Notice = {
  readonly audience: Audience;
  readonly event: NoticeEvent;
  /** The deposit that became Paid: its payers who asked for a receipt get it. Null otherwise. */
  readonly paidDepositId: string | null;
};
