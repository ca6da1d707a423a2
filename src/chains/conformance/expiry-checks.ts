import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { present } from "../../platform/kernel/assert.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { hasEndedBy } from "../../platform/kernel/validity.ts";
import type { Draft } from "../paying-port.ts";
import {
  type ChainDriver,
  type ConformanceCheck,
  checkWith,
  mine,
  never,
  paidTo,
} from "./conformance-check.ts";
import { assertArrivedOnce, draftOf, freshPayment, signed, writerOf } from "./writer-checks.ts";

/** A worker or a node may be off for so long, which is longer than any transaction of ours is valid. */
const lateBlocks = 1_500;
const lateSeconds = 6 * 3_600;

/** Mines long past the end of the draft. */
async function outliveByFar(driver: ChainDriver, draft: Draft): Promise<void> {
  const validity = present(draft.validity, "a draft that expires");
  const outlive = present(driver.outlive, "a method");
  await outlive({
    ...draft,
    validity:
      validity.kind === "height"
        ? { kind: "height", last: validity.last + lateBlocks }
        : { kind: "time", until: addSeconds(validity.until, lateSeconds) },
  });
  // Searches that begin at the block before the newest one begin late as well.
  await driver.mine(2);
}

/** Expiry: a transaction whose validity has ended is provably in no block, and never gets into one. */
export const expiryChecks: readonly ConformanceCheck[] = [
  checkWith(
    "a transaction that no block contains when it expires never arrives",
    "outlive",
    async (driver, outlive) => {
      const { reader } = driver.adapter;
      const payer = present(driver.payer, "a payer");
      const writer = writerOf(driver);
      const isMissingUpTo = present(writer.isMissingUpTo, "a method");
      const { destination, payment } = freshPayment(driver);
      const draft = await draftOf(driver, { payments: [payment], funds: await payer.funds() });
      const { raw, txid } = await signed(payer, draft, [payment]);
      const validity = present(draft.validity, "a draft that expires");
      equal(hasEndedBy(validity, await reader.tip(never)), false);
      await outlive(draft);
      const tip = await reader.tip(never);
      ok(hasEndedBy(validity, tip), "the draft is still valid");
      equal(await isMissingUpTo(txid, draft, tip, never), true);
      equal((await writer.broadcast(raw, never)).kind, "rejected");
      deepEqual(paidTo(driver, (await mine(driver, 2)).transfers, destination), []);
      equal((await writer.status(txid, draft, never)).kind, "unknown");
    },
  ),
  checkWith(
    "a transaction in a block is not missing there, also after it expired",
    "outlive",
    async (driver, outlive) => {
      const { reader } = driver.adapter;
      const payer = present(driver.payer, "a payer");
      const writer = writerOf(driver);
      const isMissingUpTo = present(writer.isMissingUpTo, "a method");
      const { destination, payment } = freshPayment(driver);
      const draft = await draftOf(driver, { payments: [payment], funds: await payer.funds() });
      const { raw, txid } = await signed(payer, draft, [payment]);
      deepEqual(await writer.broadcast(raw, never), { kind: "accepted" });
      const arrived = paidTo(driver, (await mine(driver)).transfers, destination);
      assertArrivedOnce(driver, arrived, txid);
      await outlive(draft);
      equal(await isMissingUpTo(txid, draft, await reader.tip(never), never), false);
      notEqual((await writer.broadcast(raw, never)).kind, "accepted");
      equal((await writer.status(txid, draft, never)).kind, "mined");
      await outliveByFar(driver, draft);
      const late = await reader.tip(never);
      equal(await isMissingUpTo(txid, draft, late, never), false);
      equal(await isMissingUpTo("ab".repeat(32), draft, late, never), true);
    },
  ),
  checkWith(
    "a node does not call a transaction missing up to a block that it does not have",
    "outlive",
    async (driver) => {
      const { reader } = driver.adapter;
      const isMissingUpTo = present(writerOf(driver).isMissingUpTo, "a method");
      const { payment } = freshPayment(driver);
      const funds = await present(driver.payer, "a payer").funds();
      const draft = await draftOf(driver, { payments: [payment], funds });
      const tip = await reader.tip(never);
      const txid = "ab".repeat(32);
      const beyond = { height: tip.height + 1, hash: tip.hash };
      const elsewhere = { height: tip.height, hash: tip.parentHash };
      equal(await isMissingUpTo(txid, draft, beyond, never), false);
      equal(await isMissingUpTo(txid, draft, elsewhere, never), false);
    },
  ),
];
