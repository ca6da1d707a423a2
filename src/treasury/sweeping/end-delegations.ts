import { addSeconds } from "../../platform/kernel/clock.ts";
import { createSweep } from "./create-sweep.ts";
import {
  readEndedDelegations,
  readIdleDelegations,
  removeDelegations,
  setEndingSpend,
  upsertDelegations,
} from "./delegation.store.ts";
import type { SweepContext } from "./sweep-context.ts";

/** More than one transaction can end. */
const pageSize = 200;

/**
 * Ends delegations of deposit addresses that have moved nothing for long: until then they refuse coin sent with exactly 21000
 * gas. Asks the chain which ones have ended. Rejects with `Unavailable` if the node does not respond.
 */
export async function endDelegations(context: SweepContext, signal: AbortSignal): Promise<void> {
  await settleEndings(context, signal);
  const { db, clock, chain, settings } = context;
  const { addressing, sweeper } = chain;
  if (await context.isStopped(db, chain.chain)) return;
  const until = addSeconds(clock.now(), -settings.idleSeconds);
  const idle = await readIdleDelegations(db, chain.chain, until, settings.sourcesMax);
  if (idle.length === 0) return;
  const survey = await sweeper.survey(
    idle.map(({ keyIndex }) => ({
      keyIndex,
      address: addressing.depositAt(keyIndex, null).address,
      currencies: [],
    })),
    signal,
  );
  const states = survey.states.filter(({ isDelegated }) => isDelegated);
  const delegated = new Set(states.map(({ keyIndex }) => keyIndex));
  const gone = idle.filter(({ keyIndex }) => !delegated.has(keyIndex));
  const still = idle.filter(({ keyIndex }) => delegated.has(keyIndex));
  await removeDelegations(db, chain.chain, keysOf(gone));
  if (states.length === 0) return;
  const gas = survey.transactionGas + BigInt(states.length) * survey.addressGas.authorized;
  const step = {
    plan: { kind: "undelegate", states },
    sources: [],
    feeUnits: gas * survey.gasPrice,
  } as const;
  await createSweep(context, step, signal, (tx, spendId) =>
    setEndingSpend(tx, chain.chain, keysOf(still), spendId),
  );
}

async function settleEndings(
  { db, clock, chain }: SweepContext,
  signal: AbortSignal,
): Promise<void> {
  const ended = await readEndedDelegations(db, chain.chain, pageSize);
  if (ended.length === 0) return;
  const survey = await chain.sweeper.survey(
    ended.map(({ keyIndex }) => ({
      keyIndex,
      address: chain.addressing.depositAt(keyIndex, null).address,
      currencies: [],
    })),
    signal,
  );
  const delegated = new Set(
    survey.states.flatMap(({ isDelegated, keyIndex }) => (isDelegated ? [keyIndex] : [])),
  );
  await db.transaction(async (tx) => {
    const still = ended.filter(({ keyIndex }) => delegated.has(keyIndex));
    await upsertDelegations(tx, chain.chain, still, clock.now());
    const gone = ended.filter(({ keyIndex }) => !delegated.has(keyIndex));
    await removeDelegations(tx, chain.chain, keysOf(gone));
  });
}

function keysOf(delegations: readonly { readonly watchKey: string }[]): readonly string[] {
  return delegations.map(({ watchKey }) => watchKey);
}
