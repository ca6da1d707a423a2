import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { created, depositApi, postDeposit, testWriter } from "../../../test/support/deposit-api.ts";
import { aNewDeposit } from "../../../test/support/deposit-records.ts";
import {
  arrangeWallet,
  depositWorld,
  fillPool,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import type { NewDeposit } from "./insert-deposits.store.ts";

/** Concurrent creations share statements; each one still gets its own address, id and response. */

const database = useDatabase();
const world = depositWorld(database);
let wallet: Wallet;
beforeEach(async () => {
  await database.sql("delete from address where deposit_id is null");
  wallet = await arrangeWallet(world);
});

const newDeposit = (more: Partial<NewDeposit> = {}) =>
  aNewDeposit(wallet, { createdAt: world.clock.now(), ...more });

describe("concurrent creations", () => {
  it("gives 200 simultaneous creations an address and id each, and invalid ones their own errors", async () => {
    await fillPool(world, "evm", "", 250);
    const api = depositApi(world);
    const answers = await Promise.all(
      Array.from({ length: 230 }, (_, index) => {
        if (index % 23 === 5) return postDeposit(api, wallet, { label: "x".repeat(33) });
        if (index % 23 === 11) return postDeposit(api, { ...wallet, walletId: "999999999" });
        if (index % 23 === 17) return postDeposit(api, wallet, {}, { currency: "1000" });
        return postDeposit(api, wallet, { label: `No. ${index}` });
      }),
    );
    const deposits = answers.filter((_, index) => ![5, 11, 17].includes(index % 23)).map(created);
    expect(deposits).toHaveLength(200);
    expect(new Set(deposits.map(({ id }) => id)).size).toBe(200);
    expect(new Set(deposits.map(({ attributes }) => attributes["address"])).size).toBe(200);
    answers.forEach((answer, index) => {
      if (index % 23 === 5) expect(faults(answer)).toEqual(["400", "1007 /data/attributes/label"]);
      else if (index % 23 === 11)
        expect(faults(answer)).toEqual(["400", "1007 /data/relationships/wallet"]);
      else if (index % 23 === 17)
        expect(faults(answer)).toEqual(["400", "1007 /data/relationships/currency"]);
      else expect(answer.one.attributes["label"]).toBe(`No. ${index}`);
    });
    const [issued] = await database.sql<{ right: string; left: string }>(
      `select count(*) filter (where a.deposit_id = d.id and a.account_id = d.account_id) as right,
       (select count(*) from address where deposit_id is null) as left
     from deposit d left join address a on a.address = d.address`,
    );
    expect(issued).toEqual({ right: "200", left: "50" });
  });

  it("fails only the row that the database rejects", async () => {
    await fillPool(world, "evm", "", 40);
    const { create } = testWriter(world);
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        create(newDeposit(index % 10 === 3 ? { walletId: "999999999" } : {})),
      ),
    );
    results.forEach((result, index) => {
      expect(result.status).toBe(index % 10 === 3 ? "rejected" : "fulfilled");
    });
    const [left] = await database.sql<{ count: string }>(
      "select count(*) from address where deposit_id is null",
    );
    expect(left!.count).toBe("13");
  });

  it("never issues an address twice from two processes", async () => {
    await fillPool(world, "evm", "", 300);
    const writers = [testWriter(world), testWriter(world)];
    const deposits = await Promise.all(
      Array.from({ length: 300 }, (_, index) => writers[index % 2]!.create(newDeposit())),
    );
    const addresses = deposits.filter((deposit) => deposit !== null).map(({ address }) => address);
    // If one process skips rows that the other has locked, a few creations may find no address although the pool is large
    // enough.
    expect(addresses.length).toBeGreaterThan(150);
    expect(new Set(addresses).size).toBe(addresses.length);
    const again = await Promise.all(
      deposits.filter((deposit) => deposit === null).map(() => writers[0]!.create(newDeposit())),
    );
    expect(again.every((deposit) => deposit !== null)).toBe(true);
  });

  it("creates as many deposits as the pool has addresses and no trace of the others", async () => {
    await fillPool(world, "evm", "", 7);
    const { create } = testWriter(world);
    const before = await database.sql("select id from deposit");
    const deposits = await Promise.all(Array.from({ length: 20 }, () => create(newDeposit())));
    expect(deposits.filter((deposit) => deposit !== null)).toHaveLength(7);
    expect(await database.sql("select id from deposit")).toHaveLength(before.length + 7);
    await fillPool(world, "evm", "", 1);
    expect(await create(newDeposit())).not.toBeNull();
  });
});
