import { deepEqual, equal, rejects } from "node:assert/strict";
import { present } from "../../platform/kernel/assert.ts";
import {
  type ConformanceCheck,
  checkWith,
  freshDestination,
  mine,
  never,
} from "./conformance-check.ts";

/** Locked blocks. These checks come last: what they lock stays. */
export const lockChecks: readonly ConformanceCheck[] = [
  checkWith(
    "the newest locked block is reported as soon as it is locked",
    "lock",
    async (driver, lock) => {
      const { reader } = driver.adapter;
      const newest = present(reader.newestLocked, "a method");
      await mine(driver, 2);
      const before = await newest(never);
      const { hash, height } = await reader.tip(never);
      equal(before?.hash === hash, false);
      await lock();
      deepEqual(await newest(never), { hash, height });
      await mine(driver);
      deepEqual(await newest(never), { hash, height });
    },
  ),
  checkWith(
    "a locked block is not replaced, and newer ones still are",
    "lock",
    async (driver, lock) => {
      const { reader } = driver.adapter;
      await mine(driver);
      await lock();
      const locked = await reader.tip(never);
      await rejects(driver.reorg(1));
      deepEqual(await reader.tip(never), locked);
      const destination = freshDestination(driver);
      await driver.fund(destination, driver.units);
      const { blocks } = await mine(driver);
      await driver.reorg(1);
      deepEqual(await reader.headerByHash(locked.hash, never), locked);
      for (const { block } of blocks) equal(await reader.headerByHash(block.hash, never), null);
    },
  ),
];
