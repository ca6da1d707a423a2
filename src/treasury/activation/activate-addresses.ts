import type { ActivationPlan, ChainActivator, ChainAdapter } from "../../chains/chain-adapter.ts";
import type { ChainWriter } from "../../chains/paying-port.ts";
import { chainAsset } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { createSpend } from "../spends/create-spend.ts";
import { excludeNodesBehind } from "../spends/exclude-nodes-behind.ts";
import {
  type ActivatingTransfer,
  assignSpend,
  findInactive,
  finishActivation,
  holdNothing,
  type InactiveAddress,
  isOptingIn,
  readActivatingTransfer,
} from "./activation.store.ts";

/** An address of a deposit that can be paid now. */
export type ActivatedAddress = Pick<InactiveAddress, "accountId" | "depositId" | "watchKey"> & {
  readonly keyspace: string;
  readonly chain: string;
  /** The chain's coin, of which the transfer is. */
  readonly coin: CurrencyId;
  /** Null if the address held enough before we sent anything. */
  readonly transfer: ActivatingTransfer | null;
};

export type ActivationContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chain: Pick<ChainAdapter, "chain" | "keyspace" | "currencies" | "addressing"> & {
    readonly writer: ChainWriter;
    readonly activator: ChainActivator;
  };
  readonly currencies: CurrencyRegistry;
  /** Whether the chain's payouts are paused: then nothing is activated either. */
  readonly isStopped: (db: Executor, chain: string) => Promise<boolean>;
  /** Shows the deposit its address, in the transaction that records the activation. */
  readonly onActive: (tx: Executor, address: ActivatedAddress, now: Instant) => Promise<void>;
};

/** Addresses per pass. */
const pageSize = 50;
const feeTimes = 10n;

/**
 * Activates the addresses that deposits took: asks a node what each still needs, and stores the transaction that brings it, or that it can
 * be paid. Nodes behind what we have read are not asked. Also lets the hot account hold the chain's tokens. Rejects with `Unavailable` if the
 * node does not respond. Returns how many addresses became payable.
 */
export async function activateAddresses(
  context: ActivationContext,
  signal: AbortSignal,
): Promise<number> {
  const { db, chain } = context;
  if (await context.isStopped(db, chain.chain)) return 0;
  const waiting = await findInactive(db, chain, pageSize);
  // In this order: a node that lacks the block of a transaction that was finished by then would have its coin sent again.
  await excludeNodesBehind({ ...chain, db });
  await acceptTokens(context, signal);
  let activated = 0;
  for (const inactive of waiting) {
    if (signal.aborted) break;
    const need = await chain.activator.need(inactive.address, inactive.currency, signal);
    if (need === null) {
      if (await finish(context, inactive)) activated += 1;
      continue;
    }
    const { address, keyIndex, currency } = inactive;
    const topsUp = need.kind === "topUp";
    const plan: ActivationPlan = topsUp
      ? { kind: "topUp", address, units: need.units }
      : { kind: "optIn", keyIndex, address, currency };
    const purpose: JsonObject = topsUp
      ? { keyIndex, units: need.units.toString() }
      : { keyIndex, asset: chainAsset(context.currencies.get(currency)) };
    await open(context, plan, purpose, signal, (tx, spendId) =>
      assignSpend(tx, chain.keyspace, inactive, { spendId, topsUp }),
    );
  }
  return activated;
}

async function finish(context: ActivationContext, inactive: InactiveAddress): Promise<boolean> {
  const { db, clock, chain } = context;
  const { coin } = chain.writer;
  const now = clock.now();
  return await db.transaction(async (tx) => {
    if (!(await finishActivation(tx, chain.keyspace, inactive.watchKey))) return false;
    await holdNothing(tx, chain.chain, coin, inactive);
    const { accountId, depositId, watchKey, toppedUpBy } = inactive;
    const transfer = toppedUpBy === null ? null : await readActivatingTransfer(tx, toppedUpBy);
    const { keyspace } = chain;
    const address = { accountId, depositId, watchKey, keyspace, coin, transfer };
    await context.onActive(tx, { ...address, chain: chain.chain }, now);
    return true;
  });
}

/** The hot account receives sweeps and pays: it has to hold every token of the chain. */
async function acceptTokens(context: ActivationContext, signal: AbortSignal): Promise<void> {
  const { db, chain, currencies } = context;
  const { hot } = present(chain.addressing.treasury, "accounts of our own");
  const { address } = hot;
  for (const currency of chain.currencies) {
    if (currency === chain.writer.coin) continue;
    const need = await chain.activator.need(address, currency, signal);
    // Coin comes from the operator, who funds the hot account.
    if (need?.kind !== "optIn") continue;
    const asset = chainAsset(currencies.get(currency));
    if (await isOptingIn(db, chain.chain, address, asset)) continue;
    const plan: ActivationPlan = { kind: "optIn", keyIndex: null, address, currency };
    await open(context, plan, { keyIndex: null, asset }, signal, () => Promise.resolve(true));
  }
}

/** Stores the spend of a plan; nothing if the sender lacks coin, fees are too high, or `also` returns false. */
async function open(
  { db, clock, logger, chain }: ActivationContext,
  plan: ActivationPlan,
  purpose: JsonObject,
  signal: AbortSignal,
  also: (tx: Executor, spendId: string) => Promise<boolean>,
): Promise<void> {
  const { writer, activator, addressing } = chain;
  const fee = await activator.feeUnits(signal);
  const outcome = await activator.draft(plan, fee * feeTimes, signal);
  if (outcome.kind !== "draft") {
    logger.warn("an address is not activated", {
      chain: chain.chain,
      address: plan.address,
      plan: plan.kind,
      outcome: outcome.kind,
      ...(outcome.kind === "insufficient" ? { missing: outcome.missing.toString() } : {}),
      ...(outcome.kind === "impossible" ? { reason: outcome.reason } : {}),
    });
    return;
  }
  const { gas } = present(addressing.treasury, "accounts of our own");
  const sender =
    plan.kind === "topUp" ? addressing.watchKey(present(gas, "a gas account")) : plan.address;
  const abandoned = new Error("another worker activates the address");
  try {
    await db.transaction(async (tx) => {
      const created = await createSpend(
        tx,
        {
          chain: chain.chain,
          kind: plan.kind === "topUp" ? "top_up" : "opt_in",
          sender,
          purpose,
          request: null,
          leaves: null,
          feeCurrency: writer.coin,
          confirmations: 1,
          draft: outcome.draft,
        },
        clock.now(),
      );
      const isKept = created.kind === "created" && (await also(tx, created.spend.id));
      if (!isKept) throw abandoned;
    });
  } catch (error) {
    if (error !== abandoned) throw error;
  }
}
