import { deepEqual, equal, notEqual, ok, rejects } from "node:assert/strict";
import { randomInt } from "node:crypto";
import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type {
  ChainWriter,
  Draft,
  DraftRequest,
  Funds,
  Payment,
  SpendStatus,
} from "../paying-port.ts";
import type { Transfer } from "../port.ts";
import {
  blockOf,
  type ChainDriver,
  type ConformanceCheck,
  checkWith,
  freshDestination,
  isProbable,
  mine,
  never,
  type Payer,
  paidTo,
  unitsOf,
  waitingStatus,
} from "./conformance-check.ts";

/** Above every fee in tests, and small enough not to overflow. */
const feeCeiling = 10n ** 17n;
/** By how many blocks a node is behind; where payments take blocks to arrive, the tip is a few before the node's newest. */
const behind = 5;

/** Paying: the signed transaction is mined at most once, for the stated fee. */
export const writerChecks: readonly ConformanceCheck[] = [
  checkWith("quotes are positive and rise from low to high", "payer", async (driver, payer) => {
    const funds = await payer.funds();
    const { payment } = freshPayment(driver);
    const balance = payment.amount.units * 1_000n;
    const quote = await writerOf(driver).quote({ payment, funds, balance }, never);
    ok(quote.low > 0n && quote.low <= quote.medium && quote.medium <= quote.high);
    ok(quote.dust >= 0n && quote.dust < driver.units);
  }),
  checkWith(
    "a payment arrives in full, under the signed transaction id, for the drafted fee",
    "payer",
    async (driver, payer) => {
      const { destination, payment } = freshPayment(driver);
      const spend = await send(driver, payer, [payment]);
      const mined = await mine(driver);
      const { block, transfers } = blockOf(mined, spend.txid);
      const ownId = driver.declares.arrivesUnderOwnId === true;
      const arrived = paidTo(driver, ownId ? mined.transfers : transfers, destination);
      assertArrivedOnce(driver, arrived, spend.txid);
      equal(unitsOf(driver, arrived[0]), payment.amount.units);
      const status = await statusOf(driver, spend);
      if (status.kind !== "mined") throw new Error(`it is ${status.kind}`);
      const { feeUnits, hasSucceeded, txid } = status;
      deepEqual([status.block, txid, hasSucceeded], [block, spend.txid, true]);
      const burnt = await payer.burnt(spend.txid);
      equal(burnt, feeUnits ?? spend.draft.feeUnits);
      ok(burnt <= spend.draft.feeUnits, `burned ${burnt} of at most ${spend.draft.feeUnits}`);
      const own = await driver.adapter.reader.receiptsIn([spend.txid], block, never);
      deepEqual(own, [{ txid, hasSucceeded, feeUnits }]);
    },
  ),
  checkWith(
    "the same draft gives the same bytes",
    "payer",
    async (driver, payer) => {
      const { payment } = freshPayment(driver);
      const draft = await draftOf(driver, { payments: [payment], funds: await payer.funds() });
      deepEqual(await signed(payer, draft, [payment]), await signed(payer, draft, [payment]));
    },
    // Monero's signatures differ: the signer's journal answers a repeated request.
    ({ claims }) => claims !== "keyImages",
  ),
  checkWith(
    "broadcasting the same bytes again returns alreadyKnown, both pending and in a block",
    "payer",
    async (driver, payer) => {
      const { payment } = freshPayment(driver);
      const spend = await send(driver, payer, [payment]);
      const writer = writerOf(driver);
      deepEqual(await writer.broadcast(spend.raw, never), { kind: "alreadyKnown" });
      deepEqual(await statusOf(driver, spend), waitingStatus(driver));
      await driver.mine(1);
      deepEqual(await writer.broadcast(spend.raw, never), { kind: "alreadyKnown" });
      await driver.mine(1);
      deepEqual(await writer.broadcast(spend.raw, never), { kind: "alreadyKnown" });
    },
  ),
  checkWith("a transaction that was never broadcast is unknown", "payer", async (driver, payer) => {
    const { payment } = freshPayment(driver);
    const draft = await draftOf(driver, { payments: [payment], funds: await payer.funds() });
    const { txid } = await signed(payer, draft, [payment]);
    deepEqual(await writerOf(driver).status(txid, draft, never), { kind: "unknown" });
  }),
  checkWith(
    "a replacement shares the first claim, pays a higher fee and is mined instead",
    "payer",
    async (driver, payer) => {
      const { destination, payment } = freshPayment(driver);
      const request = { payments: [payment], funds: await payer.funds() };
      const first = await sendDraft(driver, payer, await draftOf(driver, request), [payment]);
      const draft = await draftOf(driver, { ...request, replaces: first.draft });
      equal(draft.claims[0], first.draft.claims[0]);
      for (const claim of first.draft.claims) ok(draft.claims.includes(claim), `lost ${claim}`);
      ok(draft.feeUnits > first.draft.feeUnits);
      const second = await sendDraft(driver, payer, draft, [payment]);
      notEqual(second.txid, first.txid);
      const arrived = paidTo(driver, (await mine(driver)).transfers, destination);
      deepEqual(
        arrived.map(({ key }) => key.txid),
        [second.txid],
      );
      equal((await statusOf(driver, second)).kind, "mined");
      const lost = await statusOf(driver, first);
      ok(lost.kind !== "pending", "it waits for nothing");
      if (lost.kind === "mined") equal(lost.txid, second.txid);
    },
    // A transaction that expires is never replaced while it may be mined.
    ({ claims, neverReplaces, validity }) =>
      claims !== "none" && validity === "none" && neverReplaces === undefined,
  ),
  checkWith(
    "a pending transaction is not replaced, neither by a draft nor by a node",
    "payer",
    async (driver, payer) => {
      const { destination, payment } = freshPayment(driver);
      const { destination: elsewhere, payment: other } = freshPayment(driver);
      const funds = await payer.funds();
      // Drafted before: Monero's wallet since 0.18.5 drafts nothing of what a pending transaction spends.
      const rival = await draftOf(driver, { payments: [other], funds });
      const first = await send(driver, payer, [payment], funds);
      const writer = writerOf(driver);
      const request = { payments: [payment], funds, feeTarget: null, feeCeiling };
      const replacing = await writer.draft({ ...request, replaces: first.draft }, never);
      equal(replacing.kind, "impossible");
      ok(
        rival.claims.some((claim) => first.draft.claims.includes(claim)),
        "no claim in common",
      );
      const { raw } = await signed(payer, rival, [other]);
      equal((await writer.broadcast(raw, never)).kind, "rejected");
      deepEqual(await statusOf(driver, first), { kind: "pending" });
      const { transfers } = await mine(driver);
      equal(paidTo(driver, transfers, destination).length, 1);
      deepEqual(paidTo(driver, transfers, elsewhere), []);
    },
    ({ neverReplaces }) => neverReplaces === true,
  ),
  checkWith(
    "a reorg returns a mined payment to pending",
    "payer",
    async (driver, payer) => {
      const { payment } = freshPayment(driver);
      const spend = await send(driver, payer, [payment]);
      const { block } = blockOf(await mine(driver), spend.txid);
      await driver.reorg(1);
      const status = await statusOf(driver, spend);
      ok(status.kind !== "mined" || status.block.hash !== block.hash, "in a block that is gone");
      notEqual(status.kind, "conflicted");
      await driver.mine(1);
    },
    isProbable,
  ),
  checkWith("no draft exceeds the fee ceiling", "payer", async (driver, payer) => {
    const { payment } = freshPayment(driver);
    const funds = await payer.funds();
    const request = { payments: [payment], funds, feeTarget: null, replaces: null };
    const outcome = await writerOf(driver).draft({ ...request, feeCeiling: 1n }, never);
    if (outcome.kind !== "tooExpensive") throw new Error(`it is ${outcome.kind}`);
    ok(outcome.feeUnits > 1n);
  }),
  checkWith(
    "a node behind a height says neither what an account has nor its next number, and drafts nothing",
    "payer",
    async (driver, payer) => {
      const { reader, writer } = driver.adapter;
      const account = present(writer, "a writer").account;
      const funds = await payer.funds();
      if (account?.excludeBehind === undefined || funds.kind !== "account") return;
      const { payment } = freshPayment(driver);
      const ask = async (): Promise<unknown[]> => [
        await account.nextSequence?.(funds.address, never),
        await account.funds(funds.address, driver.currency, 1, never),
        await draftOf(driver, { payments: [payment], funds }),
      ];
      const { height } = await reader.tip(never);
      account.excludeBehind(height + behind);
      await rejects(ask(), Unavailable);
      await rejects(draftOf(driver, { payments: [payment], funds }), Unavailable);
      await driver.mine(behind);
      account.excludeBehind(height);
      equal((await ask()).length, 3);
    },
  ),
  checkWith(
    "an unresponsive node is unavailable for payments too",
    "payer",
    async (driver, payer) => {
      const writer = writerOf(driver);
      const { payment } = freshPayment(driver);
      const request = { payments: [payment], funds: await payer.funds() };
      const draft = await draftOf(driver, request);
      const { raw, txid } = await signed(payer, draft, [payment]);
      const resume = await driver.cutOff();
      try {
        await rejects(writer.broadcast(raw, never), Unavailable);
        await rejects(writer.status(txid, draft, never), Unavailable);
        await rejects(draftOf(driver, request), Unavailable);
      } finally {
        await resume();
      }
      deepEqual(await writer.broadcast(raw, never), { kind: "accepted" });
      await driver.mine(1);
    },
  ),
];

/** One payment arrived, and where sender and receiver see one transaction, under its id. */
export function assertArrivedOnce(
  { declares }: ChainDriver,
  arrived: readonly Transfer[],
  txid: string,
): void {
  const ids = arrived.map(({ key }) => key.txid);
  if (declares.arrivesUnderOwnId === true) equal(ids.length, 1);
  else deepEqual(ids, [txid]);
}

type Spend = { readonly txid: string; readonly raw: Uint8Array; readonly draft: Draft };

export function writerOf(driver: ChainDriver): ChainWriter {
  return present(driver.adapter.writer, "an adapter that can pay");
}

export function freshPayment(driver: ChainDriver): {
  readonly destination: Payment["destination"];
  readonly payment: Payment;
} {
  const destination = freshDestination(driver);
  const amount = { units: driver.units, currency: driver.currency };
  return { destination, payment: { destination, amount } };
}

export async function draftOf(
  driver: ChainDriver,
  request: Pick<DraftRequest, "payments" | "funds"> & Partial<DraftRequest>,
): Promise<Draft> {
  const reference = String(randomInt(1, 2 ** 47));
  const whole = { feeTarget: null, feeCeiling, replaces: null, reference, ...request };
  const outcome = await writerOf(driver).draft(whole, never);
  if (outcome.kind !== "draft") throw new Error(`no draft: ${outcome.kind}`);
  references.set(outcome.draft, reference);
  return outcome.draft;
}

/** With what `draftOf` requested each draft. */
const references = new WeakMap<Draft, string>();

/** Has a draft of `draftOf` signed. */
export function signed(
  payer: Payer,
  draft: Draft,
  payments: readonly Payment[],
): ReturnType<Payer["sign"]> {
  return payer.sign(draft, payments, present(references.get(draft), "a draft's reference"));
}

async function send(
  driver: ChainDriver,
  payer: Payer,
  payments: readonly Payment[],
  funds: Funds | null = null,
): Promise<Spend> {
  const draft = await draftOf(driver, { payments, funds: funds ?? (await payer.funds()) });
  return await sendDraft(driver, payer, draft, payments);
}

async function sendDraft(
  driver: ChainDriver,
  payer: Payer,
  draft: Draft,
  payments: readonly Payment[],
): Promise<Spend> {
  const sent = await signed(payer, draft, payments);
  deepEqual(await writerOf(driver).broadcast(sent.raw, never), { kind: "accepted" });
  return { ...sent, draft };
}

async function statusOf(driver: ChainDriver, { draft, txid }: Spend): Promise<SpendStatus> {
  return await writerOf(driver).status(txid, draft, never);
}
