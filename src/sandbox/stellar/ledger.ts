import {
  type LedgerEntry,
  type LedgerKey,
  type TransactionEnvelope,
  type TransactionMeta,
  type TransactionResult,
  type TransactionResultResult,
} from "@stellar/stellar-sdk/xdr";
import { assert, present } from "../../platform/kernel/assert.ts";
import { type Clock, microsPerSecond } from "../../platform/kernel/clock.ts";
import { type ClosedTransaction, closeMeta, genesisHeader, type Parent } from "./close-meta.ts";
import { keyOf, nameOf } from "./entries.ts";
import { firstTransaction, networkId, rootEntry } from "./genesis.ts";
import type { ClosedLedger, Journal } from "./journal.ts";
import { type Draft, draftOn, replay } from "./state.ts";
import {
  chargeFee,
  checkTransaction,
  executeTransaction,
  readSigned,
  type Signed,
} from "./transactions.ts";

export type FoundTransaction = {
  readonly ledger: ClosedLedger;
  /** From 1. */
  readonly order: number;
  readonly hash: string;
  readonly envelope: TransactionEnvelope;
  readonly result: TransactionResult;
  readonly meta: TransactionMeta;
};

export type Submission =
  | { readonly status: "PENDING" | "DUPLICATE" | "TRY_AGAIN_LATER" }
  | { readonly status: "ERROR"; readonly result: TransactionResultResult };

/** A network of one validator: what waits, and the ledgers that it closed. */
export type Ledger = {
  readonly newest: () => ClosedLedger;
  readonly oldest: () => number;
  readonly at: (sequence: number) => ClosedLedger | null;
  /** As `at`, also of those that the node forgot: Horizon keeps all. */
  readonly archived: (sequence: number) => ClosedLedger | null;
  /** By either hash of a fee-bump transaction. */
  readonly find: (hash: string) => FoundTransaction | null;
  readonly transactionsOf: (ledger: ClosedLedger) => readonly FoundTransaction[];
  readonly entry: (key: LedgerKey) => LedgerEntry | null;
  readonly entries: () => readonly LedgerEntry[];
  /** Changes for a trial, which are thrown away. */
  readonly scratch: () => Draft;
  /** Takes a transaction for the next ledger, as stellar-core's queue does: one of each account at a time. */
  readonly submit: (signed: Signed) => Submission;
  /** Closes ledgers, each a second or more after the one before. */
  readonly close: (count: number) => Promise<ClosedLedger>;
  /** Moves the network's time ahead permanently. */
  readonly skip: (seconds: number) => void;
  /** Answers that it has no ledgers before that one. */
  readonly forget: (before: number) => void;
  /** Takes so many transactions and drops them. */
  readonly swallow: (count: number) => void;
};

/** Continues the ledgers of the journal, or begins a network. */
export async function openLedger(
  recorded: readonly ClosedLedger[],
  journal: Journal,
  clock: Clock,
): Promise<Ledger> {
  const closed: ClosedLedger[] = [];
  const places = new Map<string, FoundTransaction>();
  const genesis = rootEntry();
  const state = new Map([[nameOf(keyOf(genesis)), genesis]]);
  const waiting = new Map<string, Signed>();
  let parent: Parent = genesisHeader(networkId);
  let aheadSeconds = 0n;
  let oldest = 1;
  let toSwallow = 0;

  const add = (ledger: ClosedLedger): void => {
    const { ledgerHeader } = ledger.meta.v2;
    closed.push(ledger);
    parent = { hash: ledgerHeader.hash.value, header: ledgerHeader.header };
    for (const found of transactionsOf(ledger)) {
      places.set(found.hash, found);
      const inner = readSigned(found.envelope, networkId)?.bump?.innerHash;
      if (inner !== undefined) places.set(hexOf(inner), found);
    }
  };

  /** The ledger's time follows the clock, and is later than that of the one before. */
  const nextTime = (): bigint => {
    const now = clockSeconds() + aheadSeconds;
    const before = parent.header.scpValue.closeTime;
    return now > before ? now : before + 1n;
  };
  const clockSeconds = (): bigint => BigInt(Math.floor(clock.now() / microsPerSecond));

  const closeNext = async (signed: readonly Signed[]): Promise<ClosedLedger> => {
    const closeTime = nextTime();
    const sequence = parent.header.ledgerSeq + 1;
    const draft = draftOn(state, parent.header.idPool);
    const valid = signed.filter((one) => checkTransaction(one, draft, closeTime) === null);
    const charged = valid.map((one) => {
      const step = draft.nested();
      const feeCharged = chargeFee(one, step, sequence);
      const feeChanges = step.changes();
      step.commit();
      return { one, feeCharged, feeChanges };
    });
    const executed = charged.map(({ one, feeCharged, feeChanges }): ClosedTransaction => {
      const outcome = executeTransaction(one, draft, { ledger: sequence, closeTime, feeCharged });
      return { ...outcome, feeChanges };
    });
    const meta = closeMeta(parent, closeTime, executed, draft.lastId());
    assert(meta.type === "v2", "this program writes one form of metadata");
    const ledger = { sequence, closeTime, meta };
    // In the file before anyone sees it.
    await journal.append(ledger);
    draft.commit();
    add(ledger);
    return ledger;
  };

  for (const ledger of recorded) {
    for (const changes of changesOf(ledger)) replay(state, changes);
    add(ledger);
  }
  const begin = readSigned(firstTransaction(), networkId);
  if (closed.length === 0) await closeNext([present(begin, "the first transaction")]);

  /** Ledgers close one after the other. */
  let closing: Promise<unknown> = Promise.resolve();
  const closeMany = async (count: number): Promise<ClosedLedger> => {
    for (let done = 0; done < count; done += 1) {
      const taken = [...waiting.values()];
      waiting.clear();
      await closeNext(taken);
    }
    return present(closed.at(-1), "a ledger");
  };

  return {
    newest: () => present(closed.at(-1), "a ledger"),
    oldest: () => oldest,
    at: (sequence) => (sequence < oldest ? null : (closed[sequence - 1] ?? null)),
    archived: (sequence) => closed[sequence - 1] ?? null,
    find: (hash) => {
      const found = places.get(hash) ?? null;
      return found === null || found.ledger.sequence < oldest ? null : found;
    },
    transactionsOf,
    entry: (key) => state.get(nameOf(key)) ?? null,
    entries: () => [...state.values()],
    scratch: () => draftOn(state, parent.header.idPool).nested(),
    submit: (signed) => {
      const hash = hexOf(signed.hash);
      const account = signed.source.toXdr("hex");
      const before = waiting.get(account);
      if (before !== undefined && hexOf(before.hash) === hash) return { status: "DUPLICATE" };
      if (before !== undefined) return { status: "TRY_AGAIN_LATER" };
      const fault = checkTransaction(signed, draftOn(state, parent.header.idPool), nextTime());
      if (fault !== null) return { status: "ERROR", result: fault };
      if (toSwallow > 0) toSwallow -= 1;
      else waiting.set(account, signed);
      return { status: "PENDING" };
    },
    close: (count) => {
      const done = closing.then(() => closeMany(count));
      closing = done.catch(() => undefined);
      return done;
    },
    skip: (seconds) => {
      if (seconds > 0) aheadSeconds = nextTime() - clockSeconds() + BigInt(seconds);
    },
    forget: (before) => {
      oldest = Math.max(oldest, Math.min(before, parent.header.ledgerSeq));
    },
    swallow: (count) => {
      toSwallow = count;
    },
  };
}

/** The transactions of a ledger in the order of their execution. */
function transactionsOf(ledger: ClosedLedger): readonly FoundTransaction[] {
  const { txSet, txProcessing } = ledger.meta.v2;
  const [phase] = txSet.v1TxSet.phases;
  assert(phase?.type === "v0Components", "this program writes one form of sets");
  const envelopes = phase.v0Components.flatMap(
    ({ txsMaybeDiscountedFee }) => txsMaybeDiscountedFee.txs,
  );
  return txProcessing.map(({ result, txApplyProcessing }, at) => ({
    ledger,
    order: at + 1,
    hash: hexOf(result.transactionHash.value),
    envelope: present(envelopes[at], "an envelope"),
    result: result.result,
    meta: txApplyProcessing,
  }));
}

function changesOf({ meta }: ClosedLedger) {
  const { txProcessing } = meta.v2;
  return [
    ...txProcessing.map(({ feeProcessing }) => feeProcessing),
    ...txProcessing.flatMap(({ txApplyProcessing }) => {
      assert(txApplyProcessing.type === "v4", "this program writes one form of metadata");
      const { txChangesBefore, operations } = txApplyProcessing.v4;
      return [txChangesBefore, ...operations.map(({ changes }) => changes)];
    }),
  ];
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
