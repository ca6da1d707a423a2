import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { present } from "../../platform/kernel/assert.ts";
import {
  arrivalOf,
  blockOf,
  type ConformanceCheck,
  check,
  checkWith,
  freshDestination,
  fundAndMine,
  isProbable,
  mine,
  never,
  paidTo,
  spendsOf,
  spendsOutputs,
  unknownTxid,
  waitingStatus,
} from "./conformance-check.ts";

/** Senders and statuses: who paid, and whether a pending payment can still confirm. */
export const statusChecks: readonly ConformanceCheck[] = [
  check(
    "reports the same senders while a payment is pending and once it is in a block",
    async (driver) => {
      const { reader } = driver.adapter;
      const txid = await driver.fund(freshDestination(driver), driver.units);
      const waiting = (await reader.senders([txid], null, never)).get(txid);
      const mined = await mine(driver);
      const arrived = await arrivalOf(driver, txid);
      const { block } = blockOf(mined, arrived);
      const included = (await reader.senders([arrived], block, never)).get(arrived);
      ok(included !== undefined, "the payment is not found");
      equal(included.addresses.length === 0, driver.declares.hidesSenders === true);
      deepEqual(waiting, driver.declares.pending === "unseen" ? undefined : included);
      equal((await reader.senders([], block, never)).size, 0);
    },
  ),
  check("reports a payment as pending, then as included in its block", async (driver) => {
    const { reader } = driver.adapter;
    const txid = await driver.fund(freshDestination(driver), driver.units);
    const isUnseen = driver.declares.pending === "unseen";
    const spends = isUnseen ? [] : await spendsOf(driver, txid);
    deepEqual(await reader.statusOf(txid, spends, never), waitingStatus(driver));
    const mined = await mine(driver);
    const arrived = await arrivalOf(driver, txid);
    const { height } = blockOf(mined, arrived).block;
    deepEqual(await reader.statusOf(arrived, spends, never), { kind: "included", height });
    await driver.mine(1);
    deepEqual(await reader.statusOf(arrived, spends, never), { kind: "included", height });
  }),
  check("reports the status unknown for an unknown transaction", async (driver) => {
    const { reader } = driver.adapter;
    const real = await driver.fund(freshDestination(driver), driver.units);
    await driver.mine(1);
    const txid = real.startsWith("0x") ? `0x${unknownTxid}` : unknownTxid;
    deepEqual(await reader.statusOf(txid, [], never), { kind: "unknown" });
  }),
  checkWith(
    "reports a conflict once another transaction in a block has spent the payment's coins",
    "replace",
    async (driver, replace) => {
      const { reader } = driver.adapter;
      const destination = freshDestination(driver);
      const txid = await driver.fund(destination, driver.units);
      const spends = await spendsOf(driver, txid);
      ok(spends.length > 0, "the claims that the payment spends are known");
      const winner = await replace(txid);
      const pending = await reader.statusOf(txid, spends, never);
      notEqual(pending.kind, "conflicted", "the winner may still be reorganized away");
      const mined = await mine(driver);
      const { height } = blockOf(mined, winner).block;
      const status = await reader.statusOf(txid, spends, never);
      if (status.kind !== "conflicted") throw new Error(`${txid} is ${status.kind}`);
      ok(status.by === null || status.by === winner, `beaten by ${status.by ?? "no transaction"}`);
      ok(status.height === null || status.height === height, `at ${status.height ?? "no height"}`);
      deepEqual(paidTo(driver, mined.transfers, destination), []);
    },
  ),
  check(
    "outputs are unspent until a block spends them",
    async (driver) => {
      const { tip } = driver.adapter.reader;
      const unspentOutputs = present(driver.adapter.reader.unspentOutputs, "a method");
      const destination = freshDestination(driver);
      const txid = await driver.fund(destination, driver.units);
      const used = await spendsOf(driver, txid);
      const absent = `${unknownTxid}:0`;
      deepEqual([...((await unspentOutputs([absent], never))?.outpoints ?? [])], []);
      const [paid] = paidTo(driver, (await mine(driver)).transfers, destination);
      const outpoint = `${txid}:${paid?.key.index ?? "nowhere"}`;
      const said = await unspentOutputs([...used, outpoint, absent], never);
      deepEqual([...(said?.outpoints ?? [])], [outpoint]);
      equal(said?.atHash, (await tip(never)).hash);
    },
    spendsOutputs,
  ),
  check("finds a receipt in the transaction's block and in no other", async (driver) => {
    const { reader } = driver.adapter;
    const before = await reader.tip(never);
    const { mined, txid } = await fundAndMine(driver, freshDestination(driver));
    const unknown = txid.startsWith("0x") ? `0x${unknownTxid}` : unknownTxid;
    const { block } = blockOf(mined, txid);
    const found = await reader.receiptsIn([unknown, txid], block, never);
    deepEqual(
      found?.map(({ txid: id, hasSucceeded }) => [id, hasSucceeded]),
      [[txid, true]],
    );
    deepEqual(await reader.receiptsIn([unknown], block, never), []);
    deepEqual(await reader.receiptsIn([], block, never), []);
    deepEqual(await reader.receiptsIn([txid], before, never), []);
  }),
  check(
    "finds no receipts in an orphaned block",
    async (driver) => {
      const { reader } = driver.adapter;
      const txid = await driver.fund(freshDestination(driver), driver.units);
      const { block } = blockOf(await mine(driver), txid);
      await driver.reorg(1);
      equal(await reader.receiptsIn([txid], block, never), null);
    },
    isProbable,
  ),
  checkWith(
    "a failed transaction has a failed receipt",
    "fundFailing",
    async (driver, fundFailing) => {
      const { reader } = driver.adapter;
      const sent = await fundFailing(freshDestination(driver), driver.units);
      const { blocks } = await mine(driver);
      const txid = await arrivalOf(driver, sent);
      const found = await Promise.all(
        blocks.map(({ block }) => reader.receiptsIn([txid], block, never)),
      );
      deepEqual(
        found
          .flatMap((receipts) => receipts ?? [])
          .map(({ txid: id, hasSucceeded }) => [id, hasSucceeded]),
        [[txid, false]],
      );
    },
  ),
  check("describes its limitations", async (driver) => {
    for (const spot of await driver.adapter.reader.limitations(never)) ok(spot.length > 10);
  }),
];
