import type { StrayTransfer, WatchedTransfer } from "../../chains/block-sink.ts";
import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import { type BlockRef, creditableUnits, type Transfer } from "../../chains/port.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { changeReceipts, enterReceipts } from "./change-receipts.ts";
import { lockReceiptsInBlock, lockReceiptsOfOutputs } from "./receipt.store.ts";
import type { NewReceipt, Receipt } from "./receipt.ts";
import { includeReceipt, newReceipt, orphanReceipt } from "./receipt-changes.ts";

/**
 * Enters what reaches shared accounts under no deposit's tag. It stands before the deposits' sink: what an operator has decided
 * about an output holds when a reorg brings the output back, whatever its tag means by then.
 */
export type ReceiptSink = {
  /** Returns the payments to deposits: those found by their tag, and those that an operator assigned. */
  readonly appended: (
    tx: Executor,
    chain: string,
    block: BlockRef,
    found: Found,
    now: Instant,
  ) => Promise<readonly WatchedTransfer[]>;
  readonly orphaned: (
    tx: Executor,
    chain: string,
    block: Pick<BlockRef, "height">,
    now: Instant,
  ) => Promise<void>;
  /** Returns the pending payments to deposits, without outputs that are receipts. */
  readonly pendingSeen: (
    tx: Executor,
    chain: string,
    payments: readonly WatchedTransfer[],
  ) => Promise<readonly WatchedTransfer[]>;
};

type Found = {
  readonly payments: readonly WatchedTransfer[];
  readonly strays: readonly StrayTransfer[];
};

/** The sink of all followed chains; on those without shared accounts it does nothing. */
export function createReceiptSink(
  { currencies }: { readonly currencies: CurrencyRegistry },
  chains: readonly Pick<ChainAdapter, "chain" | "addressing">[],
): ReceiptSink {
  const accounts = new Map(
    chains.flatMap(({ chain, addressing }) =>
      addressing.source === "shared" ? [[chain, addressing.treasury.hot.address] as const] : [],
    ),
  );
  return {
    appended: async (tx, chain, block, { payments, strays }, now) => {
      const address = accounts.get(chain);
      if (address === undefined || payments.length + strays.length === 0) return payments;
      const outputs = [...payments, ...strays].map(({ transfer }) => transfer.key);
      const receipts = await lockReceiptsOfOutputs(tx, chain, outputs);
      const known = byOutput(receipts);
      await changeReceipts(tx, receipts, (receipt) => includeReceipt(receipt, block, now), now);
      const fresh = strays.flatMap((stray): readonly NewReceipt[] => {
        const { key, asset } = stray.transfer;
        if (known.has(nameOf(key)) || asset.kind !== "currency" || asset.amount.units === 0n) {
          return [];
        }
        const isWhole = creditableUnits(stray.transfer) === asset.amount.units;
        assert(isWhole, "units are withheld on chains of coins only");
        const { minimalTransferUnits } = currencies.get(asset.amount.currency);
        const place = { chain, address, block };
        return [newReceipt(stray, asset.amount, place, minimalTransferUnits, now)];
      });
      await enterReceipts(tx, fresh, now);
      return [
        ...payments.filter(({ transfer }) => !known.has(nameOf(transfer.key))),
        ...[...payments, ...strays].flatMap((found) => {
          const receipt = known.get(nameOf(found.transfer.key));
          return receipt?.state === "assigned" ? [paymentOf(receipt, found)] : [];
        }),
      ];
    },
    orphaned: async (tx, chain, { height }, now) => {
      if (!accounts.has(chain)) return;
      const receipts = await lockReceiptsInBlock(tx, chain, height);
      await changeReceipts(tx, receipts, (receipt) => orphanReceipt(receipt, now), now);
    },
    pendingSeen: async (tx, chain, payments) => {
      if (!accounts.has(chain) || payments.length === 0) return payments;
      const outputs = payments.map(({ transfer }) => transfer.key);
      const known = byOutput(await lockReceiptsOfOutputs(tx, chain, outputs));
      return payments.filter(({ transfer }) => !known.has(nameOf(transfer.key)));
    },
  };
}

/** The transfer of an assigned receipt, as a payment to its deposit. */
export function paymentOf(
  receipt: Pick<Receipt, "id" | "owner" | "depositId">,
  { transfer, senders }: Pick<StrayTransfer, "transfer" | "senders">,
): WatchedTransfer {
  const { accountId, walletId } = present(receipt.owner, `the owner of receipt ${receipt.id}`);
  const depositId = present(receipt.depositId, `the deposit of receipt ${receipt.id}`);
  // Only a deposit's own address has a key; the shared account has the first one.
  return { transfer, senders, accountId, walletId, depositId, addressType: "", keyIndex: 0 };
}

function byOutput(receipts: readonly Receipt[]): ReadonlyMap<string, Receipt> {
  return new Map(
    receipts.map((receipt) => [nameOf({ ...receipt, index: receipt.outputIndex }), receipt]),
  );
}

function nameOf({ txid, index }: Transfer["key"]): string {
  return `${txid} ${index}`;
}
