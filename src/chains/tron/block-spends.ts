import type { ListedTokens } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { BlockContent, BlockSpends, OutgoingTransaction } from "../port.ts";
import { type ExecutedTransaction, movesOf, toTransfer } from "./moves.ts";
import type { ExecutedBlock } from "./read-block.ts";

/** The assets of the chain that the deployment lists. */
export type Assets = { readonly coin: CurrencyId; readonly listed: ListedTokens };

/** The block's transfers, and the accounts that spent. */
export function contentOf(
  { header, executed }: ExecutedBlock,
  { coin, listed }: Assets,
  mayBeWatched: (watchKey: string) => boolean = () => true,
): BlockContent {
  const transfers = executed
    .flatMap(movesOf)
    .filter(({ to }) => mayBeWatched(to))
    .map((move) => toTransfer(move, coin, listed));
  return { block: header, transfers, spends: spendsOf(executed, { coin, listed }) };
}

/** The accounts that transactions spend from. Transactions claim nothing: an account has no sequence. */
function spendsOf(executed: readonly ExecutedTransaction[], assets: Assets): BlockSpends {
  const sources = (): readonly string[] =>
    executed.flatMap(({ transaction: { owner } }) => (owner === null ? [] : [owner]));
  return {
    sources,
    transactionsFrom: (ours) =>
      executed.flatMap((one) => {
        const { owner } = one.transaction;
        return owner !== null && ours.has(owner) ? [outgoingOf(one, owner, assets)] : [];
      }),
  };
}

/** A transaction of an account, with its payments. */
export function outgoingOf(
  executed: ExecutedTransaction,
  owner: string,
  { coin, listed }: Assets,
): OutgoingTransaction {
  return {
    txid: executed.transaction.txid,
    sender: owner,
    claims: [],
    payments: movesOf(executed).map(({ contract, to, units }) => ({
      to,
      address: to,
      currency: contract === null ? coin : (listed.get(contract) ?? null),
      units,
    })),
    feeUnits: executed.receipt.feeUnits,
  };
}
