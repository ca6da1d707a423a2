import type { Executor } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { readClaimedNonces } from "./claim.store.ts";
import { allocateNonce, allocateNonces } from "./nonce-allocator.ts";
import { readSpendsInFlight } from "./spend.store.ts";
import { holdsClaims, type Spend } from "./spend.ts";

/** An account's pending spends. */
export type AccountInUse = {
  /** The nonce of the account's next transaction. */
  readonly nextNonce: number;
  /** The nonces of its next `count` transactions. */
  readonly nonces: (count: number) => readonly number[];
  /** How many spends are in no block. */
  readonly openCount: number;
  /** The most that these take out of the account, in units of the currency. */
  readonly open: (currency: CurrencyId) => bigint;
  /** What spends took that are in a block but not at the currency's confirmation count yet. */
  readonly included: (currency: CurrencyId) => bigint;
};

/** Reads what an account has in progress. `chainNext` is the first nonce that no block has used. */
export async function readAccountInUse(
  db: Executor,
  chain: string,
  sender: string,
  chainNext: number,
): Promise<AccountInUse> {
  const claimed = await readClaimedNonces(db, chain, sender, chainNext);
  const spends = await readSpendsInFlight(db, chain, sender);
  const open = spends.filter(({ state }) => state === "open");
  const included = spends.filter(({ state }) => state === "included");
  return {
    nextNonce: allocateNonce(chainNext, claimed).next,
    nonces: (count) => allocateNonces(chainNext, claimed, count),
    openCount: open.length,
    open: (currency) => sum(open.map((spend) => outflow(spend, currency))),
    included: (currency) => sum(included.map((spend) => outflow(spend, currency))),
  };
}

/**
 * The most that a spend takes out of its sender's account. A reverted spend took only the fee; for tokens, what their contract
 * reports.
 */
export function outflow(spend: Spend, currency: CurrencyId): bigint {
  const { inclusion, request, leaves, feeCurrency } = spend;
  const fees = spend.attempts.filter(holdsClaims).map(({ draft }) => draft.feeUnits);
  const dearest = fees.reduce((most, fee) => (fee > most ? fee : most), 0n);
  const fee = feeCurrency === currency ? (inclusion?.burntUnits ?? dearest) : 0n;
  const delivery = inclusion?.delivery ?? null;
  if (delivery !== null) return delivery.currency === currency ? delivery.sentUnits : fee;
  if (inclusion?.hasSucceeded === false) return fee;
  const amounts = request === null ? [leaves] : request.payments.map(({ amount }) => amount);
  return fee + sum(amounts.map((amount) => (amount?.currency === currency ? amount.units : 0n)));
}

function sum(units: readonly bigint[]): bigint {
  return units.reduce((total, each) => total + each, 0n);
}
