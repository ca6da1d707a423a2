import { beforeEach, describe, expect, it } from "vitest";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { readDepositRow } from "../../src/deposits/deposit-list.store.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { expectBooksToBalance } from "../support/check-books.ts";
import { useDatabase } from "../support/database.ts";
import { created, depositApi, postDeposit } from "../support/deposit-api.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
  fillPool,
  ownerOf,
  payment,
  rateOf,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
  usd,
  type Wallet,
} from "../support/deposit-world.ts";
import { faults } from "../support/faults.ts";
import { createMortal } from "../support/mortal.ts";
import { payingBack } from "../support/paying-back.ts";
import { outcomeOf, paymentPages } from "../support/payment-pages.ts";
import { fairFee, payee } from "../support/payout-world.ts";
import { databaseDigest } from "../support/whole-api.ts";

/*
 * An api process is killed before and after each statement and commit of a payer's action on the page, and of a
 * merchant's decision about a deposit on hold: afterwards either all of it is stored, or none. The caller gets no
 * response and retries with another process: an address is issued once and stays, and a refund is paid once. One
 * history per kill.
 */

const database = useDatabase();
const mortal = createMortal();
const world = depositWorld({ ...database, db: mortal.database(database.db) });
const pages = paymentPages(world);
const deposits = depositApi(world);
const { resolve, payouts } = payingBack(world);
let chain: AnnouncingChain;
let shop: Wallet;

beforeEach(async () => {
  chain = await announceChain(world, "ETH");
  await chain.catchUp();
  payouts.fees.answer = fairFee;
  world.rates.set("1002 840", rateOf("2500"));
  world.rates.set("1000 840", rateOf("100000"));
});

/** Sends a request to a process that is killed at a given moment. Null if it survived and answered. */
async function askDying(deathAt: number, ask: () => Promise<unknown>) {
  const before = await databaseDigest(database);
  mortal.restart(deathAt);
  await ask();
  const hasDied = mortal.isDead();
  mortal.restart();
  const after = await databaseDigest(database);
  return { hasDied, isDone: Object.keys(after).some((table) => after[table] !== before[table]) };
}

/** Too late to change anything. */
async function unchanged<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const before = await databaseDigest(database);
  const answer = await ask();
  expect(await databaseDigest(database)).toEqual(before);
  return answer;
}

/** One history for each moment of a request; few kills would mean that little was done. */
async function dieEverywhere(
  live: (deathAt: number) => Promise<{ readonly hasDied: boolean; readonly isDone: boolean }>,
  deathsMin: number,
): Promise<void> {
  const seen = new Set<boolean>();
  let deaths = 0;
  for (;;) {
    shop = await arrangeWallet(world, { type: 1, currency: usd });
    const { hasDied, isDone } = await live(deaths + 1);
    if (!hasDied) break;
    deaths += 1;
    seen.add(isDone);
  }
  expect(deaths).toBeGreaterThan(deathsMin);
  // Some died before the commit, some after it.
  expect(seen).toEqual(new Set([false, true]));
}

/** Of 100 USD, paid with ether worth 125. */
async function overpaid(): Promise<Deposit> {
  const deposit = await arrangeDeposit(world, shop, { currency: eth, requested: "100" });
  await chain.append([payment({ deposit, amount: "0.05" })]);
  await chain.grow(3);
  world.clock.advance(1);
  expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
  return deposit;
}

describe("a payer whose api process dies", () => {
  const addressesOf = async ({ id }: Deposit): Promise<readonly string[]> => {
    const rows = await database.sql<{ address: string }>(
      "select address from address where deposit_id = $1",
      [id],
    );
    return rows.map(({ address }) => address);
  };
  const choose = ({ paymentPageId }: Deposit, currency: string) =>
    pages.post(`/pay/${paymentPageId}/choose/`, { currency });

  it("chooses a coin once and keeps one address", {
    timeout: 900_000,
  }, async () => {
    await fillPool(world, "evm", "", 60);
    await fillPool(world, "BTC", "bech32", 1);
    await dieEverywhere(async (deathAt) => {
      const { id } = created(await postDeposit(deposits, shop, { target_amount_requested: "100" }));
      const deposit = present(await readDepositRow(database.db, shop.accountId, id), id);
      const ended = await askDying(deathAt, () => choose(deposit, eth));
      const first = await addressesOf(deposit);
      const { currency, address, rate, sourceAmountRequested } = await readDeposit(world, deposit);
      expect([currency !== null, rate !== null, sourceAmountRequested !== null]).toEqual(
        Array.from({ length: 3 }, () => ended.isDone),
      );
      expect(first).toEqual(ended.isDone ? [address] : []);

      const again = await choose(deposit, eth);
      expect(outcomeOf(again)).toMatch(ended.isDone ? /^409 currency_chosen/ : /^200$/);
      const kept = await addressesOf(deposit);
      expect(kept).toHaveLength(1);
      expect(kept).toEqual(expect.arrayContaining([...first]));
      expect(outcomeOf(await unchanged(() => choose(deposit, "1000")))).toMatch(
        /^409 currency_chosen/,
      );
      const { payment: shown } = await pages.stateOf(deposit);
      expect(shown).toMatchObject({ address: kept[0], requested: "0.040000000000000000" });
      return ended;
    }, 6);
    const [unowned] = await database.sql<{ count: string }>(
      `select count(*) as count from address a where a.deposit_id is not null and not exists
         (select from deposit d where d.id = a.deposit_id and d.address = a.address)`,
    );
    expect(unowned).toEqual({ count: "0" });
  });

  it("saves a refund address, or can save it again", {
    timeout: 900_000,
  }, async () => {
    const leave = ({ paymentPageId }: Deposit) =>
      pages.post(`/pay/${paymentPageId}/refund-address/`, { address: payee });
    const leftFor = async ({ id, accountId }: Deposit) =>
      (await pages.api.ask("GET", `/deposit/${id}/payer/`, { as: ownerOf(accountId) })).one
        .attributes["refund_address"];
    await dieEverywhere(async (deathAt) => {
      const deposit = await overpaid();
      const ended = await askDying(deathAt, () => leave(deposit));
      expect(await leftFor(deposit)).toBe(ended.isDone ? payee : null);
      expect(outcomeOf(await leave(deposit))).toBe("200");
      expect(await leftFor(deposit)).toBe(payee);
      return ended;
    }, 6);
  });
});

describe("a merchant whose api process dies", () => {
  const actions = [
    { action: "partial", available: 10_000n, status: 3, late: ["409", "1004 idempotency-key"] },
    { action: "refund", available: 0n, status: 4, late: ["409", "1004 idempotency-key"] },
    { action: "accept", available: 12_500n, status: 3, late: ["400", "1007"] },
  ] as const;

  it.each(actions)("resolves by $action once", { timeout: 900_000 }, async (expected) => {
    const { action } = expected;
    const paysBack = action !== "accept";
    const payoutsOf = async (): Promise<readonly string[]> => {
      const rows = await database.sql<{ id: string }>(
        "select id from payout where account_id = $1",
        [shop.accountId],
      );
      return rows.map(({ id }) => id);
    };
    const eventsPerDeath: (readonly string[])[] = [];
    await dieEverywhere(async (deathAt) => {
      const deposit = await overpaid();
      const key = systemRandom.uuid();
      const settle = (one: string) => resolve(deposit, { attributes: { action }, key: one });
      const ended = await askDying(deathAt, () => settle(key));
      expect(await readDeposit(world, deposit)).toMatchObject({
        status: ended.isDone ? expected.status : 5,
      });
      expect(await payoutsOf()).toHaveLength(ended.isDone && paysBack ? 1 : 0);

      const again = ended.isDone ? await unchanged(() => settle(key)) : await settle(key);
      const late = again.status < 400 ? [] : faults(again);
      expect(late, again.text).toEqual(ended.isDone ? expected.late : []);
      const payouts = await payoutsOf();
      expect(payouts).toHaveLength(paysBack ? 1 : 0);
      if (paysBack) expect(again.document).toMatchObject({ meta: { payout_id: payouts[0] } });
      // A client that also lost its key pays nothing twice.
      const settleAnew = () => settle(systemRandom.uuid());
      const other = await (ended.isDone ? unchanged(settleAnew) : settleAnew());
      expect(other.status).toBe(400);
      expect(await readBalance(world, shop)).toMatchObject({ available: expected.available });
      expect(await readTransfers(world, deposit)).toMatchObject([
        { refund: paysBack ? { payoutId: payouts[0] } : null },
      ]);
      eventsPerDeath.push(await readEvents(world, deposit));
      return ended;
    }, 12);
    // Every callback is recorded exactly once.
    expect(new Set(eventsPerDeath.map((events) => events.join())).size).toBe(1);
    await expectBooksToBalance(database);
  });
});
