import { isDeepStrictEqual } from "node:util";
import type { Database } from "../platform/db/database.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import { errorMessage } from "../platform/kernel/error-message.ts";
import type { Logger } from "../platform/kernel/logger.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import type {
  ChainAdapter,
  DueTransfer,
  NodeReader,
  ReportedBlock,
  SecondOpinion,
} from "./chain-adapter.ts";
import { readCursor } from "./follow/follower.store.ts";
import {
  clearOtherDoubts,
  type Doubt,
  type DoubtKind,
  recordDoubt,
} from "./follow/node-doubt.store.ts";
import { isSameTransfer, textOfKey, transfersByKey, transfersIn } from "./node-transfers.ts";
import type { BlockRef, TransactionReceipt, Transfer } from "./port.ts";
import { createRememberTransfers, createShownTransfers, neededNodes } from "./shown-transfers.ts";

export type SecondOpinionContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly adapter: Pick<ChainAdapter, "chain" | "nodes">;
};

/** The node cannot confirm anything about the block. */
class NotConfirmed extends Error {
  override readonly name = "NotConfirmed";
  readonly kind: DoubtKind;
  constructor(kind: DoubtKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Creates a `SecondOpinion`. Each node is asked on its own, by the block's hash. */
export function createSecondOpinion({
  db,
  clock,
  logger,
  adapter,
}: SecondOpinionContext): SecondOpinion {
  const { chain, nodes } = adapter;
  const found = new Map<string, Doubt>();
  const known = new Set<string>();
  let mayHaveDoubts = true;

  const doubt = (node: string, kind: DoubtKind, height: number, reason: string): void => {
    found.set(`${node} ${kind}`, { chain, node, kind, reason: `${node} ${reason}`, height });
  };

  /** The node's answer; null, with a doubt, if the node does not answer or does not have the block on its best chain. */
  const askNode = async <Answer>(
    { node, reader }: NodeReader,
    block: ReportedBlock,
    signal: AbortSignal,
    ask: (header: BlockRef, depth: Depth) => Promise<Answer>,
  ): Promise<Answer | null> => {
    // A node that just timed out is not asked a second time in this round.
    if (found.has(`${node} silent`)) return null;
    try {
      const tip = await reader.tip(signal);
      const header = await reader.headerAt(block.height, signal);
      if (header === null)
        throw new NotConfirmed("behind", `is at block ${tip.height}, before ${block.height}`);
      if (header.hash !== block.hash)
        throw new NotConfirmed(
          "disagrees",
          `has block ${header.hash} at height ${block.height}, not ${block.hash}`,
        );
      const locked = (await reader.newestLocked?.(signal)) ?? null;
      return await ask(header, {
        tip,
        isLocked: locked !== null && locked.height >= header.height,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof NotConfirmed) doubt(node, error.kind, block.height, error.message);
      else if (error instanceof Unavailable)
        doubt(node, "silent", block.height, `does not answer: ${errorMessage(error)}`);
      else throw error;
      return null;
    }
  };

  const shown = createShownTransfers(db, chain, nodes.readers);

  const confirmTransfers: SecondOpinion["confirmTransfers"] = async (block, transfers, signal) => {
    const needed = neededNodes(nodes.readers, block);
    const confirmations = new Map(transfers.map((due): [DueTransfer, number] => [due, 0]));
    const before = await shown.read(block);
    for (const reader of nodes.readers) {
      const { node } = reader;
      const missing = transfers.filter((due) => (confirmations.get(due) ?? 0) < needed);
      if (node === block.readFrom || missing.length === 0) continue;
      const unseen = missing.filter(({ transfer }) => !before.has(node, transfer));
      const asked = unseen.map(({ transfer }) => transfer);
      const answer = await askNode(reader, block, signal, async (header, depth) => {
        const content = await transfersIn(reader.reader, header, asked, signal);
        if (content === null)
          throw new NotConfirmed("silent", `lost block ${block.hash} while answering`);
        return { byKey: transfersByKey(content), depth };
      });
      if (answer === null) continue;
      const { byKey, depth } = answer;
      const differing = unseen.filter(({ transfer }) => !isSameTransfer(byKey, transfer));
      await shown.add(
        block,
        node,
        asked.filter((transfer) => isSameTransfer(byKey, transfer)),
      );
      for (const due of missing) {
        const others = byKey.get(textOfKey(due.transfer)) ?? [];
        if (differing.includes(due))
          doubt(node, "disagrees", block.height, differenceOf(due.transfer, others, block));
        else if (!isDeep(depth, due, due.transfer.spendableFromHeight))
          doubt(node, "behind", block.height, shortfallOf(depth, due));
        else confirmations.set(due, (confirmations.get(due) ?? 0) + 1);
      }
    }
    return transfers.filter((due) => (confirmations.get(due) ?? 0) >= needed);
  };

  const confirmReceipts: SecondOpinion["confirmReceipts"] = async (
    { height, hash },
    transactions,
    signal,
  ) => {
    const needed = Math.min(2, nodes.readers.length);
    const block: ReportedBlock = { height, hash, readFrom: null };
    const reports = new Map(transactions.map(({ txid }): [string, Report[]] => [txid, []]));
    for (const own of nodes.readers) {
      const missing = transactions.filter(
        ({ txid }) => agreedReceipt(reports.get(txid) ?? [], needed)?.isFeeAgreed !== true,
      );
      if (missing.length === 0) break;
      const reader = await withProvenHistory(db, chain, own, signal);
      const answer = await askNode(reader, block, signal, async (header, depth) => {
        const txids = missing.map(({ txid }) => txid);
        const receipts = await reader.reader.receiptsIn(txids, header, signal);
        return { byTxid: new Map(receipts?.map((receipt) => [receipt.txid, receipt])), depth };
      });
      if (answer === null) continue;
      for (const due of missing) {
        const { txid } = due;
        const receipt = answer.byTxid.get(txid);
        if (!isDeep(answer.depth, due, null))
          doubt(reader.node, "behind", height, shortfallOf(answer.depth, due));
        else if (receipt === undefined)
          doubt(reader.node, "disagrees", height, `does not show ${txid} in block ${hash}`);
        else reports.get(txid)?.push({ node: reader.node, receipt });
      }
    }
    for (const [txid, [first, ...others]] of reports) {
      for (const { node, receipt } of others) {
        if (first === undefined || isDeepStrictEqual(first.receipt, receipt)) continue;
        const reason = `${outcomeText(receipt)}, and ${first.node} that it ${outcomeText(first.receipt)}`;
        doubt(node, "disagrees", height, `shows that ${txid} ${reason}`);
      }
    }
    return [...reports.values()].flatMap((ofOne) => agreedReceipt(ofOne, needed)?.receipt ?? []);
  };

  return {
    chain,
    confirmTransfers,
    rememberTransfers: createRememberTransfers(clock, nodes.readers, shown),
    confirmReceipts,
    recordDoubts: async () => {
      const doubts = [...found.values()];
      found.clear();
      if (doubts.length === 0 && !mayHaveDoubts) return;
      for (const entry of doubts) {
        const { node, kind, reason } = entry;
        if (!known.has(`${node} ${kind}`))
          logger[kind === "disagrees" ? "error" : "warn"]("another node does not confirm", {
            chain,
            node,
            kind,
            reason,
          });
        known.add(`${node} ${kind}`);
        await recordDoubt(db, entry, clock.now());
      }
      for (const { node, kind } of await clearOtherDoubts(db, chain, doubts)) {
        known.delete(`${node} ${kind}`);
        logger.info("the node's doubt is resolved", { chain, node, kind });
      }
      mayHaveDoubts = doubts.length > 0;
    },
  };
}

/**
 * The node with the chain's history, if its own chain contains our newest block: each block contains the hash of the one before, so that the
 * node's chain contains all of ours, and their hashes prove their receipts. Otherwise as it is.
 */
async function withProvenHistory(
  db: Database,
  chain: string,
  own: NodeReader,
  signal: AbortSignal,
): Promise<NodeReader> {
  const { reader, withHistory } = own;
  const newest = withHistory === undefined ? null : await readCursor(db, chain);
  if (withHistory === undefined || newest === null || newest.hash === null) return own;
  try {
    const theirs = await reader.headerAt(newest.height, signal);
    return theirs?.hash === newest.hash ? { ...own, reader: withHistory } : own;
  } catch (error) {
    if (!(error instanceof Unavailable) || signal.aborted) throw error;
    return own;
  }
}

/** How deep a block is on a node's best chain. */
type Depth = {
  readonly tip: BlockRef;
  /** Whether the node's network has locked the block. */
  readonly isLocked: boolean;
};

/** Whether the node has what is due at the required depth, or in a locked block. `from`: the height before which it does not count. */
function isDeep(
  { tip, isLocked }: Depth,
  { dueHeight }: { readonly dueHeight: number },
  from: number | null,
): boolean {
  return tip.height >= dueHeight || (isLocked && (from === null || tip.height >= from));
}

function shortfallOf({ tip }: Depth, { dueHeight }: { readonly dueHeight: number }): string {
  return `is at block ${tip.height}, before ${dueHeight}`;
}

/** One node's receipt of a transaction. */
type Report = { readonly node: string; readonly receipt: TransactionReceipt };

/**
 * The receipt on which enough nodes agree. The fee moves no money between accounts, so nodes that agree on everything else (the
 * outcome, what arrived) agree, and the receipt states no fee.
 */
function agreedReceipt(
  reports: readonly Report[],
  needed: number,
): { readonly receipt: TransactionReceipt; readonly isFeeAgreed: boolean } | null {
  const hasEnough = (isSame: (other: Report) => boolean): boolean =>
    reports.filter(isSame).length >= needed;
  const exact = reports.find(({ receipt }) =>
    hasEnough((other) => isDeepStrictEqual(other.receipt, receipt)),
  );
  if (exact !== undefined) return { receipt: exact.receipt, isFeeAgreed: true };
  const receipt = reports
    .map((report) => withoutFee(report.receipt))
    .find((candidate) =>
      hasEnough((other) => isDeepStrictEqual(withoutFee(other.receipt), candidate)),
    );
  return receipt === undefined ? null : { receipt, isFeeAgreed: false };
}

function withoutFee(receipt: TransactionReceipt): TransactionReceipt {
  return { ...receipt, feeUnits: null };
}

function outcomeText({ hasSucceeded, feeUnits }: TransactionReceipt): string {
  const fee = feeUnits === null ? "" : ` for a fee of ${feeUnits} units`;
  return `${hasSucceeded ? "succeeded" : "was reverted"}${fee}`;
}

function differenceOf(
  expected: Transfer,
  shown: readonly Transfer[],
  { hash }: ReportedBlock,
): string {
  const what = `output ${textOfKey(expected)} of block ${hash}`;
  const [first] = shown;
  if (first === undefined) return `does not show ${what}, of ${textOf(expected)}`;
  return `shows ${shown.map(textOf).join(" and ")} as ${what}, not ${textOf(expected)}`;
}

function textOf({ to, asset, spendableFromHeight, withheldUnits }: Transfer): string {
  const amount =
    asset.kind === "currency"
      ? `${asset.amount.units} units of currency ${asset.amount.currency}`
      : `${asset.units} units of ${asset.locator}`;
  const lock = spendableFromHeight === null ? "" : ` from block ${spendableFromHeight} on`;
  const withheld =
    withheldUnits === undefined || withheldUnits === 0n
      ? ""
      : `, ${withheldUnits} of them withheld`;
  return `${amount} to ${to}${lock}${withheld}`;
}
