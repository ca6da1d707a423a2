import { toChecksumAddress } from "../../currencies/eip55.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { type CurrencyId, money } from "../../platform/kernel/money.ts";
import type { BlockContent, BlockRef, BlockSpends, OutgoingPayment, Transfer } from "../port.ts";
import { AnswerTooLarge } from "../rpc/node-error.ts";
import type { EvmBlock, EvmReceipt, EvmTransaction } from "./answer.ts";
import { batchPaymentsOf, readBatchOutcomes } from "./batch-outcomes.ts";
import { type EvmNode, isTooMuch, isUnsupported, type Outcome, refused } from "./evm-node.ts";
import { type InternalTransfer, isMove } from "./internal-transfers.ts";
import { isCoin } from "./payout-delegate.ts";
import { blockByHash, headerByNumber, receiptsOf } from "./questions.ts";
import { type ExecutedTransaction, isSigned, withReceipts } from "./receipts.ts";
import { nonceClaim } from "./senders.ts";
import { type TokenBook, tokenTransfers } from "./token-transfers.ts";
import type { Tracing } from "./tracing.ts";
import { feePaid } from "./transaction-receipt.ts";
import { internalTransferIndex, ownValueIndex } from "./transfer-index.ts";

/** The gas of a transaction that runs no code; only one that used more can have moved value internally. */
const plainTransferGas = 21_000;

const nothingMoved = { moves: new Map<string, readonly InternalTransfer[]>(), lost: null };

export type BlockReading = {
  readonly node: EvmNode;
  readonly coin: CurrencyId;
  readonly book: TokenBook;
  readonly tracing: Tracing;
  /** The hot account, lower case; null if the deployment only receives. */
  readonly hot: string | null;
  readonly logger: Logger;
};

/**
 * All value that the block delivered, read by its hash: one round trip for a block of plain payments, a second one for traces
 * where contracts ran. Null when the block is not on the node's best chain.
 */
export function createBlockReader(
  reading: BlockReading,
): (block: BlockRef, signal: AbortSignal) => Promise<BlockContent | null> {
  const { node, tracing } = reading;
  /** Nodes that return only single receipts. */
  const withoutBlockReceipts = new Set<string>();

  return async (ref, signal) => {
    const isBatched = !withoutBlockReceipts.has(node.currentNode());
    const { block, best, receipts } = await askForBlock(node, ref, isBatched, signal);
    if ("refusal" in block) throw refused(node.chain, "eth_getBlockByHash", block.refusal);
    if ("refusal" in best) throw refused(node.chain, "eth_getBlockByNumber", best.refusal);
    if (block.answer === null || best.answer?.hash !== ref.hash) return null;
    const { header, transactions } = block.answer;
    if ("refusal" in receipts && !isTooMuch(receipts.refusal)) {
      if (!isUnsupported(receipts.refusal))
        throw refused(node.chain, "eth_getBlockReceipts", receipts.refusal);
      withoutBlockReceipts.add(node.currentNode());
    }
    const known = "answer" in receipts ? (receipts.answer ?? []) : [];
    const ran = await withReceipts(reading, header, transactions, known, signal);
    if (ran === null) return null;
    const succeeded = ran.filter(({ receipt }) => receipt.hasSucceeded);
    const withCode = succeeded.filter(({ receipt }) => receipt.gasUsed > plainTransferGas);
    const { moves, lost } =
      withCode.length === 0
        ? nothingMoved
        : await tracing.movesIn(
            header,
            withCode.map(({ transaction }) => transaction).filter(isSigned),
            transactions.map(({ txid }) => txid),
            signal,
          );
    const transfers = succeeded.flatMap(({ transaction, receipt }) => [
      ...transactionValue(transaction, reading.coin),
      ...tokenTransfers(receipt, reading.book),
      ...internalValue(
        transaction.txid,
        moves.get(transaction.txid) ?? ownMoves(reading, transaction, receipt),
        reading.coin,
      ),
    ]);
    const spends = spendsOfBlock(ran, transfers);
    return { block: header, transfers, spends, ...(lost === null ? {} : { lacks: lost }) };
  };
}

type BlockAnswers = {
  readonly block: Outcome<EvmBlock | null>;
  readonly best: Outcome<BlockRef | null>;
  readonly receipts: Outcome<readonly EvmReceipt[] | null>;
};

/**
 * The block, the best block at its height and the receipts in one round trip; the receipts separately where all three are too
 * large together.
 */
async function askForBlock(
  node: EvmNode,
  ref: BlockRef,
  isBatched: boolean,
  signal: AbortSignal,
): Promise<BlockAnswers> {
  const questions = [blockByHash(ref.hash), headerByNumber(ref.height)] as const;
  try {
    const [block, best, receipts] = await node.askEach(
      [...questions, isBatched ? receiptsOf(ref.hash) : noReceipts],
      signal,
    );
    const isCut = [block, best].some(
      (outcome) => "refusal" in outcome && isTooMuch(outcome.refusal),
    );
    if (!isCut) return { block, best, receipts };
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
  }
  const [block, best] = await node.askEach(questions, signal);
  return { block, best, receipts: { refusal: { code: 0, message: "too large" } } };
}

/** The transaction's own value; nothing for a payment to oneself, which delivers nothing. */
export function transactionValue(
  { txid, from, to, value }: EvmTransaction,
  coin: CurrencyId,
): readonly Transfer[] {
  if (to === null || to === from || value === 0n) return [];
  return [coinTransfer(txid, ownValueIndex, to, value, coin)];
}

function internalValue(
  txid: string,
  moves: readonly InternalTransfer[],
  coin: CurrencyId,
): readonly Transfer[] {
  return moves.map(({ to, units }, position) =>
    coinTransfer(txid, internalTransferIndex(position + 1), to, units, coin),
  );
}

/**
 * What a batch of the hot account moved, where the node has no traces. Only of that account, whose code is ours: another one could log
 * what it did not move. The ordinals are those of the traces, unless a receiver's code moved coin before.
 */
function ownMoves(
  { hot, book: { listed } }: BlockReading,
  { from, to, ownData }: EvmTransaction,
  receipt: EvmReceipt,
): readonly InternalTransfer[] {
  if (from !== hot || ownData === null) return [];
  const batch = batchPaymentsOf({ from, to, data: ownData });
  if (batch === null) return [];
  const { payments } = readBatchOutcomes(receipt, from, batch, listed);
  return batch
    .filter((payment, place) => isCoin(payment) && payments[place] === "made")
    .map(({ receiver, units }) => ({ from, to: receiver, units }))
    .filter(isMove);
}

function coinTransfer(
  txid: string,
  index: number,
  to: string,
  units: bigint,
  coin: CurrencyId,
): Transfer {
  return {
    key: { txid, index },
    to,
    asset: { kind: "currency", amount: money(units, coin) },
    spendableFromHeight: null,
  };
}

/** A cheap question whose answer is ignored, in place of one that the node does not support. */
const noReceipts = {
  method: "eth_chainId",
  params: [],
  read: (): readonly EvmReceipt[] | null => null,
};

/** The accounts that the block's transactions spend from; `transfers` is what they delivered. */
function spendsOfBlock(
  ran: readonly ExecutedTransaction[],
  transfers: readonly Transfer[],
): BlockSpends {
  const signed = ran.filter(({ transaction }) => isSigned(transaction));
  const claimOf = ({ transaction: { from, nonce } }: ExecutedTransaction): string =>
    nonceClaim(from, nonce);
  return {
    sources: () => signed.map(({ transaction: { from } }) => from),
    transactionsFrom: (sources) =>
      signed
        .filter(({ transaction: { from } }) => sources.has(from))
        .map((included) => ({
          txid: included.transaction.txid,
          sender: included.transaction.from,
          claims: [claimOf(included)],
          payments: transfers
            .filter(({ key }) => key.txid === included.transaction.txid)
            .map(paymentOf),
          feeUnits: feePaid(included.receipt),
        })),
  };
}

function paymentOf({ to, asset }: Transfer): OutgoingPayment {
  const address = toChecksumAddress(to);
  return asset.kind === "currency"
    ? { to, address, currency: asset.amount.currency, units: asset.amount.units }
    : { to, address, currency: null, units: asset.units };
}
