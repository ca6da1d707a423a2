import { answersByPlace } from "../../platform/db/answers-by-place.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { LimitSpan } from "../controls/limit-span.ts";

/** A payout above `units` (of the payment currency) within the span needs approval. */
export type PayoutLimit = {
  readonly span: LimitSpan;
  readonly units: bigint;
  /** True if the limit counts only the wallet's payouts, false if it counts the account's. */
  readonly isOfWallet: boolean;
};

export type LimitsColumn =
  | readonly {
      readonly span: LimitSpan;
      readonly units: string;
      readonly is_of_wallet: boolean;
    }[]
  | null;

/** Selects the `limits` of `input.account_id`, `input.wallet_id` and `input.currency`: per span, the most specific one. */
export const limitsInForce = `
     select jsonb_agg(l order by l.span) as limits from (
       select distinct on (span) span, units::text as units, wallet_id is not null as is_of_wallet from payout_limit
       where currency = input.currency and (account_id = input.account_id or account_id is null)
         and (wallet_id = input.wallet_id or wallet_id is null)
       order by span, wallet_id is null, account_id is null) as l`;

export function limitsFromColumn(column: LimitsColumn): readonly PayoutLimit[] {
  return (column ?? []).map(({ span, units, is_of_wallet }) => ({
    span,
    units: BigInt(units),
    isOfWallet: is_of_wallet,
  }));
}

/** A destination that the allowlist has to contain if the account requires it; the address in its canonical spelling. */
export type ListedDestination = {
  readonly chain: string;
  readonly address: string;
  readonly tag: string | null;
};

type ProtectedPayout = {
  readonly accountId: string;
  readonly walletId: string;
  readonly currency: string;
  /** Null for what needs no allowlist: the account's own wallets and deposits. */
  readonly listed: ListedDestination | null;
};

export type ProtectionInForce = {
  readonly limits: readonly PayoutLimit[];
  /** The account requires its allowlist, which does not contain the destination. */
  readonly isRefused: boolean;
};

const read = statement<{
  readonly place: string;
  readonly limits: LimitsColumn;
  readonly is_refused: boolean;
}>(
  "payout-protection.read",
  `select input.place, bound.limits, input.address is not null and account.pays_book_only and not exists (
       select from address_book k where k.account_id = input.account_id and k.chain = input.chain
         and k.address = input.address and k.tag is not distinct from input.tag) as is_refused
   from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
     as input (account_id, wallet_id, currency, chain, address, tag, place)
   join account on account.id = input.account_id
   left join lateral (${limitsInForce}) as bound on true`,
);

/** What limits payouts now, in the given order. */
export async function readProtectionInForce(
  tx: Executor,
  payouts: readonly ProtectedPayout[],
): Promise<readonly ProtectionInForce[]> {
  const rows = await tx.query(read, [
    payouts.map(({ accountId }) => accountId),
    payouts.map(({ walletId }) => walletId),
    payouts.map(({ currency }) => currency),
    payouts.map(({ listed }) => listed?.chain ?? null),
    payouts.map(({ listed }) => listed?.address ?? null),
    payouts.map(({ listed }) => listed?.tag ?? null),
  ]);
  return answersByPlace(payouts, rows, (row) => {
    const { limits, is_refused } = present(row, "what limits a payout");
    return { limits: limitsFromColumn(limits), isRefused: is_refused };
  });
}

/** Whether two readings contain the same limits. */
export function areSameLimits(a: readonly PayoutLimit[], b: readonly PayoutLimit[]): boolean {
  return (
    a.length === b.length &&
    a.every((limit) =>
      b.some(
        ({ span, units, isOfWallet }) =>
          span === limit.span && units === limit.units && isOfWallet === limit.isOfWallet,
      ),
    )
  );
}

const unlisted = statement<{ readonly id: string }>(
  "payout-protection.unlisted",
  `select p.id from payout p join account on account.id = p.account_id
   where p.account_id = $1 and p.id = $2 and account.pays_book_only and p.address is not null
     and not exists (select from address_book k where k.account_id = p.account_id and k.chain = p.chain
       and k.address = p.address and k.tag is not distinct from p.tag)
     and not exists (
       select from deposit d where d.account_id = p.account_id and d.payment_page_id = p.target_deposit)`,
);

/**
 * Whether the account requires its allowlist and it does not contain the payout's address. The account's own deposits, named as
 * target_deposit, need no entry, also where they are paid on the chain.
 */
export async function isUnlisted(
  tx: Executor,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<boolean> {
  return (await tx.query(unlisted, [accountId, id])).length > 0;
}
