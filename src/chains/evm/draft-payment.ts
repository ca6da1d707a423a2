import type { Currency } from "../../currencies/currency.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Draft, DraftOutcome, DraftRequest } from "../paying-port.ts";
import { readDataFee } from "./data-fee.ts";
import { type DraftedTransaction, feeOf, readBody, writeBody } from "./draft-body.ts";
import type { EvmChain, EvmNetwork } from "./evm-chain.ts";
import { type EvmNode, refused } from "./evm-node.ts";
import type { FeeMarket } from "./fee-market.ts";
import { callOf, type PaymentCall } from "./payment-call.ts";
import { transactionGasIn } from "./payment-gas.ts";
import { priceDraft } from "./price-draft.ts";
import { type Probe, probePayment } from "./probe-payment.ts";
import { isRevert } from "./revert.ts";
import { nonceClaim } from "./senders.ts";

export type EvmDrafting = {
  readonly record: EvmChain;
  readonly network: EvmNetwork;
  readonly node: EvmNode;
  readonly market: FeeMarket;
  readonly coin: CurrencyId;
  readonly currencies: readonly Currency[];
  /** The account that pays for sweeps, lower case; null if the writer only quotes. */
  readonly gasAccount: string | null;
};

/**
 * Drafts one payment from an account or, without a payment, an empty transaction to the account itself. The payment is first
 * simulated on the newest state. A replacement keeps nonce and payment and raises the fees.
 */
export async function draftPayment(
  drafting: EvmDrafting,
  request: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const { record, network, node, market, coin } = drafting;
  const { funds, feeTarget, feeCeiling } = request;
  assert(funds.kind === "account", "an account pays on this chain");
  const from = funds.address.toLowerCase();
  const nonce = Number(present(funds.sequence, "a nonce"));
  const replaced = request.replaces === null ? null : readBody(request.replaces.body);
  const { call, asset, units } = intendedCall(drafting, request, from);
  if (replaced !== null) assertSamePayment(replaced, from, nonce, call);

  const probe = await probePayment(node, record, from, call, signal);
  // A pending transaction that would now fail must still be replaced; otherwise no later nonce of the account is ever used.
  const obstacle = replaced === null ? obstacleOf(node, { call, asset, units }, probe) : null;
  if (obstacle !== null) return obstacle;

  const gas = gasOf(probe, replaced);
  const levels = await market.levelsAfter(probe.header, signal);
  const dataFee = await readDataFee(node, record, call, gas, signal);
  const price = priceDraft({
    levels,
    gas,
    dataFee,
    feeTarget,
    feeCeiling,
    nodeFeeMost: record.nodeFeeMost,
    replaces: replaced === null ? null : { ...replaced.fees, gas: replaced.gas },
  });
  if (price.kind === "tooExpensive") return price;
  const { fees } = price;
  const transaction: DraftedTransaction = {
    type: levels.kind,
    chainId: network.chainId,
    from,
    nonce,
    call,
    gas,
    dataFee,
    fees,
  };
  return lackOfCoin(coin, transaction, probe) ?? { kind: "draft", draft: draftOf(transaction) };
}

/** A replacement has no less gas than what it replaces, as far as nodes accept that: the nonce has to be used up. */
function gasOf({ header, limit }: Probe, replaced: DraftedTransaction | null): bigint {
  if (replaced === null) return limit.gas;
  const gas = limit.isTooMuch ? replaced.gas : maxBigInt(limit.gas, replaced.gas);
  return minBigInt(gas, transactionGasIn(header.gasLimit));
}

type Obstacle = Exclude<DraftOutcome, { readonly kind: "draft" }>;

/** Why the chain would reject the payment at any fee, or null. Throws `Unavailable` if the node cannot simulate it now. */
export function obstacleOf(
  node: EvmNode,
  { call, asset, units }: IntendedCall,
  probe: Omit<Probe, "header">,
): Obstacle | null {
  const missing = units - probe.assetUnits;
  if (missing > 0n) return { kind: "insufficient", currency: asset, missing };
  const fault = faultOf(node, call, probe);
  return fault === null ? null : { kind: "impossible", reason: fault };
}

/** The funds that the account lacks for the transaction's fee in addition to the payment, or null. */
export function lackOfCoin(
  coin: CurrencyId,
  transaction: Omit<DraftedTransaction, "nonce">,
  { coinUnits }: Pick<Probe, "coinUnits">,
): Obstacle | null {
  const missing = transaction.call.value + feeOf(transaction) - coinUnits;
  return missing > 0n ? { kind: "insufficient", currency: coin, missing } : null;
}

export type IntendedCall = {
  readonly call: PaymentCall;
  readonly asset: CurrencyId;
  readonly units: bigint;
};

/** The transaction's call: a payment in the coin or a token, or an empty call to the sender itself without a payment. */
export function intendedCall(
  { coin, currencies }: Pick<EvmDrafting, "coin" | "currencies">,
  { payments }: Pick<DraftRequest, "payments">,
  from: string,
): IntendedCall {
  assert(payments.length <= 1, "one payment in a transaction of this chain");
  const [payment] = payments;
  if (payment !== undefined) {
    const { currency, units } = payment.amount;
    return { call: callOf(payment, currencies), asset: currency, units };
  }
  const nothing = { to: from, value: 0n, data: "0x", contract: null, payee: from };
  return { call: nothing, asset: coin, units: 0n };
}

/** Why the chain would reject the payment although the account holds enough, or null. */
function faultOf(
  node: EvmNode,
  call: PaymentCall,
  { code, result, limit }: Omit<Probe, "header">,
): string | null {
  if (call.contract !== null && code === "0x") return `there is no contract at ${call.contract}`;
  if ("refusal" in result) {
    if (!isRevert(result.refusal)) throw refused(node.chain, "eth_call", result.refusal);
    return `${call.to} refuses it: ${result.refusal.message}`;
  }
  if (limit.isTooMuch) return `a payment to ${call.payee} takes too much gas`;
  if (call.contract === null || isSuccess(result.answer)) return null;
  return `the token's transfer returns ${result.answer.slice(0, 66)} instead of true`;
}

/** Tokens such as Tether return nothing; all others a bool. */
function isSuccess(returned: string): boolean {
  return returned === "0x" || (returned.length >= 66 && BigInt(returned.slice(0, 66)) === 1n);
}

function assertSamePayment(
  replaced: DraftedTransaction,
  from: string,
  nonce: number,
  { to, value, data }: PaymentCall,
): void {
  const { call } = replaced;
  assert(
    replaced.from === from && replaced.nonce === nonce,
    "a replacement uses the nonce of what it replaces",
  );
  assert(
    call.to === to && call.value === value && call.data === data,
    "a replacement makes the payment of what it replaces",
  );
}

/** The draft of a priced transaction: it claims its sender's nonce, and its maximum fee is its gas at its highest price, in wei. */
export function draftOf(transaction: DraftedTransaction): Draft {
  return {
    body: writeBody(transaction),
    claims: [nonceClaim(transaction.from, transaction.nonce)],
    feeUnits: feeOf(transaction),
    validity: null,
  };
}
