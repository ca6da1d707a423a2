import type { AvailabilityRow } from "../../currencies/availability-row.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { Availability } from "../../currencies/decide-availability.ts";
import { type TermsRow, termsFromRow, termsInForce } from "../../ledger/commission.store.ts";
import type { CommissionTerms } from "../../ledger/commission.ts";
import { answersByPlace } from "../../platform/db/answers-by-place.ts";
import { type Database, statement } from "../../platform/db/database.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { type PauseRow, pauseColumns, pausesFromRow } from "../controls/pause.store.ts";
import type { Pause, WalletPause } from "../controls/pause.ts";
import {
  type LimitsColumn,
  limitsFromColumn,
  limitsInForce,
  type PayoutLimit,
} from "./payout-protection.store.ts";

/** What the database knows about a payout request. */
export type PayoutFacts = {
  /** The payout that already used the idempotency key, and the fingerprint of its request. */
  readonly used: { readonly payoutId: string; readonly fingerprint: Uint8Array } | null;
  /** Null if the account has no such wallet. */
  readonly wallet: WalletFacts | null;
  readonly availability: Availability;
  readonly commissionTerms: CommissionTerms;
  readonly isTrackingIdUsed: boolean;
  /** Current pauses of the currency's chain. */
  readonly pauses: readonly Pause[];
  /** The account's active Enterprise wallet of the coin that pays a token's fee. */
  readonly coinWallet: { readonly id: string; readonly available: bigint } | null;
  /** The limits that apply to the wallet and currency; per span, the most specific one. */
  readonly limits: readonly PayoutLimit[];
  /** The units from which the currency's payouts need travel-rule data, as an operator set them; null if none did. */
  readonly travelRuleFrom: bigint | null;
};

export type WalletFacts = WalletPause & {
  readonly type: number;
  readonly currency: string;
  readonly status: number;
  readonly needsActivation: boolean;
  /** The available balance in the wallet's currency; 0 while there is a deficit. */
  readonly available: bigint;
};

export type FactsQuestion = {
  readonly accountId: string;
  readonly key: string | null;
  readonly walletId: string | null;
  readonly currency: Currency | null;
  readonly trackingId: string | null;
};

/** Reads the facts of a request; concurrent requests share a statement. */
export type ReadPayoutFacts = (question: FactsQuestion) => Promise<PayoutFacts>;

/** `judge` decides whether a payout in the currency is available. */
export function createReadPayoutFacts(
  db: Database,
  clock: Clock,
  judge: (currency: Currency, row: AvailabilityRow) => Availability,
): ReadPayoutFacts {
  return microBatch(
    async (questions) => {
      const rows = await db.query(readFacts, [
        questions.map(({ accountId }) => accountId),
        questions.map(({ key }) => key),
        questions.map(({ walletId }) => walletId),
        questions.map(({ currency }) => currency?.id ?? null),
        questions.map(({ currency }) => currency?.chain ?? null),
        questions.map(({ currency }) => currency?.parent ?? null),
        questions.map(({ trackingId }) => trackingId),
      ]);
      const now = clock.now();
      return answersByPlace(questions, rows, (row, { currency }) =>
        factsFromRow(row, currency, judge, now),
      );
    },
    { slots: 2, maxSize: 128 },
  );
}

type FactsRow = AvailabilityRow &
  TermsRow &
  PauseRow & {
    readonly place: string;
    readonly used_by: string | null;
    readonly used_fingerprint: Uint8Array | null;
    readonly type: number | null;
    readonly wallet_currency: string;
    readonly status: number;
    readonly needs_activation: boolean;
    readonly payouts_blocked: boolean;
    readonly payouts_blocked_reason: string | null;
    readonly available: bigint;
    readonly deficit: bigint;
    readonly is_tracking_used: boolean;
    readonly coin_wallet_id: string | null;
    readonly coin_available: bigint | null;
    readonly travel_rule_from: bigint | null;
    readonly limits: LimitsColumn;
  };

const readFacts = statement<FactsRow>(
  "payout-facts.read",
  `select input.place, k.payout_id as used_by, k.fingerprint as used_fingerprint,
     w.type, w.currency as wallet_currency, w.status, w.needs_activation, w.payouts_blocked, w.payouts_blocked_reason,
     b.available, b.deficit,
     coalesce(s.is_disabled, false) as is_disabled, coalesce(s.is_unavailable, false) as is_unavailable,
     coalesce(s.is_unpaid, false) as is_unpaid, x.currency is not null as is_blocked,
     c.rate_ppm, c.fixed_units, c.minimum_units,
     input.tracking_id is not null and exists (select from payout p where p.account_id = input.account_id
       and p.wallet_id = input.wallet_id and p.tracking_id = input.tracking_id) as is_tracking_used,
     ${pauseColumns("input.chain")}, v.id as coin_wallet_id, v.available as coin_available,
     bound.limits, (select h.units from travel_rule_threshold h where h.currency = input.currency) as travel_rule_from
   from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[]) with ordinality
     as input (account_id, key, wallet_id, currency, chain, coin, tracking_id, place)
   left join lateral (
     select payout_id, fingerprint from payout_key
     where account_id = input.account_id and key = input.key limit 1) as k on true
   left join wallet w on w.account_id = input.account_id and w.id = input.wallet_id
   left join wallet_balance b on b.account_id = w.account_id and b.wallet_id = w.id
   left join currency_state s on s.currency = input.currency
   left join account_currency_block x on x.account_id = input.account_id and x.currency = input.currency
   left join lateral (${termsInForce("input.account_id", "input.currency", "'payout'")}) as c on true
   left join lateral (
     select o.id, case when ob.deficit > 0 then 0 else ob.available end as available
     from wallet o join wallet_balance ob on ob.account_id = o.account_id and ob.wallet_id = o.id
     where o.account_id = input.account_id and o.type = 2 and o.currency = input.coin and o.status = 3
     order by o.id limit 1) as v on true
   left join lateral (${limitsInForce}) as bound on true`,
);

function factsFromRow(
  row: FactsRow | null,
  currency: Currency | null,
  judge: (currency: Currency, row: AvailabilityRow) => Availability,
  now: Instant,
): PayoutFacts {
  const found = present(row, "facts of a payout");
  const { used_by, used_fingerprint, coin_wallet_id, coin_available } = found;
  return {
    used:
      used_by === null || used_fingerprint === null
        ? null
        : { payoutId: used_by, fingerprint: used_fingerprint },
    wallet: found.type === null ? null : walletFacts({ ...found, type: found.type }),
    availability: currency === null ? "available" : judge(currency, found),
    commissionTerms: termsFromRow(found),
    isTrackingIdUsed: found.is_tracking_used,
    pauses: currency?.chain == null ? [] : pausesFromRow(currency.chain, found, now),
    coinWallet:
      coin_wallet_id === null || coin_available === null
        ? null
        : { id: coin_wallet_id, available: coin_available },
    travelRuleFrom: found.travel_rule_from,
    limits: limitsFromColumn(found.limits),
  };
}

function walletFacts(row: FactsRow & { readonly type: number }): WalletFacts {
  return {
    type: row.type,
    currency: row.wallet_currency,
    status: row.status,
    needsActivation: row.needs_activation,
    payoutsBlocked: row.payouts_blocked,
    payoutsBlockedReason: row.payouts_blocked_reason,
    available: row.deficit > 0n ? 0n : row.available,
  };
}
