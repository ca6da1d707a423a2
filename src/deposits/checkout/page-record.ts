import type { Deposit } from "../deposit.ts";
import type { Arrival } from "./describe-arrivals.ts";

/** The stored data of a payment page. */
export type PageRecord = {
  /** Changes whenever any of this is written, see `page.store.ts`. */
  readonly key: string;
  readonly deposit: Deposit;
  readonly shopName: string | null;
  /** Digest of the store's logo. */
  readonly logoDigest: string | null;
  /** The store's colors, `#rrggbb`; null: the built-in ones. */
  readonly accentColor: string | null;
  readonly accentColorDark: string | null;
  readonly showsOrderReference: boolean;
  readonly showsReceipt: boolean;
  readonly receiptNote: string | null;
  readonly helpEmail: string | null;
  /** Origins that may embed the page in a frame. */
  readonly frameAncestors: readonly string[];
  readonly refundAddress: string | null;
  readonly refundTag: string | null;
  readonly arrivals: readonly Arrival[];
};
