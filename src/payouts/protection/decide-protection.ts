import type { LimitSpan } from "../controls/limit-span.ts";

/** The limits of one currency and span that may apply in a scope, in units; null where there is none. */
export type LimitRows = {
  /** The wallet's, as its account set it. Null in the account's own scope. */
  readonly ownWallet: bigint | null;
  /** The wallet's, as the operator set it. */
  readonly operatorWallet: bigint | null;
  readonly ownAccount: bigint | null;
  /** Every account's. */
  readonly deployment: bigint | null;
};

/** The limit in force. `isOfWallet`: an hour's or day's sum counts this wallet's payouts alone. */
export type EffectiveLimit = { readonly units: bigint; readonly isOfWallet: boolean };

/** The most specific limit, as the creation of a payout selects it; null if there is none. */
export function effectiveLimit(rows: LimitRows): EffectiveLimit | null {
  const { ownWallet, operatorWallet, ownAccount, deployment } = rows;
  const ofWallet = ownWallet ?? operatorWallet;
  if (ofWallet !== null) return { units: ofWallet, isOfWallet: true };
  const ofAccount = ownAccount ?? deployment;
  return ofAccount === null ? null : { units: ofAccount, isOfWallet: false };
}

/**
 * Whether payouts that waited for approval before could pass without one afterwards. A wallet's own sum per hour or day in place of
 * the account's counts fewer payouts, so it loosens whatever its amount.
 */
export function limitLoosens(
  span: LimitSpan,
  before: EffectiveLimit | null,
  after: EffectiveLimit | null,
): boolean {
  if (before === null) return false;
  if (after === null || after.units > before.units) return true;
  return span !== "transaction" && after.isOfWallet && !before.isOfWallet;
}

/** The bound that an account's own limit may not pass. */
export type LimitBound = { readonly units: bigint } | "no_own_sum" | null;

/**
 * What the operator's limits allow for an own limit of the account or one of its wallets: at most the operator's, and no wallet's own sum per hour
 * or day where the operator limits all wallets together. Null: everything.
 */
export function limitBound(
  span: LimitSpan,
  { operatorWallet, deployment }: LimitRows,
  isOfWallet: boolean,
): LimitBound {
  if (operatorWallet !== null && isOfWallet) return { units: operatorWallet };
  if (deployment === null) return null;
  return isOfWallet && span !== "transaction" ? "no_own_sum" : { units: deployment };
}
