import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { WrongNetwork } from "../port.ts";
import {
  type ConformanceCheck,
  check,
  isProbable,
  never,
  unknownTxid,
} from "./conformance-check.ts";

/** Headers: the right network, a consistent best chain, reorgs, unavailable nodes. */
export const headerChecks: readonly ConformanceCheck[] = [
  check("accepts the adapter's own network", async (driver) => {
    await driver.adapter.reader.verifyNetwork(never);
  }),
  check("refuses another network", async ({ misconfigured }) => {
    await rejects(
      misconfigured.verifyNetwork(never),
      (error: unknown) => error instanceof WrongNetwork,
    );
  }),
  check("returns the same header by tip, by height and by hash", async (driver) => {
    const { reader } = driver.adapter;
    await driver.mine(2);
    const tip = await reader.tip(never);
    deepEqual(await reader.headerAt(tip.height, never), tip);
    deepEqual(await reader.headerByHash(tip.hash, never), tip);
    const parent = await reader.headerAt(tip.height - 1, never);
    ok(parent !== null, "the tip has a parent");
    equal(parent.hash, tip.parentHash);
    ok(parent.time <= tip.time, "block times of one miner never decrease");
    const first = (await reader.headerAt(0, never)) ?? (await reader.headerAt(1, never));
    ok(first !== null, "the chain begins at height 0 or 1");
  }),
  check("returns no header above the tip or for an unknown hash", async (driver) => {
    const { reader } = driver.adapter;
    const tip = await reader.tip(never);
    equal(await reader.headerAt(tip.height + 1, never), null);
    equal(await reader.headerAt(tip.height + 1000, never), null);
    const digits = tip.hash.startsWith("0x") ? `0x${unknownTxid}` : unknownTxid;
    equal(await reader.headerByHash(digits, never), null);
  }),
  check(
    "returns neither the header nor the content of an orphaned block",
    async (driver) => {
      const { reader } = driver.adapter;
      await driver.mine(3);
      const orphan = await reader.tip(never);
      const stays = await reader.headerAt(orphan.height - 2, never);
      await driver.reorg(2);
      equal(await reader.headerByHash(orphan.hash, never), null);
      equal(await reader.readBlock(orphan, never), null);
      const now = await reader.headerAt(orphan.height, never);
      ok(now !== null && now.hash !== orphan.hash, "another block is at that height");
      deepEqual(await reader.headerAt(orphan.height - 2, never), stays);
    },
    isProbable,
  ),
  check("waiting for a block ends at its timeout or when it is aborted", async (driver) => {
    const { reader } = driver.adapter;
    await reader.waitForBlock(100, never);
    const controller = new AbortController();
    const waiting = reader.waitForBlock(600_000, controller.signal).catch(() => undefined);
    controller.abort();
    await waiting;
  }),
  check("an aborted request returns no answer", async (driver) => {
    const controller = new AbortController();
    controller.abort();
    await rejects(driver.adapter.reader.tip(controller.signal));
  }),
  check("an unresponsive node is unavailable until it responds again", async (driver) => {
    const { reader } = driver.adapter;
    const before = await reader.tip(never);
    const restore = await driver.cutOff();
    try {
      await rejects(reader.tip(never), (error: unknown) => error instanceof Unavailable);
    } finally {
      await restore();
    }
    deepEqual(await reader.headerAt(before.height, never), before);
  }),
];
