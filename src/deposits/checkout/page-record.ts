import type { Deposit } from "../deposit.ts";
import type { Arrival } from "./describe-arrivals.ts";

/** All that is stored of one payment page. */
export type PageRecord = {
  /** Differs after anything of this was written, see `page.store.ts`. */
  readonly key: string;
  readonly deposit: Deposit;
  readonly shopName: string | null;
  readonly helpEmail: string | null;
  /** Origins that may show the page in a frame. */
  readonly frameAncestors: readonly string[];
  readonly refundAddress: string | null;
  readonly arrivals: readonly Arrival[];
};
