import { contractAmong } from "../../currencies/currency.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Draft, DraftOutcome, DraftRequest } from "../paying-port.ts";
import { readDataFee } from "./data-fee.ts";
import { readBody } from "./draft-body.ts";
import { draftOf, draftPayment, type EvmDrafting, lackOfCoin } from "./draft-payment.ts";
import { delegationOf, draftSetUp } from "./draft-set-up.ts";
import { latestFeeHeader } from "./fee-questions.ts";
import { isCoin, readPayMany } from "./payout-delegate.ts";
import { priceDraft } from "./price-draft.ts";
import { coinHeld } from "./probe-payment.ts";
import { coinAsset } from "./sweep-delegate.ts";

/**
 * Drafts a transaction of an account: a payment; without payments an empty one or, if it may use two nonces, the account's set-up for
 * batches. Several payments, and set-ups, are replaced by the same call at higher fees.
 */
export async function draftTransaction(
  drafting: EvmDrafting,
  request: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const { funds, payments, replaces } = request;
  assert(funds.kind === "account", "an account pays on this chain");
  const isSetUp = payments.length === 0 && funds.through !== undefined;
  if (replaces !== null && (isSetUp || payments.length > 1))
    return await raiseFees(drafting, request, replaces, signal);
  if (!isSetUp) return await draftPayment(drafting, request, signal);
  const sender = {
    from: funds.address.toLowerCase(),
    nonce: Number(present(funds.sequence, "a nonce")),
  };
  return await draftSetUp(drafting, sender, request, signal);
}

/** The same call with the same nonce and gas, even if it would now fail: until its nonce is used, no later one is. */
async function raiseFees(
  { node, record, market, coin, currencies }: EvmDrafting,
  { payments, feeTarget, feeCeiling }: DraftRequest,
  { body }: Draft,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const { delegate, ...rest } = body;
  const isDelegation = rest["type"] === "selfDelegation";
  const replaced = readBody(isDelegation ? { ...rest, type: "eip1559" } : body);
  const { from, call, gas } = replaced;
  assert(isDelegation === (delegate !== undefined), "a delegation names its delegate");
  const named = payments.length === 0 ? [] : present(readPayMany(call.data), "a batch");
  const asked = payments.map(({ destination, amount }) =>
    [
      contractAmong(currencies, amount.currency) ?? coinAsset,
      destination.address.toLowerCase(),
      amount.units,
    ].join(),
  );
  const found = named.map(({ asset, receiver, units }) => [asset, receiver, units].join());
  assert(asked.join() === found.join(), "a replacement makes the payments of what it replaces");
  const [header, coinUnits] = await node.askAll([latestFeeHeader, coinHeld(from)], signal);
  const levels = await market.levelsAfter(header, signal);
  const dataFee = await readDataFee(node, record, call, gas, signal);
  const price = priceDraft({
    levels,
    gas,
    dataFee,
    feeTarget,
    feeCeiling,
    nodeFeeMost: record.nodeFeeMost,
    replaces: replaced.fees,
  });
  if (price.kind === "tooExpensive") return price;
  const transaction = { ...replaced, dataFee, fees: price.fees };
  const paid = named.filter(isCoin).reduce((sum, { units }) => sum + units, 0n);
  return (
    lackOfCoin(coin, { ...transaction, call: { ...call, value: paid } }, { coinUnits }) ?? {
      kind: "draft",
      draft: isDelegation ? delegationOf(transaction) : draftOf(transaction),
    }
  );
}
