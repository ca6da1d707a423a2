import { createMempoolCheck } from "../../../src/main/build/mempool-check.ts";
import { onceRead } from "../../../src/main/build/once-read.ts";
import { pausePayouts } from "../../../src/payouts/controls/pause.store.ts";
import { createPayoutPipeline } from "../../../src/payouts/send/run-payouts.ts";
import type { Executor } from "../../../src/platform/db/database.ts";
import { addSeconds, type Instant } from "../../../src/platform/kernel/clock.ts";
import { type Logger, silentLogger } from "../../../src/platform/kernel/logger.ts";
import { isNewest, type MarkContext, syncMark } from "../../../src/treasury/recovery/sync-mark.ts";
import { adoptSigned } from "../../../src/treasury/spends/adopt-signed.ts";
import { tryEach } from "../../../src/treasury/spends/try-each.ts";
import { pendingSpends, readBlock } from "../../support/block-reading.ts";
import type { DiskSigner } from "../../support/disk-signer.ts";
import { inTurns, type Mains, type Parts, workerContext } from "../../support/payout-programs.ts";
import { simulatedChainName as chain, type PayoutSite } from "../../support/payout-site.ts";
import type { Program } from "../../support/turn-taking.ts";

/*
 * Workers and a follower that recognize a restore as those of the product do: nothing is read or sent before the marks of database and
 * signer were compared, nothing is sent before the chain was read to its tip, and the mempool is searched.
 */

/** How long a transaction without claims may be included. */
export const lifetimeSeconds = 60;

const { signal } = new AbortController();

/** Pauses the chain's payouts after a restore, until an operator resumes them. */
export function pauseRestored(
  tx: Executor,
  { reason, now, expires, beginsAgain }: RestorePause,
): Promise<void> {
  const validUntil = expires ? addSeconds(now, lifetimeSeconds) : null;
  const cause = { reason, now, by: null, validUntil, beginsAgain };
  return pausePayouts(tx, "restore", `chain/${chain}`, cause);
}

type RestorePause = {
  readonly reason: string;
  readonly now: Instant;
  /** Whether transactions expire instead of claiming something. */
  readonly expires: boolean;
  readonly beginsAgain: boolean;
};

/** `noteFound` receives what the comparison of the marks says. */
export function recoveringMains(
  site: PayoutSite<DiskSigner>,
  noteFound: (found: string) => void,
): Mains {
  const { expires } = site.chain;
  const logger: Logger = {
    ...silentLogger,
    error: (_, fields) => {
      if (typeof fields?.["found"] === "string") noteFound(fields["found"]);
    },
  };
  const markContext = (parts: Parts, program: Program): MarkContext => {
    const { turn } = program;
    const context = workerContext(parts, program);
    return {
      db: context.db,
      clock: site.clock,
      logger,
      signer: {
        readMark: () => turn(() => site.signer.readMark(), "read mark"),
        mark: (mark) => turn(() => site.signer.mark(mark), "mark"),
      },
      adoptSigned: async (stop) => {
        await adoptSigned(context, 0, stop);
      },
      pausePayouts: (tx, reason, now) =>
        pauseRestored(tx, { reason, now, expires, beginsAgain: true }),
    };
  };
  return {
    worker: (parts, program) => {
      const mark = markContext(parts, program);
      const context = workerContext(parts, program);
      const run = onceRead(
        { db: context.db, clock: site.clock, logger },
        chain,
        createPayoutPipeline(context),
      );
      let isFound = false;
      let comparedAt: Instant | null = null;
      const compare = async (): Promise<void> => {
        // Once a second, as soon as the database was found to be the newest one.
        if (isFound && comparedAt === site.clock.now()) return;
        comparedAt = site.clock.now();
        await syncMark(mark, signal);
        isFound ||= await isNewest(mark);
      };
      const pay = async (): Promise<void> => {
        if (isFound) await run(signal);
      };
      return () => tryEach([compare, pay], (step) => step());
    },
    follower: (parts, program) => {
      const mark = markContext(parts, program);
      const db = inTurns(parts, program);
      const { addressing } = site;
      const check = createMempoolCheck(
        {
          db,
          clock: site.clock,
          logger: silentLogger,
          pauseChain: (tx, _, reason, now) =>
            pauseRestored(tx, { reason, now, expires, beginsAgain: false }),
        },
        {
          chain,
          addressing,
          keyspace: chain.toLowerCase(),
          writer: {},
          reader: {
            pendingSpends: (isOurs) =>
              program.turn(() => Promise.resolve(pendingSpends(site, isOurs)), "mempool"),
          },
        },
      );
      const searchMempool = async (): Promise<boolean> => {
        const { hash } = site.node.tip();
        await check(signal);
        return site.node.tip().hash === hash;
      };
      let isFound = false;
      return async () => {
        isFound ||= await isNewest(mark);
        if (isFound) await readBlock(site, db, undefined, searchMempool);
      };
    },
  };
}
