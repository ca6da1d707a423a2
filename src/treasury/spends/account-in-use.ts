import type { Executor } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { readClaimedNonces } from "./claim.store.ts";
import { allocateNonce, allocateNonces } from "./nonce-allocator.ts";
import { readSpendsInFlight } from "./spend.store.ts";
import { holdsClaims, type Spend } from "./spend.ts";

/** What an account has under way. */
export type AccountInUse = {
  /** The nonce that the next transaction takes. */
  readonly nextNonce: number;
  /** The nonces that so many take. */
  readonly nonces: (count: number) => readonly number[];
  /** Spends in no block. */
  readonly openCount: number;
  /** Most that they take out of the account, units of the currency. */
  readonly open: (currency: CurrencyId) => bigint;
  /** What spends took that are in a block, above the currency's own count. */
  readonly included: (currency: CurrencyId) => bigint;
};

/** `chainNext` is the first nonce that no block has used. */
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
 * What the spend takes out of its sender's account, at most; what a block has reverted took the fee only, and of tokens what
 * their contract says.
 */
export function outflow(spend: Spend, currency: CurrencyId): bigint {
  const { inclusion, request, leaves, feeCurrency } = spend;
  const fees = spend.attempts.filter(holdsClaims).map(({ draft }) => draft.feeUnits);
  const dearest = fees.reduce((most, fee) => (fee > most ? fee : most), 0n);
  const fee = feeCurrency === currency ? (inclusion?.burntUnits ?? dearest) : 0n;
  const delivery = inclusion?.delivery ?? null;
  if (delivery !== null) return delivery.currency === currency ? delivery.leftUnits : fee;
  if (inclusion?.hasSucceeded === false) return fee;
  const amounts = request === null ? [leaves] : request.payments.map(({ amount }) => amount);
  return fee + sum(amounts.map((amount) => (amount?.currency === currency ? amount.units : 0n)));
}

function sum(units: readonly bigint[]): bigint {
  return units.reduce((total, each) => total + each, 0n);
}
