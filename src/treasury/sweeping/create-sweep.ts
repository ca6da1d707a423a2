import type { DraftOutcome, SweepPlan } from "../../chains/paying-port.ts";
import { chainAsset } from "../../currencies/currency.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { readAccountInUse } from "../spends/account-in-use.ts";
import { createSpend } from "../spends/create-spend.ts";
import type { SpendKind } from "../spends/spend.ts";
import type { SweepStep } from "./decide-sweeps.ts";
import { watchKeyOf } from "./deposit-address.ts";
import { holdCoin, insertSources, type SweepSourceRow } from "./sweep.store.ts";
import { ownAccounts, type SweepContext, type SweepSettings } from "./sweep-context.ts";

const timesExpected = 10n;

/**
 * Drafts a step and stores its spend and sources; `also` runs in the same transaction. Returns false and writes nothing if the
 * chain would not accept it now, its fee exceeds the ceiling, or the sender lacks coin or has another transaction pending.
 * Rejects with `Unavailable` if the node does not respond.
 */
export async function createSweep(
  context: SweepContext,
  step: SweepStep,
  signal: AbortSignal,
  also: (tx: Executor, spendId: string, now: Instant) => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  const { db, clock, logger, settings } = context;
  const { chain, writer, sweeper } = context.chain;
  const { plan } = step;
  const sender = plan.kind === "single" ? plan.state.address : ownAccounts(context.chain).gas;
  const account = present(writer.account, "accounts");
  const chainNext = (await account.nextSequence?.(sender, signal)) ?? null;
  const inUse = await readAccountInUse(db, chain, sender, chainNext);
  const [{ sequence } = { sequence: null }] = inUse.sequences([1]);
  // The address's previous transaction is in no block yet.
  if (plan.kind === "single" && (inUse.openCount > 0 || sequence !== plan.state.sequence))
    return false;
  const feeCeiling = ceilingOf(step, settings);
  const outcome =
    (await obstacleAfterPreparing(context, step, feeCeiling, signal)) ??
    (await sweeper.draft({ plan, sequence, feeCeiling }, signal));
  if (outcome.kind !== "draft") {
    const reason = outcome.kind === "impossible" ? { reason: outcome.reason } : {};
    logger.warn("a sweep is not created", {
      chain,
      plan: plan.kind,
      sender,
      outcome: outcome.kind,
      ...reason,
    });
    return false;
  }
  const { draft } = outcome;
  const now = clock.now();
  return await db.transaction(async (tx) => {
    const opened = await createSpend(
      tx,
      {
        chain,
        sender,
        draft,
        request: null,
        leaves: null,
        feeCurrency: writer.coin,
        kind: spendKindOf(plan),
        purpose: purposeOf(context, step),
        confirmations: confirmationsOf(context, step),
      },
      now,
    );
    if (opened.kind !== "created") return false;
    const rows = sourceRows(context, step, opened.spend.id);
    if (rows.length > 0) await insertSources(tx, chain, rows, now);
    if (opened.spend.kind === "top_up") {
      const watchKeys = rows.map(({ watchKey }) => watchKey);
      await holdCoin(tx, chain, writer.coin, watchKeys);
    }
    await also(tx, opened.spend.id, now);
    return true;
  });
}

/**
 * Why the transfer that the step prepares would not follow; null if only the preparation is missing, and for other steps. Without
 * it, an address whose transfer exceeds the fee ceiling would be lent resources and released again for as long as that lasts.
 */
async function obstacleAfterPreparing(
  { chain: { sweeper } }: SweepContext,
  { plan, sources }: SweepStep,
  feeCeiling: bigint,
  signal: AbortSignal,
): Promise<Exclude<DraftOutcome, { readonly kind: "draft" }> | null> {
  if (plan.kind !== "prepare") return null;
  const { state } = plan;
  const currency = present(sources[0]?.currencies[0], "the asset that a preparation is for");
  const single = { kind: "single", state, currency } as const;
  const outcome = await sweeper.draft(
    { plan: single, sequence: state.sequence, feeCeiling },
    signal,
  );
  return outcome.kind === "draft" || outcome.kind === "insufficient" ? null : outcome;
}

function ceilingOf({ plan, sources, feeUnits }: SweepStep, { feeCeiling }: SweepSettings): bigint {
  if (feeCeiling === null) return feeUnits * timesExpected;
  const addresses = plan.kind === "release" ? plan.states.length : sources.length;
  return feeCeiling * BigInt(Math.max(addresses, 1));
}

/** The kinds' names in journals and limits are those of the chains that had them first. */
function spendKindOf(plan: SweepPlan): SpendKind {
  switch (plan.kind) {
    case "prepare":
      return plan.preparation.kind === "topUp" ? "top_up" : "delegate";
    case "release":
      return "undelegate";
    case "setUp":
    case "batch":
    case "single":
      return "sweep";
  }
}

/** The intent's members for the signer, beside those of every intent. */
function purposeOf(context: SweepContext, { plan, sources }: SweepStep): JsonObject {
  switch (plan.kind) {
    case "prepare":
      return { keyIndex: plan.state.keyIndex, units: plan.preparation.units.toString() };
    case "release":
      return { keyIndexes: plan.states.map(({ keyIndex }) => keyIndex) };
    case "setUp":
    case "batch":
    case "single":
      return {
        sources: sources.map(({ state, currencies }) => ({
          keyIndex: state.keyIndex,
          address: state.address,
          assets: currencies.map((currency) => chainAsset(context.currencies.get(currency))),
        })),
      };
  }
}

/** Final when everything that it moves is at its confirmation count. */
function confirmationsOf({ chain, currencies }: SweepContext, { sources }: SweepStep): number {
  const moved = [chain.writer.coin, ...sources.flatMap((source) => source.currencies)];
  return Math.max(1, ...moved.map((id) => currencies.get(id).confirmationBlocks));
}

function sourceRows(
  { chain }: SweepContext,
  { sources }: SweepStep,
  spendId: string,
): readonly SweepSourceRow[] {
  return sources.flatMap(({ state, currencies }) =>
    currencies.map((currency) => {
      const asset = state.assets.find((surveyed) => surveyed.currency === currency);
      return {
        spendId,
        currency,
        keyIndex: state.keyIndex,
        watchKey: watchKeyOf(chain.addressing, state),
        units: present(asset, "a swept asset was surveyed").final,
      };
    }),
  );
}
