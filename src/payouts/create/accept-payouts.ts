import type { WalletBalance } from "../../ledger/ledger.store.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { readLimitUsage } from "../approve/limits.ts";
import type { PayoutTerms } from "../payout.ts";
import { findUsedTrackingIds, type ReservedIds } from "./create.store.ts";
import type { NewPayout, WriteOutcome } from "./new-payout.ts";
import { areSameLimits, type ProtectionInForce } from "./payout-protection.store.ts";

export type Outcomes = Map<NewPayout, WriteOutcome>;

export type Claimed = { readonly payout: NewPayout; readonly ids: ReservedIds };

export type Accepted = {
  readonly claim: Claimed;
  readonly isWaiting: boolean;
  readonly isAboveLimit: boolean;
};

/** Checks the payouts in order, each against what the earlier ones leave. */
export function acceptInOrder(
  claimed: readonly Claimed[],
  known: {
    readonly balances: readonly WalletBalance[];
    readonly inForce: readonly ProtectionInForce[];
    readonly usage: Awaited<ReturnType<typeof readLimitUsage>>;
    readonly taken: Set<string>;
  },
  outcomes: Outcomes,
): readonly Accepted[] {
  const { balances, inForce, usage, taken } = known;
  const availableByWallet = new Map(
    balances.map(({ walletId, available, deficit }) => [walletId, deficit > 0n ? 0n : available]),
  );
  const accepted: Accepted[] = [];
  for (const [place, claim] of claimed.entries()) {
    const { terms, limits, needsApproval, isBatchAboveLimit } = claim.payout;
    const protection = present(inForce[place], "what limits the payout");
    const { walletId, trackingId } = terms;
    const tracking = trackingId === null ? null : trackingName({ walletId, trackingId });
    if (protection.isRefused || !areSameLimits(protection.limits, limits)) {
      outcomes.set(claim.payout, { kind: "protectionChanged" });
    } else if (tracking !== null && taken.has(tracking)) {
      outcomes.set(claim.payout, { kind: "trackingIdUsed" });
    } else if (!charge(availableByWallet, terms)) {
      outcomes.set(claim.payout, { kind: "insufficientFunds" });
    } else {
      if (tracking !== null) taken.add(tracking);
      const isAboveLimit = isBatchAboveLimit === true || usage.isExceeded(terms, limits);
      usage.add(terms);
      accepted.push({ claim, isWaiting: needsApproval || isAboveLimit, isAboveLimit });
    }
  }
  return accepted;
}

/** Deducts a payout's charges; returns false and deducts nothing if the wallets do not cover them. */
function charge(balances: Map<string, bigint>, terms: PayoutTerms): boolean {
  const own = balances.get(terms.walletId) ?? 0n;
  if (own < terms.chargedUnits) return false;
  if (terms.chargedFeeUnits > 0n) {
    const feeWallet = present(terms.feeWalletId, "wallet of a charged fee");
    const other = balances.get(feeWallet) ?? 0n;
    if (other < terms.chargedFeeUnits) return false;
    balances.set(feeWallet, other - terms.chargedFeeUnits);
  }
  balances.set(terms.walletId, own - terms.chargedUnits);
  return true;
}

export async function takenTrackingIds(
  tx: Executor,
  claimed: readonly Claimed[],
): Promise<Set<string>> {
  const requests = claimed.flatMap(({ payout: { terms } }) =>
    terms.trackingId === null ? [] : [{ ...terms, trackingId: terms.trackingId }],
  );
  const used = await findUsedTrackingIds(tx, requests);
  return new Set(used.map(trackingName));
}

/** Tracking ids are unique per wallet. */
function trackingName(of: { readonly walletId: string; readonly trackingId: string }): string {
  return `${of.walletId} ${of.trackingId}`;
}
