import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { ChainWriter } from "../../chains/paying-port.ts";
import { findAsset } from "../../currencies/currency.ts";
import { announceActivation } from "../../deposits/activation/announce-activation.ts";
import { defaultSendSettings } from "../../payouts/send/choose-groups.ts";
import { createPaidPayouts } from "../../payouts/send/paid-payouts.ts";
import { createPayoutPipeline } from "../../payouts/send/run-payouts.ts";
import { arePayoutsPaused, readPayoutDemand } from "../../payouts/send/send.store.ts";
import type { SendContext } from "../../payouts/send/send-context.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import type { ActivationContext } from "../../treasury/activation/activate-addresses.ts";
import { listSpendableCoins } from "../../treasury/holdings/coin.store.ts";
import { nextChangeAddress } from "../../treasury/holdings/ensure-treasury.ts";
import {
  createKeyImageLearner,
  type KeyImageLearner,
} from "../../treasury/holdings/learn-key-images.ts";
import { enter, findUnexplainedInMempool } from "../../treasury/recovery/detect-unexplained.ts";
import { adoptSigned } from "../../treasury/spends/adopt-signed.ts";
import { findSpendsOf, readOpenSpends, readSpends } from "../../treasury/spends/spend.store.ts";
import {
  defaultSpendSettings,
  type OwnCoins,
  type SpendSettings,
} from "../../treasury/spends/spend-context.ts";
import type { SpendListener } from "../../treasury/spends/spend-listener.ts";
import { tryEach } from "../../treasury/spends/try-each.ts";
import type { ColdSettings, MoveContext } from "../../treasury/sweeping/move-context.ts";
import {
  defaultSweepSettings,
  type SweepContext,
  sweptChain,
} from "../../treasury/sweeping/sweep-context.ts";
import { configAmount } from "../config/config-amount.ts";
import type { Foundation } from "./foundation.ts";
import { onceRead } from "./once-read.ts";
import { pauseChain } from "./pause-restored.ts";

/** The recurring work that moves money on one chain. One worker at a time runs each pass. */
export type Pipeline = {
  readonly chain: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Adopts every transaction that the signer signed for the chain and the database does not have. */
  readonly adoptSigned: (signal: AbortSignal) => Promise<unknown>;
  /** Null on chains whose deposits need no sweeping. */
  readonly sweep: SweepContext | null;
  /** Null on chains whose addresses can be paid at once. */
  readonly activation: ActivationContext | null;
  readonly move: MoveContext;
  /** Null when no cold address is configured. */
  readonly cold: ColdSettings | null;
};

/** Builds the pipelines of all chains that this deployment pays on. */
export function buildPipelines(
  foundation: Foundation,
  adapters: readonly ChainAdapter[],
  listener: SpendListener,
  signer: SignerClient,
): readonly Pipeline[] {
  return adapters.flatMap((adapter) => {
    const { chain, writer } = adapter;
    if (writer === null) return [];
    const learner = keyImageLearner(foundation, adapter, writer);
    const context = sendContext(foundation, adapter, { writer, listener, signer, learner });
    return [
      {
        chain,
        run: onceRead(
          foundation,
          chain,
          oneAfterTheOther([learner.run, createPayoutPipeline(context)]),
        ),
        adoptSigned: (signal: AbortSignal) => adoptSigned(context, 0, signal),
        sweep: sweepContext(foundation, adapter),
        activation: activationContext(foundation, adapter, writer),
        move: {
          ...context,
          chain: { ...adapter, writer },
          demand: readPayoutDemand,
          isStopped: (executor, code) => arePayoutsPaused(executor, code, foundation.clock.now()),
          feeCeiling: context.settings.feeCeiling,
        },
        cold: coldSettings(foundation, adapter),
      },
    ];
  });
}

/** Learns which coins can be spent, where only the signer knows what spending them claims. */
function keyImageLearner(
  { db, clock, logger }: Foundation,
  adapter: ChainAdapter,
  writer: ChainWriter,
): KeyImageLearner {
  const { chain, reader } = adapter;
  const unexplained = { db, clock, logger, chains: [adapter], pauseChain };
  return createKeyImageLearner({
    db,
    clock,
    logger,
    chain,
    writer,
    reader,
    isSigning: async () =>
      (await readOpenSpends(db, chain)).some(({ attempts }) =>
        attempts.some(({ state }) => state === "signing"),
      ),
    found: (tx, { block, transaction }, now) =>
      enter(tx, unexplained, adapter, [transaction], block, now),
    searchMempool: (signal) => findUnexplainedInMempool(unexplained, adapter, signal),
  });
}

/** Runs all of them, and rejects with the first failure. */
function oneAfterTheOther(steps: readonly Pipeline["run"][]): Pipeline["run"] {
  return (signal) => tryEach(steps, (step) => step(signal));
}

function sendContext(
  foundation: Foundation,
  adapter: ChainAdapter,
  {
    writer,
    listener,
    signer,
    learner,
  }: {
    readonly writer: ChainWriter;
    readonly listener: SpendListener;
    readonly signer: SignerClient;
    readonly learner: KeyImageLearner;
  },
): SendContext {
  const { db, clock, logger, random, currencies, refunds, config } = foundation;
  const { chain, addressing } = adapter;
  const { treasury } = addressing;
  const coin = currencies.get(writer.coin);
  const settings = config.payouts;
  return {
    db,
    clock,
    random,
    currencies,
    refunds,
    chain,
    writer,
    nodes: adapter.nodes.readers,
    listener,
    signer,
    addressing,
    logger: logger.with({ chain }),
    sweeper: adapter.sweeper,
    coinConfirmations: coin.confirmationBlocks,
    currencyOf: (asset) => findAsset(currencies.onChain(chain), asset)?.id ?? null,
    payouts: createPaidPayouts(currencies, addressing),
    coins: ownCoins(foundation, adapter, writer, learner),
    settings: {
      ...defaultSpendSettings,
      stuckAfterSeconds: settings?.stuck_after_seconds ?? defaultSpendSettings.stuckAfterSeconds,
      feeCeiling: feeCeiling(foundation, writer),
    },
    hot: treasury === null ? null : addressing.watchKey(treasury.hot),
    senders:
      treasury === null
        ? []
        : [treasury.hot, treasury.gas].flatMap((account) =>
            account === null ? [] : [addressing.watchKey(account)],
          ),
    payoutsSigned: signer.payoutsSigned,
    sending: {
      ...defaultSendSettings,
      batchMax: settings?.batch_max ?? defaultSendSettings.batchMax,
      setsUpBatching: settings?.batch_by_delegation ?? defaultSendSettings.setsUpBatching,
      inFlightMax: settings?.in_flight_max ?? defaultSendSettings.inFlightMax,
    },
  };
}

function ownCoins(
  { currencies }: Foundation,
  adapter: ChainAdapter,
  writer: ChainWriter,
  { isComplete }: KeyImageLearner,
): OwnCoins | null {
  const { changeOf, keyImagesOf } = writer;
  const byKeyImage = keyImagesOf !== undefined;
  if (changeOf === null) return null;
  const { chain } = adapter;
  const confirmations = currencies.get(writer.coin).confirmationBlocks;
  return {
    spendable: async (db, limit) =>
      isComplete() ? listSpendableCoins(db, chain, { confirmations, limit, byKeyImage }) : [],
    nextChange: (tx, now) => nextChangeAddress(tx, adapter, now),
    changeOf: async (db, txid) => {
      const spendId = (await findSpendsOf(db, chain, [txid])).get(txid);
      const spends = spendId === undefined ? [] : await readSpends(db, [spendId]);
      const attempt = spends
        .flatMap(({ attempts }) => attempts)
        .find((candidate) => candidate.txid === txid);
      return attempt === undefined ? [] : changeOf(txid, attempt.draft);
    },
  };
}

export function feeCeiling(
  foundation: Foundation,
  { coin }: ChainWriter,
): SpendSettings["feeCeiling"] {
  const { alpha } = foundation.currencies.get(coin);
  const ceiling = foundation.config.payouts?.fee_ceilings[alpha];
  return ceiling === undefined ? null : configAmount(foundation.currencies, alpha, ceiling).units;
}

function coldSettings(foundation: Foundation, adapter: ChainAdapter): ColdSettings | null {
  const { chain, addressing, currencies } = adapter;
  const { cold_addresses = {}, hot_ceilings = {} } = foundation.config.payouts ?? {};
  const address = cold_addresses[chain];
  if (address === undefined) return null;
  const ceilings = Object.entries(hot_ceilings)
    .map(([alpha, amount]) => configAmount(foundation.currencies, alpha, amount))
    .filter(({ currency }) => currencies.includes(currency));
  const destination = present(
    addressing.parse(address, null),
    `payouts.cold_addresses.${chain}: an address of the chain`,
  );
  return { address: destination, ceilings };
}

function activationContext(
  foundation: Foundation,
  adapter: ChainAdapter,
  writer: ChainWriter,
): ActivationContext | null {
  const { activator = null } = adapter;
  if (activator === null) return null;
  const { db, clock, logger, currencies } = foundation;
  return {
    db,
    clock,
    currencies,
    logger: logger.with({ chain: adapter.chain }),
    chain: { ...adapter, writer, activator },
    isStopped: (executor, code) => arePayoutsPaused(executor, code, clock.now()),
    onActive: async (tx, { coin, transfer, ...address }, now) => {
      const { chain, watchKey } = address;
      const deposit = {
        ...address,
        tipHeight: transfer?.height ?? null,
        transfer: transfer === null ? null : { ...transfer, currency: coin, chain, watchKey },
      };
      await announceActivation(tx, foundation, deposit, now);
    },
  };
}

function sweepContext(foundation: Foundation, adapter: ChainAdapter): SweepContext | null {
  const chain = sweptChain(adapter);
  if (chain === null) return null;
  const { db, clock, logger, currencies, findRate, config } = foundation;
  return {
    db,
    clock,
    currencies,
    findRate,
    chain,
    logger: logger.with({ chain: adapter.chain }),
    demand: readPayoutDemand,
    isStopped: (executor, code) => arePayoutsPaused(executor, code, clock.now()),
    settings: {
      ...defaultSweepSettings,
      worthTimes: BigInt(config.payouts?.sweep_worth_times ?? defaultSweepSettings.worthTimes),
      feeCeiling: feeCeiling(foundation, chain.writer),
    },
  };
}
