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
import {
  type Doubt,
  type DoubtKind,
  forgetOtherDoubts,
  noteDoubt,
} from "./follow/node-doubt.store.ts";
import type { BlockRef, TransactionReceipt, Transfer } from "./port.ts";

export type SecondOpinionContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly adapter: Pick<ChainAdapter, "chain" | "nodes">;
};

/** Why a node confirms nothing. */
class NotConfirmed extends Error {
  override readonly name = "NotConfirmed";
  readonly kind: DoubtKind;
  constructor(kind: DoubtKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** See `Witness`. Everything that one node says of a block is asked of that node alone, by the block's hash. */
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

  /** What the node answers; null, and noted, where it cannot or does not confirm anything of the block. */
  const askNode = async <Answer>(
    { node, reader }: NodeReader,
    block: ReportedBlock,
    signal: AbortSignal,
    ask: (header: BlockRef, tip: BlockRef) => Promise<Answer>,
  ): Promise<Answer | null> => {
    // One that was silent a moment ago is not waited for again.
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
      return await ask(header, tip);
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof NotConfirmed) doubt(node, error.kind, block.height, error.message);
      else if (error instanceof Unavailable)
        doubt(node, "silent", block.height, `does not answer: ${errorMessage(error)}`);
      else throw error;
      return null;
    }
  };

  const confirmTransfers: SecondOpinion["confirmTransfers"] = async (block, transfers, signal) => {
    const isKnown = nodes.readers.some(({ node }) => node === block.readFrom);
    const needed = isKnown ? 1 : 2;
    const words = new Map(transfers.map((told): [DueTransfer, number] => [told, 0]));
    const watched = new Set(transfers.map(({ transfer }) => transfer.to));
    for (const one of nodes.readers) {
      const missing = transfers.filter((told) => (words.get(told) ?? 0) < needed);
      if (one.node === block.readFrom || missing.length === 0) continue;
      const said = await askNode(one, block, signal, async (header, tip) => {
        const content = await one.reader.readBlock(header, signal, (key) => watched.has(key));
        if (content === null)
          throw new NotConfirmed("silent", `lost block ${block.hash} while it was asked`);
        const byKey = Map.groupBy(content.transfers, textOfKey);
        return { byKey, tip };
      });
      if (said === null) continue;
      for (const told of missing) {
        const shown = said.byKey.get(textOfKey(told.transfer)) ?? [];
        if (shown.length !== 1 || !isDeepStrictEqual(shown[0], told.transfer))
          doubt(one.node, "disagrees", block.height, differenceOf(told.transfer, shown, block));
        else if (said.tip.height < told.dueHeight)
          doubt(
            one.node,
            "behind",
            block.height,
            `is at block ${said.tip.height}, before ${told.dueHeight}`,
          );
        else words.set(told, (words.get(told) ?? 0) + 1);
      }
    }
    return transfers.filter((told) => (words.get(told) ?? 0) >= needed);
  };

  const outcomesOf: SecondOpinion["confirmReceipts"] = async ({ height, hash }, asked, signal) => {
    const needed = Math.min(2, nodes.readers.length);
    const block: ReportedBlock = { height, hash, readFrom: null };
    const words = new Map(asked.map(({ txid }): [string, Word[]] => [txid, []]));
    const agreed = new Map<string, TransactionReceipt>();
    for (const one of nodes.readers) {
      const missing = asked.filter(({ txid }) => !agreed.has(txid));
      if (missing.length === 0) break;
      const said = await askNode(one, block, signal, async (header, tip) => {
        const txids = missing.map(({ txid }) => txid);
        const shown = await one.reader.receiptsIn(txids, header, signal);
        return { byTxid: new Map(shown?.map((mined) => [mined.txid, mined])), tip };
      });
      if (said === null) continue;
      for (const { txid, dueHeight } of missing) {
        const mined = said.byTxid.get(txid);
        const heard = words.get(txid) ?? [];
        if (said.tip.height < dueHeight)
          doubt(one.node, "behind", height, `is at block ${said.tip.height}, before ${dueHeight}`);
        else if (mined === undefined)
          doubt(one.node, "disagrees", height, `does not show ${txid} in block ${hash}`);
        else {
          heard.push({ node: one.node, mined });
          const alike = heard.filter((other) => isDeepStrictEqual(other.mined, mined));
          if (alike.length >= needed) agreed.set(txid, mined);
        }
      }
    }
    for (const [txid, [first, ...others]] of words) {
      for (const { node, mined } of others) {
        if (first === undefined || isDeepStrictEqual(first.mined, mined)) continue;
        const said = `${outcomeText(mined)}, and ${first.node} that it ${outcomeText(first.mined)}`;
        doubt(node, "disagrees", height, `shows that ${txid} ${said}`);
      }
    }
    return [...agreed.values()];
  };

  return {
    chain,
    confirmTransfers,
    confirmReceipts: outcomesOf,
    recordDoubts: async () => {
      const doubts = [...found.values()];
      found.clear();
      if (doubts.length === 0 && !mayHaveDoubts) return;
      for (const one of doubts) {
        const { node, kind, reason } = one;
        if (!known.has(`${node} ${kind}`))
          logger[kind === "disagrees" ? "error" : "warn"]("another node does not confirm", {
            chain,
            node,
            kind,
            reason,
          });
        known.add(`${node} ${kind}`);
        await noteDoubt(db, one, clock.now());
      }
      for (const { node, kind } of await forgetOtherDoubts(db, chain, doubts)) {
        known.delete(`${node} ${kind}`);
        logger.info("nothing waits for this node any more", { chain, node, kind });
      }
      mayHaveDoubts = doubts.length > 0;
    },
  };
}

/** What one node says of a transaction. */
type Word = { readonly node: string; readonly mined: TransactionReceipt };

function outcomeText({ hasSucceeded, feeUnits }: TransactionReceipt): string {
  const fee = feeUnits === null ? "" : ` for a fee of ${feeUnits} units`;
  return `${hasSucceeded ? "succeeded" : "was reverted"}${fee}`;
}

function textOfKey({ key }: Transfer): string {
  return `${key.txid}:${key.index}`;
}

function differenceOf(told: Transfer, shown: readonly Transfer[], { hash }: ReportedBlock): string {
  const what = `output ${textOfKey(told)} of block ${hash}`;
  const [first] = shown;
  if (first === undefined) return `does not show ${what}, of ${textOf(told)}`;
  return `shows ${shown.map(textOf).join(" and ")} as ${what}, not ${textOf(told)}`;
}

function textOf({ to, asset, spendableFromHeight }: Transfer): string {
  const amount =
    asset.kind === "currency"
      ? `${asset.amount.units} units of currency ${asset.amount.currency}`
      : `${asset.units} units of ${asset.locator}`;
  const lock = spendableFromHeight === null ? "" : ` from block ${spendableFromHeight} on`;
  return `${amount} to ${to}${lock}`;
}
