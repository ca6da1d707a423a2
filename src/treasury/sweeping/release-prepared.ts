import type { SweepState } from "../../chains/paying-port.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { createSweep } from "./create-sweep.ts";
import { depositAddress } from "./deposit-address.ts";
import {
  type PreparedAddress,
  readIdlePrepared,
  readReleased,
  removePrepared,
  setReleasingSpend,
  upsertPrepared,
} from "./prepared-address.store.ts";
import type { SweepContext } from "./sweep-context.ts";

/** More than one transaction can release. */
const pageSize = 200;

/**
 * Releases deposit addresses that were prepared for sweeps and have moved nothing for long: delegating addresses refuse coin sent
 * with exactly 21000 gas, and lent resources serve one address at a time. Asks the chain which ones are released. Does nothing on
 * chains whose addresses keep nothing. Rejects with `Unavailable` if the node does not respond.
 */
export async function releasePrepared(context: SweepContext, signal: AbortSignal): Promise<void> {
  const { db, clock, chain, settings } = context;
  const { release } = chain.sweeper;
  if (release === null) return;
  await settleReleased(context, signal);
  if (await context.isStopped(db, chain.chain)) return;
  const until = addSeconds(clock.now(), -(release.idleSeconds ?? settings.idleSeconds));
  const idle = await readIdlePrepared(db, chain.chain, until, settings.sourcesMax);
  if (idle.length === 0) return;
  const survey = await surveyPrepared(context, idle, signal);
  const states = survey.states.filter(({ isPrepared }) => isPrepared);
  await removePrepared(db, chain.chain, keysOf(without(idle, states)));
  for (let from = 0; from < states.length && !signal.aborted; from += release.addressesMax) {
    const some = states.slice(from, from + release.addressesMax);
    const step = {
      plan: { kind: "release", states: some },
      sources: [],
      feeUnits: survey.releaseFeeUnits * BigInt(some.length),
    } as const;
    await createSweep(context, step, signal, (tx, spendId) =>
      setReleasingSpend(tx, chain.chain, keysOf(among(idle, some)), spendId),
    );
  }
}

async function settleReleased(context: SweepContext, signal: AbortSignal): Promise<void> {
  const { db, clock, chain } = context;
  const released = await readReleased(db, chain.chain, pageSize);
  if (released.length === 0) return;
  const survey = await surveyPrepared(context, released, signal);
  const states = survey.states.filter(({ isPrepared }) => isPrepared);
  await db.transaction(async (tx) => {
    await upsertPrepared(tx, chain.chain, among(released, states), clock.now());
    await removePrepared(tx, chain.chain, keysOf(without(released, states)));
  });
}

function surveyPrepared(
  { chain: { addressing, sweeper } }: SweepContext,
  addresses: readonly PreparedAddress[],
  signal: AbortSignal,
) {
  return sweeper.survey(
    addresses.map((prepared) => ({
      keyIndex: prepared.keyIndex,
      address: depositAddress(addressing, prepared).address,
      currencies: [],
    })),
    signal,
  );
}

function among(
  addresses: readonly PreparedAddress[],
  states: readonly SweepState[],
): readonly PreparedAddress[] {
  const indexes = new Set(states.map(({ keyIndex }) => keyIndex));
  return addresses.filter(({ keyIndex }) => indexes.has(keyIndex));
}

function without(
  addresses: readonly PreparedAddress[],
  states: readonly SweepState[],
): readonly PreparedAddress[] {
  const indexes = new Set(states.map(({ keyIndex }) => keyIndex));
  return addresses.filter(({ keyIndex }) => !indexes.has(keyIndex));
}

function keysOf(addresses: readonly PreparedAddress[]): readonly string[] {
  return addresses.map(({ watchKey }) => watchKey);
}
