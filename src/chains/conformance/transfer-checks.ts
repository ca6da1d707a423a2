import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { balanceAtTip } from "../balance-at-tip.ts";
import {
  type ConformanceCheck,
  check,
  checkWith,
  comparable,
  freshDestination,
  never,
  newestBlock,
  paidTo,
  unitsOf,
} from "./conformance-check.ts";

/** Transfers: exactly what was delivered, under a key that never changes. */
export const transferChecks: readonly ConformanceCheck[] = [
  check(
    "reads a payment in a block as one transfer, identical at every reading",
    async (driver) => {
      const { reader } = driver.adapter;
      const destination = freshDestination(driver);
      const txid = await driver.fund(destination, driver.units);
      await driver.mine(1);
      const content = await newestBlock(driver);
      const transfers = paidTo(driver, content.transfers, destination);
      equal(transfers.length, 1);
      equal(transfers[0]?.key.txid, txid);
      equal(unitsOf(driver, transfers[0]), driver.units);
      deepEqual(
        transfers.map((transfer) => transfer.spendableFromHeight),
        [null],
      );
      deepEqual(comparable(await reader.readBlock(content.block, never)), comparable(content));
    },
  ),
  check("every node shows a payment as the adapter does", async (driver) => {
    const { nodes } = driver.adapter;
    await driver.fund(freshDestination(driver), driver.units);
    await driver.mine(1);
    const content = await newestBlock(driver);
    const names = nodes.readers.map(({ node }) => node);
    ok(names.length > 0 && !names.includes(""));
    equal(new Set(names).size, names.length);
    deepEqual(
      nodes.available().map(({ node }) => node),
      names,
    );
    for (const { reader } of nodes.readers) {
      deepEqual(await reader.headerAt(content.block.height, never), content.block);
      deepEqual(comparable(await reader.readBlock(content.block, never)), comparable(content));
    }
  }),
  check("no two transfers of a block share a key", async (driver) => {
    for (let count = 0; count < 5; count += 1) {
      await driver.fund(freshDestination(driver), driver.units);
    }
    await driver.mine(1);
    const { transfers } = await newestBlock(driver);
    const keys = transfers.map((transfer) => `${transfer.key.txid}:${transfer.key.index}`);
    equal(new Set(keys).size, keys.length);
    ok(keys.length >= 5);
  }),
  checkWith(
    "two payments to one address in one transaction are two transfers",
    "fundTwice",
    async (driver, fundTwice) => {
      const destination = freshDestination(driver);
      const txid = await fundTwice(destination, driver.units, driver.units * 2n);
      await driver.mine(1);
      const transfers = paidTo(driver, (await newestBlock(driver)).transfers, destination);
      deepEqual(
        transfers.map((transfer) => transfer.key.txid),
        [txid, txid],
      );
      notEqual(transfers[0]?.key.index, transfers[1]?.key.index);
      const units = transfers.map((transfer) => unitsOf(driver, transfer) ?? 0n);
      equal(units.includes(driver.units) && units.includes(driver.units * 2n), true);
    },
  ),
  checkWith("a failed transaction delivers nothing", "fundFailing", async (driver, fundFailing) => {
    const destination = freshDestination(driver);
    const txid = await fundFailing(destination, driver.units);
    await driver.mine(1);
    const { transfers } = await newestBlock(driver);
    deepEqual(paidTo(driver, transfers, destination), []);
    deepEqual(
      transfers.filter((transfer) => transfer.key.txid === txid),
      [],
    );
  }),
  check("a pending payment has the same key as in its block", async (driver) => {
    const { reader } = driver.adapter;
    const destination = freshDestination(driver);
    const txid = await driver.fund(destination, driver.units);
    const waiting = reader.pendingTransfers === null ? null : await reader.pendingTransfers(never);
    await driver.mine(1);
    const included = paidTo(driver, (await newestBlock(driver)).transfers, destination);
    equal(included[0]?.key.txid, txid);
    if (waiting === null || reader.pendingTransfers === null) return;
    const seen = paidTo(driver, waiting, destination);
    deepEqual(seen, included);
    const after = await reader.pendingTransfers(never);
    deepEqual(paidTo(driver, after, destination), []);
  }),
  check("the balance of an address is the sum of what was paid to it", async (driver) => {
    const { reader } = driver.adapter;
    const [first, second] = [freshDestination(driver), freshDestination(driver)];
    const addresses = [first.address, second.address];
    equal(await balanceAtTip(reader, addresses, driver.currency, never), 0n);
    equal(await balanceAtTip(reader, [], driver.currency, never), 0n);
    await driver.fund(first, driver.units);
    await driver.fund(second, driver.units * 3n);
    await driver.mine(1);
    equal(await balanceAtTip(reader, addresses, driver.currency, never), driver.units * 4n);
    equal(await balanceAtTip(reader, [second.address], driver.currency, never), driver.units * 3n);
  }),
];
