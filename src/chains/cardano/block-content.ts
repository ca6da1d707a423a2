import { type CurrencyId, money } from "../../platform/kernel/money.ts";
import type {
  BlockContent,
  BlockRef,
  OutgoingTransaction,
  TransactionReceipt,
  Transfer,
} from "../port.ts";
import type { CardanoOutput, CardanoTransaction } from "./block.ts";
import type { ReadBlock } from "./chain-memory.ts";
import { spellPoint } from "./point.ts";
import type { SlotTimes } from "./slot-times.ts";
import { withheldUnits } from "./withheld-units.ts";

/** The parent of the first block. */
const noParent = "origin";

/** A bundle has many assets; each is a transfer with a position of its own, far above those of outputs. */
const positionsPerAsset = 1_000_000;

export function headerOf({ height, parent, point }: ReadBlock, times: SlotTimes): BlockRef {
  return {
    height,
    hash: spellPoint(point),
    parentHash: parent === "origin" ? noParent : spellPoint(parent),
    time: times.timeOf(point.slot),
  };
}

/** What the block's transactions deliver and spend. */
export function contentOf(
  block: BlockRef,
  transactions: readonly CardanoTransaction[],
  currency: CurrencyId,
  mayBeWatched: (watchKey: string) => boolean = () => true,
): BlockContent {
  return {
    block,
    transfers: transactions.flatMap((one) => transfersOf(one, currency, mayBeWatched)),
    spends: {
      sources: () => transactions.flatMap(({ claims }) => claims),
      transactionsFrom: (sources) =>
        transactions
          .filter(({ claims }) => claims.some((claim) => sources.has(claim)))
          .map((one) => outgoing(one, currency)),
    },
  };
}

/** The ada of each output, and each of its tokens as a payment in an asset that nobody lists. */
export function transfersOf(
  { outputs, txid }: CardanoTransaction,
  currency: CurrencyId,
  mayBeWatched: (watchKey: string) => boolean = () => true,
): readonly Transfer[] {
  return outputs
    .filter(({ address }) => mayBeWatched(address))
    .flatMap(({ address, assets, index, units }): readonly Transfer[] => [
      {
        key: { txid, index },
        to: address,
        asset: { kind: "currency", amount: money(units, currency) },
        spendableFromHeight: null,
        withheldUnits: withheldUnits({ assets, units }),
      },
      ...assets.map(
        ({ asset, units: quantity }, place): Transfer => ({
          key: { txid, index: (place + 1) * positionsPerAsset + index },
          to: address,
          asset: { kind: "unlisted", locator: asset, units: quantity },
          spendableFromHeight: null,
        }),
      ),
    ]);
}

/** A transaction whose script failed pays nobody, and costs its collateral. */
export function outgoing(
  { claims, outputs, txid }: CardanoTransaction,
  currency: CurrencyId,
): OutgoingTransaction {
  const payments = outputs.map(({ address, units }: CardanoOutput) => ({
    to: address,
    address,
    currency,
    units,
  }));
  return { txid, sender: null, claims, payments, feeUnits: null };
}

/** Ours run no scripts, so what is in a block has succeeded, for the fee that it states. */
export function receiptOf({ hasSucceeded, txid }: CardanoTransaction): TransactionReceipt {
  return { txid, hasSucceeded, feeUnits: null };
}
