import { administratorsOnly } from "../../accounts/administrators-only.ts";
import { type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Executor } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { sumPaidSince } from "../create/create.store.ts";
import type { PayoutLimit } from "../create/payout-protection.store.ts";
import type { PayoutTerms } from "../payout.ts";
import { type LimitRow, readLimits } from "./approve.store.ts";

const spanSeconds = { hour: 3_600, day: 86_400 } as const;
type SpanLimit = PayoutLimit & { readonly span: keyof typeof spanSeconds };
type LimitedTerms = Pick<PayoutTerms, "accountId" | "walletId" | "currency" | "units">;

/** Sums the payouts within the hour or day that the limits cover; `add` counts further payouts. */
export async function readLimitUsage(
  tx: Executor,
  payouts: readonly { readonly terms: LimitedTerms; readonly limits: readonly PayoutLimit[] }[],
  now: Instant,
) {
  const walletOf = (terms: LimitedTerms, limit: SpanLimit): string | null =>
    limit.isOfWallet ? terms.walletId : null;
  const name = (terms: LimitedTerms, walletId: string | null, span: string): string =>
    [terms.accountId, walletId, terms.currency, span].join(" ");
  const requested = new Map(
    payouts.flatMap(({ terms, limits }) =>
      limits.filter(isRolling).map((limit) => {
        const walletId = walletOf(terms, limit);
        const since = addSeconds(now, -spanSeconds[limit.span]);
        const { accountId, currency } = terms;
        return [
          name(terms, walletId, limit.span),
          { accountId, walletId, currency, since },
        ] as const;
      }),
    ),
  );
  const found = await sumPaidSince(tx, [...requested.values()]);
  const sums = new Map([...requested.keys()].map((key, index) => [key, found[index] ?? 0n]));
  const before = (terms: LimitedTerms, limit: PayoutLimit): bigint =>
    isRolling(limit) ? (sums.get(name(terms, walletOf(terms, limit), limit.span)) ?? 0n) : 0n;
  return {
    /** Whether the payout exceeds a limit and so needs approval. */
    isExceeded: (terms: LimitedTerms, limits: readonly PayoutLimit[]): boolean =>
      limits.some((limit) => before(terms, limit) + terms.units > limit.units),
    /** Counts an accepted payout. */
    add: (terms: LimitedTerms): void => {
      for (const span of Object.keys(spanSeconds)) {
        for (const walletId of [terms.walletId, null]) {
          const key = name(terms, walletId, span);
          const sum = sums.get(key);
          if (sum !== undefined) sums.set(key, sum + terms.units);
        }
      }
    },
  };
}

/** Whether the limit covers a period, not a single payout. */
export function isRolling(limit: PayoutLimit): limit is SpanLimit {
  return limit.span !== "transaction";
}

export type { LimitRow };

const requireAdministrator = administratorsOnly("Only an Owner or Admin can view payout limits.");

/** The limits that apply to the caller's account. Rejects with permissionDenied unless the caller is Owner or Admin. */
export function listLimits(db: Executor, principal: Principal): Promise<readonly LimitRow[]> {
  requireAdministrator(principal);
  return readLimits(db, principal.accountId, visibleWallets(principal));
}
