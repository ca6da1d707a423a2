import type { CurrencyId } from "../../platform/kernel/money.ts";
import {
  type BlockContent,
  type BlockSpends,
  ImpossibleAnswer,
  type OutgoingPayment,
  type OutgoingTransaction,
  type Transfer,
} from "../port.ts";
import { watchKeyOf } from "./payee-addressing.ts";
import type { ExecutedLedger } from "./questions.ts";
import type { BalanceChange, ExecutedTransaction } from "./transaction.ts";

/** What every account received, and the accounts that spent. Throws `ImpossibleAnswer` if the node contradicts itself. */
export function contentOf(
  chain: string,
  coin: CurrencyId,
  { header, executed }: ExecutedLedger,
  mayBeWatched: (watchKey: string) => boolean = () => true,
): BlockContent {
  const transfers = executed.flatMap((transaction) =>
    gainsOf(transaction).flatMap((gain): readonly Transfer[] => {
      const { account, index } = gain;
      const to = watchKeyOf(account, tagOf(transaction, account));
      if (!mayBeWatched(to)) return [];
      const units = unitsOf(chain, transaction, gain);
      assertDelivered(chain, transaction, account, units);
      const amount = { units, currency: coin };
      return [
        {
          key: { txid: transaction.txid, index },
          to,
          asset: { kind: "currency", amount },
          spendableFromHeight: null,
        },
      ];
    }),
  );
  return { block: header, transfers, spends: spendsOf(chain, executed, coin) };
}

/**
 * What a transaction added to balances of XRP, whatever its type: payments, checks, escrows, channels, deleted accounts, withdrawals from
 * an AMM, and each inner transaction of a batch, which stands in the ledger by itself. Stated amounts are never read. Changes that cannot be
 * read are among them.
 */
function gainsOf({ changes }: ExecutedTransaction): readonly BalanceChange[] {
  return changes.filter(({ change }) => change === null || change > 0n);
}

/** Only an account that matters to us stops the chain with a balance that cannot be read: anyone can create others. */
function unitsOf(
  chain: string,
  { txid }: ExecutedTransaction,
  { account, change }: BalanceChange,
): bigint {
  if (change === null)
    throw new ImpossibleAnswer(chain, `a node says no drops that ${account} has since ${txid}`);
  return change;
}

/** The tag under which the account received: the transaction's, or that of the check, escrow or channel which held the money. */
function tagOf(transaction: ExecutedTransaction, account: string): string | null {
  if (transaction.destination === account) return transaction.destinationTag;
  const [first, ...others] = transaction.held.filter(({ destination }) => destination === account);
  return first === undefined || others.some(({ tag }) => tag !== first.tag) ? null : first.tag;
}

/** The change of a destination's balance is what was delivered to it, unless its own offers were taken as well. */
function assertDelivered(
  chain: string,
  { txid, destination, deliveredUnits, traders }: ExecutedTransaction,
  account: string,
  units: bigint,
): void {
  if (destination !== account || deliveredUnits === null || traders.includes(account)) return;
  if (deliveredUnits !== units)
    throw new ImpossibleAnswer(
      chain,
      `a node says that ${txid} delivered ${deliveredUnits}, and that it added ${units}`,
    );
}

function spendsOf(
  chain: string,
  executed: readonly ExecutedTransaction[],
  coin: CurrencyId,
): BlockSpends {
  const sent = executed.filter(({ sequence, type }) => sequence !== null || !isPseudo(type));
  return {
    sources: () => sent.map(({ account }) => account),
    transactionsFrom: (ours) =>
      sent.filter(({ account }) => ours.has(account)).map((one) => outgoingOf(chain, one, coin)),
  };
}

/** Made by the protocol, without an account. */
function isPseudo(type: string): boolean {
  return type === "EnableAmendment" || type === "SetFee" || type === "UNLModify";
}

function outgoingOf(
  chain: string,
  transaction: ExecutedTransaction,
  coin: CurrencyId,
): OutgoingTransaction {
  const { txid, account, feeUnits } = transaction;
  const payments = gainsOf(transaction).map((gain): OutgoingPayment => {
    const tag = tagOf(transaction, gain.account);
    return {
      to: watchKeyOf(gain.account, tag),
      address: gain.account,
      tag,
      currency: coin,
      units: unitsOf(chain, transaction, gain),
    };
  });
  return { txid, sender: account, claims: claimsOf(transaction), payments, feeUnits };
}

/** The sequence that a transaction uses; none for a ticket, which was set aside from the sequence before. */
export function claimsOf({
  account,
  sequence,
}: Pick<ExecutedTransaction, "account" | "sequence">): readonly string[] {
  return sequence === null ? [] : [`${account}#${sequence}`];
}
