import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { WrongNetwork } from "../port.ts";
import {
  type ConformanceCheck,
  check,
  checkWith,
  never,
  unknownTxid,
} from "./conformance-check.ts";

/** Headers: the right network, a best chain that fits together, reorgs, silence. */
export const headerChecks: readonly ConformanceCheck[] = [
  check("the adapter's own network is accepted", async (driver) => {
    await driver.adapter.reader.verifyNetwork(never);
  }),
  checkWith("another network is refused", "misconfigured", async (_driver, misconfigured) => {
    await rejects(
      misconfigured.verifyNetwork(never),
      (error: unknown) => error instanceof WrongNetwork,
    );
  }),
  check("tip, header by height and header by hash agree", async (driver) => {
    const { reader } = driver.adapter;
    await driver.mine(2);
    const tip = await reader.tip(never);
    deepEqual(await reader.headerAt(tip.height, never), tip);
    deepEqual(await reader.headerByHash(tip.hash, never), tip);
    const parent = await reader.headerAt(tip.height - 1, never);
    ok(parent !== null, "the tip has a parent");
    equal(parent.hash, tip.parentHash);
    ok(parent.time <= tip.time, "blocks of one miner do not go back in time");
    ok((await reader.headerAt(0, never)) !== null, "the first block names the network");
  }),
  check("above the tip and for an unknown hash there is no header", async (driver) => {
    const { reader } = driver.adapter;
    const tip = await reader.tip(never);
    equal(await reader.headerAt(tip.height + 1, never), null);
    equal(await reader.headerAt(tip.height + 1000, never), null);
    const digits = tip.hash.startsWith("0x") ? `0x${unknownTxid}` : unknownTxid;
    equal(await reader.headerByHash(digits, never), null);
  }),
  check("an orphaned block is gone, by header and by content", async (driver) => {
    const { reader } = driver.adapter;
    await driver.mine(3);
    const orphan = await reader.tip(never);
    const stays = await reader.headerAt(orphan.height - 2, never);
    await driver.reorg(2);
    equal(await reader.headerByHash(orphan.hash, never), null);
    equal(await reader.readBlock(orphan, never), null);
    const now = await reader.headerAt(orphan.height, never);
    ok(now !== null && now.hash !== orphan.hash, "another block stands at that height");
    deepEqual(await reader.headerAt(orphan.height - 2, never), stays);
  }),
  check("the wait for a block ends at its timeout and when it is aborted", async (driver) => {
    const { reader } = driver.adapter;
    await reader.waitForBlock(100, never);
    const controller = new AbortController();
    const waiting = reader.waitForBlock(600_000, controller.signal).catch(() => undefined);
    controller.abort();
    await waiting;
  }),
  check("an aborted question is not answered", async (driver) => {
    const controller = new AbortController();
    controller.abort();
    await rejects(driver.adapter.reader.tip(controller.signal));
  }),
  checkWith(
    "a silent node is unavailable, then answers again",
    "cutOff",
    async (driver, cutOff) => {
      const { reader } = driver.adapter;
      const before = await reader.tip(never);
      const restore = await cutOff();
      try {
        await rejects(reader.tip(never), (error: unknown) => error instanceof Unavailable);
      } finally {
        await restore();
      }
      deepEqual(await reader.headerAt(before.height, never), before);
    },
  ),
];
