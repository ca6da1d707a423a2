import { listOperatorAccounts } from "../../../src/accounts/operator.store.ts";
import { listPauses, resumePayouts } from "../../../src/payouts/controls/pause.store.ts";
import { settlePayouts } from "../../../src/payouts/send/settle-payouts.ts";
import { Rejected } from "../../../src/platform/kernel/rejection.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { assertMayResume } from "../../../src/treasury/recovery/assert-may-resume.ts";
import {
  type DecideContext,
  decideUnexplained,
} from "../../../src/treasury/recovery/decide-unexplained.ts";
import { listUnexplained } from "../../../src/treasury/recovery/unexplained.store.ts";
import {
  candidateIds,
  type FindWatchKey,
  type UnexplainedSpend,
} from "../../../src/treasury/recovery/unexplained-spend.ts";
import { withdrawSpend } from "../../../src/treasury/spends/withdraw-spend.ts";
import { simulatedChainName as chain, type PayoutSite } from "../../support/payout-site.ts";

/*
 * An operator who follows "The database was restored" of docs/operations.md: decides about each transaction that is not on record, and
 * resumes payouts. It knows what the recipients say: whom a transaction paid.
 */

/** Does what can be done now. `note` receives what it did. True if nothing is left to do. */
export async function operate(site: PayoutSite, note: (what: string) => void): Promise<boolean> {
  const { db } = site.database;
  const open = (await listUnexplained(db)).filter(({ decidedAt }) => decidedAt === null);
  let left = open.length;
  for (const transaction of open) {
    const decided = await decide(site, transaction);
    if (decided === null) continue;
    note(decided);
    left -= 1;
  }
  const pauses = (await listPauses(db, site.clock.now())).filter(({ kind }) => kind === "restore");
  if (pauses.length === 0) return left === 0;
  if (!(await resume(site))) return false;
  note("payouts resumed");
  return left === 0;
}

/** Null while it cannot be decided: it is in no block yet, or what it conflicts with is not final. */
async function decide(site: PayoutSite, transaction: UnexplainedSpend): Promise<string | null> {
  const { txid, block } = transaction;
  if (block === null && isOnItsWay(site, txid)) return null;
  const findWatchKey: FindWatchKey = (_, address, tag) =>
    site.addressing.watchKey({ address, tag, addressType: null });
  const payoutIds = block === null ? [] : candidateIds(transaction, findWatchKey);
  const decision = { chain, txid, payoutIds, reason: "asked the recipients" };
  try {
    await decideUnexplained(decideContext(site), decision);
    return payoutIds.length > 0 ? "unexplained settled" : "unexplained released";
  } catch (error) {
    if (error instanceof Rejected) return null;
    throw error;
  }
}

/** Whether a node has it, or a block that was not read yet. */
function isOnItsWay({ chain: ledger }: PayoutSite, txid: string): boolean {
  const mined = ledger.blocks().flatMap(({ applied }) => applied);
  return (
    ledger.mempool().some((waiting) => waiting.txid === txid) ||
    mined.some(({ transaction }) => transaction.txid === txid)
  );
}

function decideContext(site: PayoutSite): DecideContext {
  const { database, clock, currencies, refunds, listener, addressing } = site;
  const settling = {
    random: systemRandom,
    currencies,
    refunds,
    listener,
    withdrawFromSpend: (
      ...[tx, spendId, now]: Parameters<Parameters<typeof settlePayouts>[1]["withdrawFromSpend"]>
    ) => withdrawSpend(tx, listener, spendId, now),
    addressingOf: () => addressing,
  };
  return {
    db: database.db,
    clock,
    listOperatorAccounts,
    settlePaid: (tx, transaction, payoutIds, now) =>
      settlePayouts(tx, settling, transaction, payoutIds, now),
  };
}

/** False while the product refuses. */
async function resume({ database, clock }: PayoutSite): Promise<boolean> {
  try {
    await database.db.transaction(async (tx) => {
      const now = clock.now();
      const pauses = (await listPauses(tx, now)).flatMap(({ kind, since }) =>
        kind === "restore" && since !== null ? [{ chain, since, byKeyImage: false }] : [],
      );
      await assertMayResume(tx, pauses);
      await resumePayouts(tx, "restore", `chain/${chain}`, now);
    });
    return true;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
}
