import type { SignedTransaction } from "./transaction.ts";

/** What a transaction did besides what it says, under the names of a block. Members of the value zero are absent. */
export type ApplyData = {
  /** MicroAlgos that went to the account that the sender closed to. */
  readonly ca?: bigint;
  /** Units of the asset that went to the account that the holding closed to. */
  readonly aca?: bigint;
  /** The asset that it created. */
  readonly caid?: bigint;
  /** The application that it created. */
  readonly apid?: bigint;
  /** The transactions that an application sent. */
  readonly dt?: { readonly itx: readonly AppliedTransaction[] };
};

/** A transaction with what it did. Those that an application sends have no signature. */
export type AppliedTransaction = SignedTransaction & ApplyData;
