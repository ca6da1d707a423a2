import type { UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { ChangeTarget, Draft, DraftOutcome, DraftRequest } from "../paying-port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { readActionRates } from "./action-rates.ts";
import { isOutdated, readConsensus } from "./consensus.ts";
import {
  addressTypeNamed,
  compareCoins,
  compareOutputs,
  type DraftBody,
  type DraftOutput,
  outpointOf,
  readBody,
  spendableCoins,
  writeBody,
} from "./draft-body.ts";
import { dustOf } from "./dust.ts";
import { feeBasisOf } from "./fee-basis.ts";
import { type FeeFloor, readFeeFloor, readFeeRates, readOneRate } from "./fee-rates.ts";
import { payeeOfAddress, scriptOfPayee } from "./output-script.ts";
import { aimOf, type PlanOutcome, planConsolidation, planPayment } from "./plan-payment.ts";
import { planReplacement } from "./plan-replacement.ts";
import { changePartsMax, type Plan, type SpendRequest } from "./plan-spend.ts";
import { previousTransactions } from "./previous-transactions.ts";
import { virtualSizeOf } from "./transaction-weight.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** The signer accepts no longer request; this leaves room for everything else in it. */
const previousLengthMax = 6 * 1024 * 1024;

/**
 * Drafts a transaction: its coins, outputs and amounts. Throws `Unavailable` when the node does not report its fee rules or no
 * longer has the transactions that created the coins.
 */
export async function draftSpend(
  chain: UtxoChain,
  network: UtxoNetwork,
  rpc: JsonRpc,
  request: DraftRequest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const { funds } = request;
  assert(funds.kind === "coins", `${chain.chain} is paid from coins`);
  const { replaces } = request;
  if (replaces !== null && !chain.replacement && !(await isDead(network, rpc, replaces, signal)))
    return { kind: "impossible", reason: `nodes of ${chain.chain} replace no transaction` };
  const payments = paymentsOf(chain, network, request);
  if (typeof payments === "string") return { kind: "impossible", reason: payments };
  const purse = purseOf(chain, network, request, payments);
  const { floor, medium } = await readFees(chain, rpc, network, request.feeTarget, signal);
  const consensus =
    chain.expiryBlocks === null ? null : await readConsensus(rpc, chain.expiryBlocks, signal);
  const fee = { aim: aimOf(purse, request.feeTarget, medium, chain.defaultAddressType), floor };
  const targets = [funds.change, ...(funds.extraChange ?? [])];
  let { coins } = purse;
  for (;;) {
    const outcome = plan({ ...purse, coins }, payments, chain, network, request, fee);
    if (outcome.kind === "insufficient") return { ...outcome, currency: chain.currency };
    if (outcome.kind !== "plan") return outcome;
    const body = {
      ...bodyOf(network, outcome.plan, payments, targets, request.replaces),
      consensus,
    };
    const previous = await previousTransactions(rpc, chain, body.coins, signal);
    const excess = largestBeyond(previous, request.replaces?.claims ?? []);
    if (excess.size === 0) return { kind: "draft", draft: draftOf(body, previous, outcome.plan) };
    const rest = coins.filter(({ claim }) => !excess.has(outpointOf(claim).txid));
    if (rest.length === coins.length)
      return {
        kind: "impossible",
        reason: "the transactions that its coins come from are too large together",
      };
    // Retry without the coins whose proofs are largest; the others may suffice.
    coins = rest;
  }
}

function draftOf(
  body: DraftBody,
  previous: ReadonlyMap<string, string>,
  { feeUnits }: Plan,
): Draft {
  const { consensus } = body;
  return {
    body: writeBody(body, previous),
    claims: body.coins.map(({ claim }) => claim),
    feeUnits,
    validity: consensus === null ? null : { kind: "height", last: consensus.expiryHeight },
  };
}

/** Whether the transaction expired, or an upgrade ended the rules that it states, so that it makes way without being replaced. */
async function isDead(
  network: UtxoNetwork,
  rpc: JsonRpc,
  { body }: Draft,
  signal: AbortSignal,
): Promise<boolean> {
  const { consensus } = readBody(network, body);
  return consensus !== null && (await isOutdated(rpc, consensus, signal));
}

/**
 * The ids of the largest transactions whose removal makes the others fit into a request; those that created `kept` coins stay.
 */
function largestBeyond(
  previous: ReadonlyMap<string, string>,
  kept: readonly string[],
): ReadonlySet<string> {
  const staying = new Set(kept.map((claim) => outpointOf(claim).txid));
  let length = [...previous.values()].reduce((sum, hex) => sum + hex.length, 0);
  const excess = new Set<string>();
  const largestFirst = [...previous].toSorted(([, one], [, other]) => other.length - one.length);
  for (const [txid, hex] of largestFirst) {
    if (length <= previousLengthMax) break;
    if (staying.has(txid)) continue;
    excess.add(txid);
    length -= hex.length;
  }
  return excess;
}

/** The outputs that the request asks for, or why the transaction is impossible. */
function paymentsOf(
  chain: UtxoChain,
  network: UtxoNetwork,
  { payments }: DraftRequest,
): readonly DraftOutput[] | string {
  const outputs: DraftOutput[] = [];
  for (const { destination, amount } of payments) {
    assert(amount.currency === chain.currency, `${chain.chain} pays one currency`);
    const { address } = destination;
    const payee = payeeOfAddress(network, address);
    if (payee === null || destination.tag !== null) return `${address} is no address to pay to`;
    const dust = dustOf(chain, payee);
    if (amount.units < dust)
      return `${amount.units} units to ${address} would not be relayed: less than ${dust}`;
    outputs.push({ address, script: scriptOfPayee(payee), units: amount.units, change: null });
  }
  return outputs;
}

function purseOf(
  chain: UtxoChain,
  network: UtxoNetwork,
  { funds, replaces }: DraftRequest,
  payments: readonly DraftOutput[],
): SpendRequest {
  assert(funds.kind === "coins", `${chain.chain} is paid from coins`);
  const offered = Math.min(1 + (funds.extraChange?.length ?? 0), changePartsMax);
  const payee = present(payeeOfAddress(network, funds.change.address), "an address for change");
  return {
    coins: spendableCoins(funds.coins),
    paid: payments.reduce((sum, { units }) => sum + units, 0n),
    scriptLengths: payments.map(({ script }) => script.length / 2),
    basis: feeBasisOf(chain),
    change: {
      scriptLength: scriptOfPayee(payee).length / 2,
      addressType: addressTypeNamed(funds.change.addressType),
      dust: dustOf(chain, payee),
      // An urgent payment carries no others that can wait.
      partsMax: replaces === null ? offered : 1,
    },
  };
}

/** Estimates are needed only without a fee target. */
async function readFees(
  chain: UtxoChain,
  rpc: JsonRpc,
  network: UtxoNetwork,
  feeTarget: bigint | null,
  signal: AbortSignal,
): Promise<{ readonly floor: FeeFloor; readonly medium: bigint }> {
  if (chain.feeRule === "zip317") {
    const rates = await readActionRates(rpc, signal);
    return { floor: rates, medium: rates.medium };
  }
  if (feeTarget === null) {
    const rates = await (chain.hasOneEstimate === true
      ? readOneRate(rpc, signal)
      : readFeeRates(rpc, network.name, signal, chain));
    return { floor: rates, medium: rates.medium };
  }
  const floor = await readFeeFloor(rpc, signal, chain);
  return { floor, medium: floor.relay };
}

function plan(
  purse: SpendRequest,
  payments: readonly DraftOutput[],
  chain: UtxoChain,
  network: UtxoNetwork,
  { feeCeiling, replaces }: DraftRequest,
  { aim, floor }: { readonly aim: ReturnType<typeof aimOf>; readonly floor: FeeFloor },
): PlanOutcome {
  if (replaces !== null) {
    const old = readBody(network, replaces.body);
    assertSamePayments(old.outputs, payments);
    const shape = {
      inputs: old.coins.map(({ addressType }) => addressType),
      scriptLengths: old.outputs.map(({ script }) => script.length / 2),
    };
    // Nodes that replace nothing have forgotten what expired, and ask for no more than for any other transaction.
    const feeUnits = chain.replacement ? replaces.feeUnits : 0n;
    const replaced = { coins: old.coins, feeUnits, vsize: virtualSizeOf(shape) };
    return planReplacement(purse, replaced, aim, floor, feeCeiling);
  }
  return payments.length === 0
    ? planConsolidation(purse, aim, floor, feeCeiling)
    : planPayment(purse, aim, floor, feeCeiling);
}

/** Otherwise the replacement would omit a payment of a transaction that is still valid. */
function assertSamePayments(old: readonly DraftOutput[], payments: readonly DraftOutput[]): void {
  const spell = (outputs: readonly DraftOutput[]): string =>
    outputs
      .filter(({ change }) => change === null)
      .map(({ script, units }) => `${script} ${units}`)
      .sort()
      .join();
  assert(spell(old) === spell(payments), "a replacement makes the payments of what it replaces");
}

/** BIP-69 order, which hides which output is change. A replacement keeps its inputs in place. */
function bodyOf(
  network: UtxoNetwork,
  plan: Plan,
  payments: readonly DraftOutput[],
  targets: readonly ChangeTarget[],
  replaces: Draft | null,
): Omit<DraftBody, "consensus"> {
  const outputs = [...payments, ...changeOutputs(network, plan, targets)];
  return {
    coins: replaces === null ? plan.coins.toSorted(compareCoins) : plan.coins,
    outputs: outputs.sort(compareOutputs),
  };
}

/** Equal parts; the first one takes the remainder. */
function changeOutputs(
  network: UtxoNetwork,
  { change, changeParts }: Plan,
  targets: readonly ChangeTarget[],
): readonly DraftOutput[] {
  if (change === null) return [];
  const part = change / BigInt(changeParts);
  return Array.from({ length: changeParts }, (_, at): DraftOutput => {
    const { address, addressType, keyIndex } = present(targets[at], "an address for each part");
    const payee = present(payeeOfAddress(network, address), "an address for change");
    return {
      address,
      script: scriptOfPayee(payee),
      units: at === 0 ? change - part * BigInt(changeParts - 1) : part,
      change: { addressType: addressTypeNamed(addressType), keyIndex },
    };
  });
}
