import type { Draft, DraftOutcome, Funds, Payment } from "../../chains/paying-port.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { SignedPayout } from "../../signer/intent.ts";
import { createSpend } from "../../treasury/spends/create-spend.ts";
import { findFeeCeiling } from "../../treasury/spends/fee-ceiling.ts";
import { tryEach } from "../../treasury/spends/try-each.ts";
import { changePayouts } from "../change-payouts.ts";
import type { Payout } from "../payout.ts";
import { blockPayouts, logFeesTooHigh } from "./block-payouts.ts";
import { type BatchWaits, chooseGroups, coinBatchMax, splitGroup } from "./choose-groups.ts";
import { commitOnlyIf } from "./commit-only-if.ts";
import { type ChangeMemory, dropUsedChange, findCoins } from "./find-coins.ts";
import { isFresh } from "./open-batches.ts";
import { isIntended, paymentOf } from "./paid-payouts.ts";
import { failStopped, payAgain } from "./pay-again.ts";
import { arePayoutsPaused, readBatchWaits, readSendablePayouts } from "./send.store.ts";
import type { SendContext } from "./send-context.ts";
import { type AccountMemory, newRoundMemory, sendFromAccount } from "./send-from-account.ts";

/** Chooses how held payouts are paid. Its memory only saves work: losing it is harmless. */
export type PayoutSender = {
  /**
   * Opens spends for everything that can be paid now. Calls `onBehind` if the signer has signed for payouts that are
   * held here; its journal must then be read before they are drafted. Throws `Unavailable` with node or signer.
   */
  readonly send: (signal: AbortSignal, onBehind: () => void) => Promise<void>;
  /** The signer refused a transaction of these payouts; each is tried alone from now on. */
  readonly refused: (payoutIds: readonly string[]) => void;
};

type Memory = ChangeMemory &
  AccountMemory & {
    /** Payouts already mentioned in the log. */
    readonly logged: Set<string>;
    /** The last payout considered beyond the oldest ones. */
    examinedUpTo: string | null;
  };

/** Creates a chain's sender; call `send` once per pass. Its memory is lost with the process. */
export function createPayoutSender(context: SendContext): PayoutSender {
  const memory: Memory = {
    ...newRoundMemory(),
    alone: new Set(),
    setUpsAt: [],
    logged: new Set(),
    change: null,
    examinedUpTo: null,
  };
  return {
    send: (signal, onBehind) => send(context, memory, signal, onBehind),
    refused: (payoutIds) => {
      if (payoutIds.length > 1) for (const id of payoutIds) memory.alone.add(id);
    },
  };
}

/**
 * Considers the oldest payouts in every pass and, if there is room, the next ones in turn. So payouts that wait for
 * funds keep their place without delaying others.
 */
async function send(
  context: SendContext,
  memory: Memory,
  signal: AbortSignal,
  onBehind: () => void,
): Promise<void> {
  const { db, chain, clock, sending } = context;
  const { examineMax } = sending;
  if (await arePayoutsPaused(db, chain, clock.now())) return;
  const oldest = await readSendablePayouts(db, chain, "0", examineMax);
  const failUndone = (): Promise<void> => failStopped(context, onBehind);
  let oldestExamined = true;
  const examineOldest = async (): Promise<void> => {
    oldestExamined = await sendSome(context, memory, oldest, signal, onBehind);
  };
  const examineNext = async (): Promise<void> => {
    const last = oldest.at(-1)?.id;
    if (last === undefined || oldest.length < examineMax) return;
    if (!oldestExamined || signal.aborted) return;
    const from = higherId(memory.examinedUpTo ?? "0", last);
    const next = await readSendablePayouts(db, chain, from, examineMax);
    let othersExamined = true;
    try {
      othersExamined = await sendSome(context, memory, next, signal, onBehind);
    } finally {
      // Payouts without room come first in the next pass; after the newest ones the turn starts again.
      if (othersExamined)
        memory.examinedUpTo = next.length < examineMax ? null : (next.at(-1)?.id ?? null);
    }
  };
  await tryEach([failUndone, examineOldest, examineNext], (step) => step());
}

function higherId(a: string, b: string): string {
  return BigInt(a) > BigInt(b) ? a : b;
}

/** False if some were not considered, because there was no room or nothing to pay from. */
async function sendSome(
  context: SendContext,
  memory: Memory,
  held: readonly Payout[],
  signal: AbortSignal,
  onBehind: () => void,
): Promise<boolean> {
  const { writer } = context;
  if (held.length === 0) return true;
  const accountIds = [...new Set(held.map(({ accountId }) => accountId))];
  const waits = await readBatchWaits(context.db, accountIds);
  const signed = new Map(
    (await context.payoutsSigned(held.map(({ id }) => id))).map((entry) => [entry.payoutId, entry]),
  );
  if (await handleSigned(context, memory, held.filter(isFresh), signed)) onBehind();
  const free = held.filter(({ id }) => !signed.has(id));
  if (writer.account === null) return await sendInGroups(context, memory, waits, free, signal);
  const undone = held.filter((payout) => !isFresh(payout));
  await payAgain(context, writer.account, undone, signed, signal, onBehind);
  const fresh = free.filter(isFresh);
  return await sendFromAccount(context, writer.account, memory, { waits, payouts: fresh }, signal);
}

/** On UTXO chains one transaction pays many payouts. False if some were not considered. */
async function sendInGroups(
  context: SendContext,
  memory: Memory,
  waits: BatchWaits,
  free: readonly Payout[],
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, writer, sending } = context;
  const max = Math.min(writer.paymentsMax, sending.batchMax ?? coinBatchMax);
  const groups = [...chooseGroups(free, max, memory.alone, { ...sending, waits }, clock.now())];
  while (!signal.aborted) {
    const group = groups.shift();
    if (group === undefined) return true;
    const outcome = await tryGroup(context, memory, group, signal);
    if (outcome === "split") groups.unshift(...splitGroup(group));
    if (outcome === "later") break;
  }
  return false;
}

/**
 * Payouts for which the signer has signed are not drafted again. If it signed this very payment, the journal has it:
 * returns true. If it signed another payment under the id, a restored database has reused the id; the payout can
 * never be paid and is blocked with that message.
 */
async function handleSigned(
  context: SendContext,
  { logged }: Memory,
  held: readonly Payout[],
  signed: ReadonlyMap<string, SignedPayout>,
): Promise<boolean> {
  const { chain, logger } = context;
  const found = held.flatMap((payout) => {
    const entry = signed.get(payout.id);
    return entry === undefined ? [] : [{ payout, ...entry }];
  });
  const isOwn = ({ payout, intents }: (typeof found)[number]): boolean =>
    intents.some((intent) => isIntended(payout, intent));
  for (const { payout, txids } of found.filter((entry) => !isOwn(entry))) {
    await blockPayouts(context, [payout], `${idTaken} (${txids.join(", ")})`);
  }
  const behind = found.filter(isOwn).map(({ payoutId }) => payoutId);
  const unlogged = behind.filter((id) => !logged.has(id));
  if (unlogged.length > 0) {
    logger.warn("the signer has signed for payouts that are held", { chain, payouts: unlogged });
    for (const id of unlogged) logged.add(id);
  }
  return behind.length > 0;
}

const idTaken =
  "The signer has signed another payment under this payout's id, which was used before the database was restored. Cancel it and create it again";

/** `split`: not payable together, perhaps in part. `later`: nothing is payable for now. */
type GroupOutcome = "opened" | "waits" | "split" | "later";

async function tryGroup(
  context: SendContext,
  memory: Memory,
  group: readonly Payout[],
  signal: AbortSignal,
): Promise<GroupOutcome> {
  const payments = group.map((payout) => paymentOf(payout, context.addressing));
  const funds = await findCoins(context, memory, payments.length);
  if (funds === null) return "later";
  const feeCeiling = await findFeeCeiling(context, payments, funds, signal);
  const request = { payments, funds, feeTarget: feeTargetOf(group, context), feeCeiling };
  const outcome = await context.writer.draft({ ...request, replaces: null }, signal);
  if (outcome.kind !== "draft") return handleObstacle(context, group, outcome);
  const { draft } = outcome;
  assert(draft.feeUnits <= feeCeiling, "a draft burns more than its ceiling");
  return openGroup(context, memory, group, { payments, funds, draft });
}

/** The sum of fees charged to the payers, at which the draft aims; null if there is none. */
function feeTargetOf(group: readonly Payout[], { writer }: SendContext): bigint | null {
  const charged = group
    .filter(({ feeCurrency }) => feeCurrency === writer.coin)
    .reduce((sum, { feeUnits }) => sum + feeUnits, 0n);
  return charged === 0n ? null : charged;
}

async function handleObstacle(
  context: SendContext,
  group: readonly Payout[],
  outcome: Exclude<DraftOutcome, { readonly kind: "draft" }>,
): Promise<GroupOutcome> {
  if (outcome.kind === "tooExpensive") {
    logFeesTooHigh(context, outcome.feeUnits);
    return "waits";
  }
  if (group.length > 1) return "split";
  if (outcome.kind === "insufficient") return "waits";
  await blockPayouts(context, group, outcome.reason);
  return "waits";
}

/** `later`, and nothing stored, if a coin was claimed or a payout was canceled, blocked or sent concurrently. */
async function openGroup(
  context: SendContext,
  memory: Memory,
  group: readonly Payout[],
  {
    payments,
    funds,
    draft,
  }: {
    readonly payments: readonly Payment[];
    readonly funds: Funds;
    readonly draft: Draft;
  },
): Promise<GroupOutcome> {
  const { db, chain, clock, currencies, writer } = context;
  const now = clock.now();
  const ids = group.map(({ id }) => id);
  const counts = group.map(({ currency }) => currencies.get(currency).confirmationBlocks);
  const isOpen = await commitOnlyIf(
    db,
    async (tx) => {
      const outcome = await createSpend(
        tx,
        {
          chain,
          kind: "payout",
          purpose: {},
          leaves: null,
          draft,
          sender: null,
          request: { payments, funds },
          feeCurrency: writer.coin,
          confirmations: Math.max(context.coinConfirmations, ...counts),
        },
        now,
      );
      if (outcome.kind === "claimed") return false;
      const { id } = outcome.spend;
      const changes = await changePayouts(
        tx,
        context,
        ids,
        (payout) =>
          payout.stage === "held" ? { ...payout, stage: "sending", spendId: id } : payout,
        now,
      );
      return changes.length === ids.length && changes.every(({ after }) => after.spendId === id);
    },
    (isDone) => isDone,
  );
  if (!isOpen) return "later";
  dropUsedChange(memory, writer.changeOf?.("", draft).length ?? 0);
  for (const id of ids) memory.alone.delete(id);
  return "opened";
}
