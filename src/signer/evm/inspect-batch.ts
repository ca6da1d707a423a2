import { DraftRefused } from "../draft-signer.ts";
import type { ApprovedPayout } from "../intent.ts";
import { type CalledPayment, decodePayMany } from "./pay-many-call.ts";
import { assertAddress, type PlainTransaction, unitsOf } from "./read-transaction.ts";
import { coinAsset } from "./sweep-call.ts";

/** More than the code of any receiver or token that is paid with others may use. */
const paymentGasMax = 5_000_000n;

/** The hot account calls itself, to make exactly the payments of these payouts in their order. */
export function assertPaysMany(
  { from, to, value, data }: PlainTransaction,
  payouts: readonly ApprovedPayout[],
): void {
  if (to !== from) throw new DraftRefused(`several payouts by a call of ${to}`);
  if (value !== 0n) throw new DraftRefused("a batch with coin");
  const payments = decodePayMany(data);
  if (payments.length !== payouts.length)
    throw new DraftRefused(`${payments.length} payments for ${payouts.length} payouts`);
  for (const [place, payout] of payouts.entries()) assertPays(payments[place], payout, from);
}

function assertPays(
  payment: CalledPayment | undefined,
  { payoutId, asset, address, units }: ApprovedPayout,
  account: string,
): void {
  if (payment === undefined) throw new DraftRefused(`no payment of payout ${payoutId}`);
  const receiver = assertAddress(address, "the intended address");
  const contract =
    asset.kind === "coin" ? coinAsset : assertAddress(asset.locator, "the intended contract");
  if (asset.kind === "token" && (contract === coinAsset || contract === account))
    throw new DraftRefused("a token without a contract");
  if (receiver === account) throw new DraftRefused("a payment of the account to itself");
  if (payment.asset !== contract)
    throw new DraftRefused(`payout ${payoutId}: pays ${payment.asset} instead of ${contract}`);
  if (payment.receiver !== receiver)
    throw new DraftRefused(`payout ${payoutId}: pays ${payment.receiver} instead of ${receiver}`);
  if (payment.units !== unitsOf(units))
    throw new DraftRefused(`payout ${payoutId}: pays ${payment.units} instead of ${units}`);
  if (payment.gas > paymentGasMax)
    throw new DraftRefused(`payout ${payoutId}: ${payment.gas} gas, above ${paymentGasMax}`);
}
