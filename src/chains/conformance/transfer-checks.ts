import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { present } from "../../platform/kernel/assert.ts";
import { balanceAtTip } from "./balance-at-tip.ts";
import {
  arrivalOf,
  blockOf,
  type ConformanceCheck,
  check,
  checkWith,
  comparable,
  freshDestination,
  fundAndMine,
  listsPending,
  type Mined,
  mine,
  never,
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
      const { mined, txid } = await fundAndMine(driver, destination);
      const content = blockOf(mined, txid);
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
    const { mined, txid } = await fundAndMine(driver, freshDestination(driver));
    const content = blockOf(mined, txid);
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
  check("no two transfers share a key", async (driver) => {
    for (let count = 0; count < 5; count += 1) {
      await driver.fund(freshDestination(driver), driver.units);
    }
    const { transfers } = await mine(driver);
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
      const transfers = paidTo(driver, (await mine(driver)).transfers, destination);
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
    const sent = await fundFailing(destination, driver.units);
    const { transfers } = await mine(driver);
    const txid = await arrivalOf(driver, sent);
    deepEqual(paidTo(driver, transfers, destination), []);
    deepEqual(
      transfers.filter((transfer) => transfer.key.txid === txid),
      [],
    );
  }),
  check(
    "a pending payment has the same key as in its block",
    async (driver) => {
      const { reader } = driver.adapter;
      const destination = freshDestination(driver);
      const txid = await driver.fund(destination, driver.units);
      const pending = present(reader.pendingTransfers, "a method");
      const waiting = await pending(never);
      const included = paidTo(driver, (await mine(driver)).transfers, destination);
      equal(included[0]?.key.txid, txid);
      deepEqual(paidTo(driver, waiting, destination), included);
      deepEqual(paidTo(driver, await pending(never), destination), []);
    },
    listsPending,
  ),
  check(
    "the balance of an address is the sum of what was paid to it",
    async (driver) => {
      const { addressing, reader } = driver.adapter;
      const [first, second] = [freshDestination(driver), freshDestination(driver)];
      const heldBy = (...addresses: readonly string[]): Promise<bigint> =>
        balanceAtTip(reader, [...new Set(addresses)], driver.currency, never);
      equal(await heldBy(), 0n);
      // A shared account holds what earlier checks paid under other tags; every other address is fresh.
      const before = await heldBy(first.address, second.address);
      if (addressing.source !== "shared") equal(before, 0n);
      await driver.fund(first, driver.units);
      await driver.fund(second, driver.units * 3n);
      const charged = chargesOf(await mine(driver), first.address);
      equal(await heldBy(first.address, second.address), before + driver.units * 4n - charged);
      const ofSecond = addressing.source === "shared" ? 4n : 3n;
      equal(await heldBy(second.address), before + driver.units * ofSecond - charged);
    },
    ({ knowsNoBalances }) => knowsNoBalances !== true,
  ),
];

/** What blocks took from an account besides, in the chain's coin. */
function chargesOf({ blocks }: Mined, account: string): bigint {
  return blocks
    .flatMap(({ charges = [] }) => charges)
    .reduce((sum, charge) => (charge.account === account ? sum + charge.amount.units : sum), 0n);
}
