import { beforeEach, expect, test } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { created, depositApi, postDeposit, testWriter } from "../../../test/support/deposit-api.ts";
import {
  arrangeWallet,
  depositWorld,
  eth,
  fillPool,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import type { NewDeposit } from "./insert-deposits.store.ts";

/** Many creations at the same moment share statements; each still gets its own address, id and answer. */

const database = useDatabase();
const world = depositWorld(database);
let wallet: Wallet;
beforeEach(async () => {
  await database.sql("delete from address where deposit_id is null");
  wallet = await arrangeWallet(world);
});

const newDeposit = (more: Partial<NewDeposit> = {}): NewDeposit => ({
  accountId: wallet.accountId,
  createdByCredentialId: "1",
  paymentPageId: systemRandom.uuid(),
  walletId: wallet.walletId,
  walletType: walletType.enterprise,
  walletCurrency: eth,
  currency: eth,
  chain: "ETH",
  keyspace: "evm",
  addressType: "",
  label: null,
  trackingId: null,
  confirmationsNeeded: null,
  timeLimit: null,
  invoiceUpdatedAt: null,
  expiresAt: null,
  callbackUrl: null,
  paymentPageRedirectUrl: null,
  paymentPageButtonText: null,
  helpEmail: null,
  inaccuracy: null,
  targetAmountRequested: null,
  sourceAmountRequested: null,
  rate: null,
  rateExpiresAt: null,
  travelRuleSealed: null,
  commissionTerms: { ratePpm: 0, fixedUnits: 0n, minimumUnits: 0n },
  createdAt: world.clock.now(),
  ...more,
});

test("200 at once get 200 addresses and ids, and the bad ones among them their own errors", async () => {
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
  const made = answers.filter((_, index) => ![5, 11, 17].includes(index % 23)).map(created);
  expect(made).toHaveLength(200);
  expect(new Set(made.map(({ id }) => id)).size).toBe(200);
  expect(new Set(made.map(({ attributes }) => attributes["address"])).size).toBe(200);
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

test("a row that the database refuses fails alone", async () => {
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

test("two processes that create at the same time never issue one address twice", async () => {
  await fillPool(world, "evm", "", 300);
  const writers = [testWriter(world), testWriter(world)];
  const made = await Promise.all(
    Array.from({ length: 300 }, (_, index) => writers[index % 2]!.create(newDeposit())),
  );
  const addresses = made.filter((deposit) => deposit !== null).map(({ address }) => address);
  // Where one skips rows that the other has locked, a few may find nothing although the pool was large enough.
  expect(addresses.length).toBeGreaterThan(150);
  expect(new Set(addresses).size).toBe(addresses.length);
  const again = await Promise.all(
    made.filter((deposit) => deposit === null).map(() => writers[0]!.create(newDeposit())),
  );
  expect(again.every((deposit) => deposit !== null)).toBe(true);
});

test("of more than the pool holds just as many are made as there are addresses, and nothing of the others is left", async () => {
  await fillPool(world, "evm", "", 7);
  const { create } = testWriter(world);
  const before = await database.sql("select id from deposit");
  const made = await Promise.all(Array.from({ length: 20 }, () => create(newDeposit())));
  expect(made.filter((deposit) => deposit !== null)).toHaveLength(7);
  expect(await database.sql("select id from deposit")).toHaveLength(before.length + 7);
  await fillPool(world, "evm", "", 1);
  expect(await create(newDeposit())).not.toBeNull();
});
