import type { CardanoNetworkId } from "../../currencies/cardano-address.ts";
import { readCardanoAddress } from "../../currencies/cardano-address.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { addSeconds, type Clock } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChangeTarget, Coin, Draft, DraftOutcome, DraftRequest } from "../paying-port.ts";
import type { CardanoLink } from "./cardano-node.ts";
import {
  bytesOfAddress,
  type DraftBody,
  type DraftOutput,
  readBody,
  writeBody,
} from "./draft-body.ts";
import { type CardanoParameters, readParameters } from "./parameters.ts";
import { type HeldCoin, type Plan, planSpend } from "./plan-spend.ts";
import { readSlotTimes, type SlotTimes } from "./slot-times.ts";
import { leastUnits } from "./transaction-size.ts";
import { newestSlot, readUnspent } from "./utxo-query.ts";

export type DraftContext = {
  readonly chain: string;
  readonly network: CardanoNetworkId;
  readonly currency: CurrencyId;
  readonly clock: Clock;
};

/** How long a transaction may wait for a block. Blocks are full for an hour at busy times. */
export const validSeconds = 7_200;
/** The largest coins offered that are looked up. */
const coinsMax = 500;
/** More parts would make every later payment's transaction larger. */
const changePartsMax = 4;

/** Drafts a transaction: its coins, outputs, fee and end of validity. */
export async function draftSpend(
  context: DraftContext,
  link: CardanoLink,
  request: DraftRequest,
): Promise<DraftOutcome> {
  const { chain, currency, network } = context;
  const { funds, replaces } = request;
  assert(funds.kind === "coins", `${chain} is paid from coins`);
  const times = await readSlotTimes(link);
  const tipSlot = await newestSlot(link);
  const old = replaces === null ? null : readBody(network, replaces.body);
  if (old !== null && tipSlot < old.ttl)
    return { kind: "impossible", reason: `nodes of ${chain} replace no transaction` };
  const parameters = await readParameters(link);
  const payments = paymentsOf(context, request, parameters);
  if (typeof payments === "string") return { kind: "impossible", reason: payments };
  const required = old === null ? [] : await heldOf(link, old.inputs);
  if (old !== null) {
    assertSamePayments(old.outputs, payments);
    if (required.length < old.inputs.length)
      return { kind: "impossible", reason: "a coin of what it replaces is spent" };
  }
  const claimed = new Set(replaces?.claims ?? []);
  const offered = funds.coins.filter(({ claim }) => !claimed.has(claim)).map(inputOf);
  const largest = offered.toSorted((one, other) => (one.units < other.units ? 1 : -1));
  const targets = [funds.change, ...(funds.extraChange ?? [])];
  const ttl = ttlFor(context.clock, times, tipSlot);
  const outcome = planSpend({
    coins: await heldOf(link, largest.slice(0, coinsMax)),
    required,
    payments,
    change: {
      addressBytes: bytesOfAddress(network, funds.change.address),
      partsMax: replaces === null ? Math.min(targets.length, changePartsMax) : 1,
    },
    ttl,
    feeCeiling: request.feeCeiling,
    parameters,
  });
  if (outcome.kind === "insufficient") return { ...outcome, currency };
  if (outcome.kind === "tooExpensive") return outcome;
  const until = times.timeOf(ttl);
  const body = bodyOf(network, outcome.plan, payments, targets, { ttl, until });
  return { kind: "draft", draft: draftOf(body, until) };
}

function draftOf(body: DraftBody, until: ReturnType<SlotTimes["timeOf"]>): Draft {
  return {
    body: writeBody(body),
    claims: body.inputs.map(({ claim }) => claim),
    feeUnits: body.feeUnits,
    validity: { kind: "time", until },
  };
}

/** The first slot that may not contain it, from the node's newest block or from now, whichever is later: a chain may pause. */
function ttlFor(clock: Clock, times: SlotTimes, tipSlot: number): number {
  const now = clock.now();
  const tipTime = times.timeOf(tipSlot);
  return times.slotAt(addSeconds(now > tipTime ? now : tipTime, validSeconds));
}

/** The outputs that the request asks for, or why the transaction is impossible. */
function paymentsOf(
  { chain, currency, network }: DraftContext,
  { payments }: DraftRequest,
  parameters: CardanoParameters,
): readonly DraftOutput[] | string {
  const outputs: DraftOutput[] = [];
  for (const { amount, destination } of payments) {
    assert(amount.currency === currency, `${chain} pays one currency`);
    const payee = readCardanoAddress(destination.address, network);
    if (payee === null || destination.tag !== null)
      return `${destination.address} is no address to pay to`;
    const output = {
      address: payee.text,
      addressBytes: payee.bytes.length,
      units: amount.units,
      assets: [],
      change: null,
    };
    const least = leastUnits(parameters, output);
    if (amount.units < least)
      return `${amount.units} lovelace to ${payee.text} are less than an output must hold: ${least}`;
    outputs.push(output);
  }
  return outputs;
}

function inputOf({ branch, claim, keyIndex, units }: Coin) {
  return { branch, claim, keyIndex, units };
}

/** Those of the coins that the node has as unspent, with the tokens and the script of each. */
async function heldOf(
  link: CardanoLink,
  coins: readonly ReturnType<typeof inputOf>[],
): Promise<readonly HeldCoin[]> {
  const unspent = await readUnspent(
    link,
    coins.map(({ claim }) => claim),
  );
  return coins.flatMap((coin): readonly HeldCoin[] => {
    const output = unspent.get(coin.claim);
    if (output?.units !== coin.units) return [];
    return [{ ...coin, assets: output.assets, scriptBytes: output.scriptBytes }];
  });
}

/** Otherwise the replacement would omit a payment of a transaction that may still be in a block after a reorg. */
function assertSamePayments(old: readonly DraftOutput[], payments: readonly DraftOutput[]): void {
  const spell = (outputs: readonly DraftOutput[]): string =>
    outputs
      .filter(({ change }) => change === null)
      .map(({ address, units }) => `${address} ${units}`)
      .sort()
      .join();
  assert(spell(old) === spell(payments), "a replacement makes the payments of what it replaces");
}

/**
 * Nodes sort the inputs, and so do we; outputs are sorted by amount, which hides which one is change. Tokens go to the first change address,
 * however many outputs they need.
 */
function bodyOf(
  network: CardanoNetworkId,
  { change, coins, feeUnits }: Plan,
  payments: readonly DraftOutput[],
  targets: readonly ChangeTarget[],
  validity: Pick<DraftBody, "ttl" | "until">,
): DraftBody {
  const returned = change.map(({ assets, units }, at): DraftOutput => {
    const target = assets.length > 0 ? targets[0] : targets[at];
    const { address, keyIndex } = present(target, "an address for each part");
    const addressBytes = bytesOfAddress(network, address);
    return { address, addressBytes, units, assets, change: { keyIndex } };
  });
  return {
    ...validity,
    feeUnits,
    inputs: coins
      .map(({ branch, claim, keyIndex, units }) => ({ branch, claim, keyIndex, units }))
      .toSorted(byClaim),
    outputs: [...payments, ...returned].toSorted((one, other) =>
      one.units === other.units
        ? one.address < other.address
          ? -1
          : 1
        : one.units < other.units
          ? -1
          : 1,
    ),
  };
}

function byClaim(one: { readonly claim: string }, other: { readonly claim: string }): number {
  const [txid = "", index = ""] = one.claim.split(":");
  const [otherTxid = "", otherIndex = ""] = other.claim.split(":");
  if (txid === otherTxid) return Number(index) - Number(otherIndex);
  return txid < otherTxid ? -1 : 1;
}
