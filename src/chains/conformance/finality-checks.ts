import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { present } from "../../platform/kernel/assert.ts";
import {
  type ConformanceCheck,
  check,
  type Declaration,
  freshDestination,
  mine,
  never,
  paidTo,
} from "./conformance-check.ts";

/** Final tips: what is above them may change, they do not, and nothing counts twice. */
export const finalityChecks: readonly ConformanceCheck[] = [
  check(
    "a payment in a newer block than the tip is pending, and in no block of the adapter",
    async (driver) => {
      const { reader } = driver.adapter;
      const pending = present(reader.pendingTransfers, "a method");
      const before = await reader.tip(never);
      const destination = freshDestination(driver);
      const txid = await driver.fund(destination, driver.units);
      equal(paidTo(driver, await pending(never), destination).length, 1);
      const tip = await reader.tip(never);
      equal(await reader.headerAt(tip.height + 1, never), null);
      for (let height = before.height; height <= tip.height; height += 1) {
        const header = present(await reader.headerAt(height, never), "a header below the tip");
        const content = present(await reader.readBlock(header, never), "its content");
        deepEqual(paidTo(driver, content.transfers, destination), []);
        deepEqual(await reader.receiptsIn([txid], header, never), []);
      }
      await driver.mine(1);
    },
    hasNewerBlocks,
  ),
  check(
    "a fork above the tip replaces no block at or below it",
    async (driver) => {
      const { reader } = driver.adapter;
      await driver.mine(1);
      const tip = await reader.tip(never);
      await driver.reorg(2);
      deepEqual(await reader.headerByHash(tip.hash, never), tip);
      ok((await reader.tip(never)).height >= tip.height);
      await driver.mine(3);
      deepEqual(await reader.headerAt(tip.height, never), tip);
    },
    hasNewerBlocks,
  ),
  check(
    "a payment that a fork moves to another block is one payment under one key",
    async (driver) => {
      const { reader } = driver.adapter;
      const pending = present(reader.pendingTransfers, "a method");
      const destination = freshDestination(driver);
      const txid = await driver.fund(destination, driver.units);
      const [seen] = paidTo(driver, await pending(never), destination);
      equal(seen?.key.txid, txid);
      await driver.reorg(1);
      const again = paidTo(driver, await pending(never), destination);
      if (again.length > 0) deepEqual(again, [seen]);
      notEqual((await reader.statusOf(txid, [], never)).kind, "included");
      deepEqual(paidTo(driver, (await mine(driver, 3)).transfers, destination), [seen]);
      deepEqual(paidTo(driver, await pending(never), destination), []);
    },
    hasNewerBlocks,
  ),
];

function hasNewerBlocks({ pending }: Declaration): boolean {
  return pending === "newerBlocks";
}
