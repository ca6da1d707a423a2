import { parseDecimal } from "../../src/platform/kernel/decimal.ts";
import type { ApiClient, Resource } from "../chaos/api-client.ts";
import { assetOf } from "../chaos/assets.ts";
import { type Output, spelling } from "../chaos/best-chain.ts";
import type { CheckedChain, Finding } from "../chaos/finding.ts";
import type { KnownDeposit } from "../chaos/load.ts";
import type { RequestedPayout } from "../chaos/pay-out-load.ts";

/** What was acknowledged to clients, in order, and how much of it before the time that is restored and before the loss. */
export type Told = {
  readonly deposits: readonly KnownDeposit[];
  readonly payouts: readonly RequestedPayout[];
  readonly atTime: { readonly deposits: number; readonly payouts: number };
  readonly atLoss: { readonly deposits: number; readonly payouts: number };
};

/** Acknowledged to clients before the loss, and unknown to the restored service: those of a person to deal with. */
export type Forgotten = {
  readonly deposits: ReadonlySet<string>;
  readonly payouts: ReadonlySet<RequestedPayout>;
};

/** Asks the restored service for everything that was acknowledged before the loss. */
export async function findForgotten(
  client: ApiClient,
  told: Told,
  signal: AbortSignal,
): Promise<{ readonly forgotten: Forgotten; readonly findings: readonly Finding[] }> {
  const faults: { readonly deposits: string[]; readonly payouts: string[] } = {
    deposits: [],
    payouts: [],
  };
  const forgotten = { deposits: new Set<string>(), payouts: new Set<RequestedPayout>() };
  for (const [place, deposit] of told.deposits.slice(0, told.atLoss.deposits).entries()) {
    const found = await client.find(`/deposit/${deposit.id}/`, signal);
    const isSame = found?.attributes["address"] === deposit.address;
    if (found !== null && !isSame)
      faults.deposits.push(`deposit ${deposit.id} has another address`);
    if (found !== null) continue;
    forgotten.deposits.add(deposit.id);
    if (place < told.atTime.deposits) faults.deposits.push(`deposit ${deposit.id} is missing`);
  }
  for (const [place, payout] of told.payouts.slice(0, told.atLoss.payouts).entries()) {
    if (payout.id === null) continue;
    const found = await client.find(`/payout/${payout.id}/`, signal);
    if (found !== null && !isAsAsked(found, payout))
      faults.payouts.push(`payout ${payout.id} is altered`);
    if (found !== null) continue;
    forgotten.payouts.add(payout);
    if (place < told.atTime.payouts) faults.payouts.push(`payout ${payout.id} is missing`);
  }
  return {
    forgotten,
    findings: [
      {
        invariant: "every deposit acknowledged before that time is there, with its address",
        checked: told.atTime.deposits,
        faults: faults.deposits,
      },
      {
        invariant: "every payout acknowledged before that time is there, as requested",
        checked: told.atTime.payouts,
        faults: faults.payouts,
      },
    ],
  };
}

function isAsAsked({ attributes }: Resource, { address, trackingId }: RequestedPayout): boolean {
  return (
    spelling(String(attributes["address"])) === spelling(address) &&
    attributes["tracking_id"] === trackingId
  );
}

/** What the best chains brought each receiver of a payout, whatever any database says. Every receiver is used once. */
export function checkReceivers(
  chains: readonly CheckedChain[],
  told: Told,
  forgotten: Forgotten,
): { readonly finding: Finding; readonly paidAndForgotten: readonly RequestedPayout[] } {
  const received = Map.groupBy(
    chains.flatMap(({ actor }) => actor.best.blocks.flatMap(({ outputs }) => outputs)),
    ({ address }) => spelling(address),
  );
  const paidAndForgotten: RequestedPayout[] = [];
  const faults = told.payouts.flatMap((payout) => {
    const outputs = received.get(spelling(payout.address)) ?? [];
    if (outputs.length > 0 && forgotten.payouts.has(payout)) paidAndForgotten.push(payout);
    const isRight =
      outputs.length === 0 ||
      (outputs.length === 1 && outputs.every((output) => hasAmount(output, payout)));
    const amounts = outputs.map(({ units, txid }) => `${units} by ${txid}`).join(" and ");
    return isRight ? [] : [`payout ${payout.id} of ${payout.amount} received ${amounts}`];
  });
  return {
    finding: {
      invariant: "no receiver of a payout was paid twice, or another amount",
      checked: told.payouts.length,
      faults,
    },
    paidAndForgotten,
  };
}

function hasAmount({ units, currency }: Output, { amount }: RequestedPayout): boolean {
  const parsed = parseDecimal(amount, assetOf(currency).exp);
  return parsed.kind === "units" && parsed.units === units;
}

/** Neither an address nor a number of what was forgotten is used for someone else. */
export function checkReuse(told: Told): Finding {
  const { deposits, payouts, atLoss } = told;
  const before = {
    addresses: new Set(deposits.slice(0, atLoss.deposits).map(({ address }) => address)),
    deposits: new Set(deposits.slice(0, atLoss.deposits).map(({ id }) => id)),
    payouts: new Set(payouts.slice(0, atLoss.payouts).map(({ id }) => id)),
  };
  const [newDeposits, newPayouts] = [
    deposits.slice(atLoss.deposits),
    payouts.slice(atLoss.payouts),
  ];
  return {
    invariant: "no address and no number is issued again",
    checked: newDeposits.length + newPayouts.length,
    faults: [
      ...newDeposits
        .filter(({ address, id }) => before.addresses.has(address) || before.deposits.has(id))
        .map(({ id, address }) => `deposit ${id} at ${address}`),
      ...newPayouts
        .filter(({ id }) => id !== null && before.payouts.has(id))
        .map(({ id }) => `payout ${id}`),
    ],
  };
}
