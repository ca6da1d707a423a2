import { microsPerSecond } from "../../platform/kernel/clock.ts";
import type { BlockRef } from "../port.ts";
import { newestBlock, type WatchedAccounts } from "./block-activity.ts";
import { heightOf, walkBack } from "./history.ts";
import { inParts } from "./in-parts.ts";
import { orderedMessages, passedOn } from "./orders.ts";
import { accountState, blockAt } from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import type { ExecutedTransaction } from "./transaction.ts";

/** How far back the first call looks, in seconds: a message takes seconds. */
const lookBackSeconds = 600;

/**
 * Finds the newest masterchain block up to which every payment of our accounts has arrived or come back. A payment's outcome is in
 * transactions of other accounts, in blocks that follow: with this tip, it is known when its own block is read.
 */
export function createSettledTip(
  watched: WatchedAccounts,
): (ask: AskToncenter) => Promise<BlockRef> {
  const { accounts, network, outcomes } = watched;
  /** Up to which logical time the payments of each account are settled. */
  const settledUpTo = new Map<string, bigint>();
  let highest = 0;

  /** The logical time of the account's oldest payment that is on its way; null for none. */
  const oldestUnsettled = async (
    ask: AskToncenter,
    account: string,
    newest: BlockRef,
  ): Promise<bigint | null> => {
    const { last } = await ask(accountState(account, newest.height));
    const from = settledUpTo.get(account) ?? 0n;
    const earliest = Math.floor(newest.time / microsPerSecond) - lookBackSeconds;
    let oldest: ExecutedTransaction | null = null;
    /** Messages that the account has processed. */
    const arrived = new Set<string>();
    for await (const one of walkBack(ask, network, account, last, from)) {
      if (from === 0n && one.time < earliest) break;
      if (one.input?.kind === "internal") arrived.add(one.input.message.hash);
      const passing = passedOn(one);
      // Its payments are those of a later transaction of the account.
      if (passing !== null && !arrived.has(passing.hash)) oldest = one;
      const ordered = orderedMessages(one, network) ?? [];
      const found = await inParts(ordered, (message) => outcomes.of(ask, message));
      if (found.includes("unsettled")) oldest = one;
    }
    settledUpTo.set(account, oldest?.previous.lt ?? last.lt);
    return oldest?.lt ?? null;
  };

  return async (ask) => {
    const newest = await newestBlock(ask);
    let height = newest.height;
    for (const account of accounts) {
      const lt = await oldestUnsettled(ask, account, newest);
      if (lt !== null)
        height = Math.min(height, (await heightOf(ask, account, lt, newest.height)) - 1);
    }
    highest = Math.max(highest, height, 1);
    // Another node may have been ahead of this one.
    const reached = Math.min(highest, newest.height);
    return reached === newest.height ? newest : (await ask(blockAt(reached))).header;
  };
}
