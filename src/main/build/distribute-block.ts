import type { BlockSink, WatchedTransfer } from "../../chains/block-sink.ts";
import type { ReceiptSink } from "../../deposits/unattributed/receipt-sink.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type OwnSpend, paysOthers } from "../../treasury/holdings/own-spends.ts";
import type { TreasurySink } from "../../treasury/holdings/treasury-sink.ts";
import { findOwnSpends } from "../../treasury/spends/find-own-spends.ts";
import type { SpendSink } from "../../treasury/spends/spend-sink.ts";

export type BlockReceivers = {
  readonly treasury: TreasurySink;
  readonly spends: Pick<SpendSink, "appended" | "orphaned">;
  /** Counts the confirmations of payouts when the chain's tip moves to `height`. */
  readonly confirmPayouts: (
    tx: Executor,
    chain: string,
    height: number,
    now: Instant,
  ) => Promise<unknown>;
  /** Takes out what reached shared accounts under no deposit's tag. */
  readonly receipts: ReceiptSink;
  readonly deposits: BlockSink;
};

/**
 * The sink that followers write to. It hands each block, in the block's own transaction, to the treasury (where our money
 * lies), to our own spends, to the payouts' confirmations, to the receipts without a known tag and to the deposits, in this order.
 * A transaction that only moves our own money, such as a top-up for a sweep's fee, is no payment to a deposit.
 */
export function distributeBlock(receivers: BlockReceivers): BlockSink {
  const { treasury, spends, confirmPayouts, receipts, deposits } = receivers;
  return {
    appended: async (tx, chain, block, outputs, now, own) => {
      const { arrivals, charges } = own;
      const ownSpends = await ownSpendsAmong(tx, chain, [...outputs, ...arrivals, ...own.strays]);
      const payments = outputs.filter(isPayment(ownSpends));
      const strays = own.strays.filter(isPayment(ownSpends));
      const facts = { payments, outputs, arrivals, ownSpends, charges };
      await treasury.appended(tx, chain, block, facts, now);
      await spends.appended(tx, chain, block, own.receipts, now);
      await confirmPayouts(tx, chain, block.height, now);
      const toDeposits = await receipts.appended(tx, chain, block, { payments, strays }, now);
      await deposits.appended(tx, chain, block, toDeposits, now, own);
    },
    orphaned: async (tx, chain, block, now) => {
      await treasury.orphaned(tx, chain, block, now);
      await spends.orphaned(tx, chain, block, now);
      await receipts.orphaned(tx, chain, block, now);
      await deposits.orphaned(tx, chain, block, now);
    },
    pendingSeen: async (tx, chain, outputs, now) => {
      const found = outputs.filter(isPayment(await ownSpendsAmong(tx, chain, outputs)));
      const payments = await receipts.pendingSeen(tx, chain, found);
      if (payments.length > 0) await deposits.pendingSeen(tx, chain, payments, now);
    },
    pendingTransfers: deposits.pendingTransfers,
    transfersDropped: deposits.transfersDropped,
  };
}

type OwnSpends = ReadonlyMap<string, OwnSpend>;

async function ownSpendsAmong(
  tx: Executor,
  chain: string,
  outputs: readonly Pick<WatchedTransfer, "transfer">[],
): Promise<OwnSpends> {
  const txids = new Set(outputs.map(({ transfer }) => transfer.key.txid));
  return txids.size === 0 ? new Map() : findOwnSpends(tx, chain, [...txids]);
}

function isPayment(ownSpends: OwnSpends): (output: Pick<WatchedTransfer, "transfer">) => boolean {
  return ({ transfer }) => {
    const spend = ownSpends.get(transfer.key.txid);
    return spend === undefined || paysOthers(spend);
  };
}
