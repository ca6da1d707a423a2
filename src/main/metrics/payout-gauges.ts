import { Gauge, type Registry } from "prom-client";
import type { Executor } from "../../platform/db/database.ts";
import { type Clock, secondsBetween } from "../../platform/kernel/clock.ts";
import {
  readPayoutStages,
  readSpentFees,
  readWaitingReceipts,
} from "../../reports/operations/operations.store.ts";
import { readPipelineStates } from "../../treasury/spends/spend-state.store.ts";

/** Gauges of outgoing money and of money that waits for an operator, from the shared database. */
export function payoutGauges(registry: Registry): (db: Executor, clock: Clock) => Promise<void> {
  const gauge = (name: string, help: string, labelNames: readonly string[]): Gauge =>
    new Gauge({ name: `sluice_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const payouts = gauge("payouts", "Payouts that are not at their end", ["chain", "stage"]);
  const payoutAge = gauge("payout_oldest_seconds", "Age of the oldest payout of the stage", [
    "chain",
    "stage",
  ]);
  const labels = ["chain", "kind", "state"];
  const spends = gauge("spends", "Our own transactions under way", labels);
  const spendAge = gauge("spend_oldest_seconds", "Age of the oldest of them", labels);
  const burnt = gauge(
    "fees_burnt_units",
    "Fees paid to the network, smallest units of the coin; a reorg takes some back",
    ["chain", "kind"],
  );
  const unattributed = gauge("unattributed_waiting", "Unattributed payments without a decision", [
    "currency",
  ]);
  return async (db, clock) => {
    const now = clock.now();
    const [stages, states, fees, receipts] = await Promise.all([
      readPayoutStages(db),
      readPipelineStates(db),
      readSpentFees(db),
      readWaitingReceipts(db),
    ]);
    for (const metric of [payouts, payoutAge, spends, spendAge, burnt, unattributed])
      metric.reset();
    for (const { currency, count } of receipts) unattributed.set({ currency }, Number(count));
    for (const { chain, stage, count, oldest_at } of stages) {
      payouts.set({ chain, stage }, Number(count));
      payoutAge.set({ chain, stage }, secondsBetween(oldest_at, now));
    }
    for (const { chain, kind, state, count, oldestAt } of states) {
      spends.set({ chain, kind, state }, count);
      spendAge.set({ chain, kind, state }, secondsBetween(oldestAt, now));
    }
    for (const { chain, kind, burnt: fee } of fees) burnt.set({ chain, kind }, fee);
  };
}
