import type { ListedTokens } from "../../currencies/currency.ts";
import { type CurrencyId, money } from "../../platform/kernel/money.ts";
import type { BlockContent, OutgoingTransaction, TransactionReceipt, Transfer } from "../port.ts";
import type { AlgorandBlock, ExecutedTransaction } from "./block.ts";
import type { Move } from "./moves.ts";

/** The assets of the chain that the deployment lists. */
export type Assets = { readonly coin: CurrencyId; readonly listed: ListedTokens };

/** The block's transfers, and the accounts that spent. */
export function contentOf(
  { header, transactions }: AlgorandBlock,
  assets: Assets,
  mayBeWatched: (watchKey: string) => boolean = () => true,
): BlockContent {
  return {
    block: header,
    transfers: transactions.flatMap(({ txid, moves }) =>
      moves.flatMap((move, index) =>
        mayBeWatched(move.to) ? [toTransfer(move, { txid, index }, assets)] : [],
      ),
    ),
    spends: {
      sources: () => transactions.map(({ sender }) => sender),
      transactionsFrom: (ours) =>
        transactions.filter(({ sender }) => ours.has(sender)).map((one) => outgoingOf(one, assets)),
    },
  };
}

function toTransfer(
  { to, asset, units }: Move,
  key: Transfer["key"],
  { coin, listed }: Assets,
): Transfer {
  const currency = asset === null ? coin : listed.get(asset);
  return {
    key,
    to,
    asset:
      currency === undefined
        ? { kind: "unlisted", locator: asset ?? "", units }
        : { kind: "currency", amount: money(units, currency) },
    spendableFromHeight: null,
  };
}

function outgoingOf(
  { txid, sender, feeUnits, moves }: ExecutedTransaction,
  { coin, listed }: Assets,
): OutgoingTransaction {
  return {
    txid,
    sender,
    claims: [],
    payments: moves.map(({ to, asset, units }) => ({
      to,
      address: to,
      currency: asset === null ? coin : (listed.get(asset) ?? null),
      units,
    })),
    feeUnits,
  };
}

/** The outcome of one of our own transactions: what is in a block has succeeded. */
export function receiptOf({ txid, feeUnits }: ExecutedTransaction): TransactionReceipt {
  return { txid, hasSucceeded: true, feeUnits };
}
