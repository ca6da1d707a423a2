import { type AuditRecord, recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import { recordEvents } from "../../callbacks/events/record-events.ts";
import type { WalletBalance } from "../../ledger/ledger.store.ts";
import { appendPositions } from "../../ledger/position.store.ts";
import { postLocked } from "../../ledger/post.ts";
import { recordNotices } from "../../notifications/record-notices.ts";
import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { entryOf } from "../change-payouts.ts";
import { insertPayoutRows } from "../payout.store.ts";
import type { Payout } from "../payout.ts";
import { payoutEvents } from "../payout-events.ts";
import { savePayoutTraces } from "../payout-trace.store.ts";
import { transferOfPayout } from "../payout-transfer.ts";
import { committedBetween } from "../positions.ts";
import { findPayoutFiat } from "../value-payouts.ts";
import type { Claimed } from "./accept-payouts.ts";
import { approvalNotices } from "./approval-notices.ts";
import type { WriteContext } from "./new-payout.ts";

export type Created = { readonly claim: Claimed; readonly after: Payout };

/** Inserts the payouts with their transfers, postings, positions, events, notices and audit records. */
export async function insertCreated(
  tx: Executor,
  context: WriteContext,
  created: readonly Created[],
  balances: readonly WalletBalance[],
  fiatOf: ReadonlyMap<string, CurrencyId>,
  now: Instant,
): Promise<void> {
  if (created.length === 0) return;
  const payouts = created.map(({ after }) => after);
  const prices = await findPayoutFiat(committed(created), fiatOf);
  await Promise.all([
    insertPayoutRows(tx, payouts, prices),
    postLocked(
      tx,
      balances,
      payouts.map((payout) => entryOf(null, payout)),
      now,
    ),
    savePayoutTraces(
      tx,
      created.flatMap(({ claim: { payout }, after: { accountId, id } }) =>
        payout.traceparent == null ? [] : [{ accountId, id, traceparent: payout.traceparent }],
      ),
    ),
    appendPositions(tx, committedBetween(created.map(({ after }) => ({ before: null, after })))),
  ]);
  for (const { claim, after } of created) {
    const { target, findRate } = claim.payout;
    if (after.stage === "internal") {
      const receiver = present(target, "target of an internal payout");
      await context.payInternally(tx, after, receiver, findRate, now);
    }
  }
  // A new payout is in no block, and neither blocked nor failed, which members would be notified of with its receiver.
  await recordEvents(
    tx,
    payouts.flatMap((after) =>
      payoutEvents(
        { before: null, after },
        transferOfPayout(after),
        context.currencies,
        null,
        null,
        now,
      ),
    ),
    context.random,
  );
  const waiting = created
    .filter(({ claim, after }) => after.stage === "waiting" && claim.payout.waitsInBatch !== true)
    .map(({ claim, after }) => ({ payout: after, findRate: claim.payout.findRate }));
  await recordNotices(tx, await approvalNotices(tx, waiting, fiatOf, context.currencies), now);
  const creations = created.map(({ claim: { payout }, after }) => ({
    person: payout.person,
    after,
    further: payout.incoming?.audits(now) ?? [],
  }));
  await auditCreations(tx, creations, now);
}

/** All but the payouts that wait for approval: they are valued when they are approved. */
function committed(created: readonly Created[]) {
  return created
    .filter(({ after }) => after.stage !== "waiting")
    .map(({ claim, after }) => ({ payout: after, findRate: claim.payout.findRate }));
}

/**
 * Records payouts created in the dashboard, and returns made by operators, in the audit log. Payouts of programs are
 * left out: their rows name the creator, and the log serializes an account's transactions, which would slow down
 * programs that create thousands.
 */
async function auditCreations(
  tx: Executor,
  created: readonly {
    readonly person: Principal | null;
    readonly after: Payout;
    readonly further: readonly AuditRecord[];
  }[],
  now: Instant,
): Promise<void> {
  const [first, ...others] = created.flatMap(
    ({ person, after, further }): readonly AuditRecord[] =>
      person === null
        ? further
        : [
            ...further,
            {
              by: person,
              action: "payout.created",
              at: now,
              object: { type: "payout", id: after.id },
              summary: { wallet: after.walletId, stage: after.stage },
            },
          ],
  );
  if (first !== undefined) await recordAudit(tx, first, ...others);
}
