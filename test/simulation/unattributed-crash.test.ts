import { beforeAll, describe, expect, it } from "vitest";
import { unattributedRoutes } from "../../src/http/deposits/unattributed.ts";
import { createReadPayoutFacts } from "../../src/payouts/create/facts.store.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type ApiResponse, apiServer } from "../support/api-server.ts";
import { expectBooksToBalance } from "../support/check-books.ts";
import { useDatabase } from "../support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  ownerOf,
  readTestAddresses,
  readTransfers,
  xrp,
} from "../support/deposit-world.ts";
import { faults } from "../support/faults.ts";
import { createMortal } from "../support/mortal.ts";
import { operate } from "../support/paying-back.ts";
import { payoutWorld, receiver } from "../support/payout-world.ts";
import { payer, taggedAccount } from "../support/tagged-account.ts";

/*
 * A process is killed before and after each statement and commit of a decision about unattributed money, and of the block that
 * brings it: afterwards either all of it is stored, or none, and repeating it decides, books and pays once. The ledger equals the
 * chain after every kill.
 */

const database = useDatabase();
const mortal = createMortal();
const world = depositWorld({ ...database, db: mortal.database(database.db) });
const chain = taggedAccount(world);
const { context: paying } = payoutWorld(world, {
  findPayeeAddressing: () => chain.addressing,
  findKeyspace: () => ({ name: "XRP", chain: "XRP", addressTypes: [], defaultAddressType: "" }),
  readFacts: createReadPayoutFacts(world.database.db, world.clock, () => "available"),
});
const api = apiServer(
  unattributedRoutes({ ...world.context, readAddresses: readTestAddresses }, paying),
  { clock: world.clock },
);
let operator = ownerOf("0");
beforeAll(async () => {
  await chain.open();
  const { accountId } = await arrangeWallet(world, { currency: xrp });
  await operate(database, accountId);
  operator = ownerOf(accountId);
});

const act = (id: string, action: string, data: JsonObject, key: string): Promise<ApiResponse> =>
  api.ask("POST", `/unattributed/${id}/${action}/`, {
    as: operator,
    body: { data: { type: "unattributed", ...data } },
    headers: { "idempotency-key": key },
  });

const receiptsOf = (txid: string) =>
  database.sql<{ id: string; state: string; payout_id: string | null }>(
    "select id, state, payout_id from unattributed where txid = $1",
    [txid],
  );

/** A waiting payment's id. */
async function received(): Promise<string> {
  const txid = chain.pay(null, 1_000_000n);
  await chain.mine(2);
  const [receipt] = await receiptsOf(txid);
  return receipt?.id ?? "";
}

async function stateOf(id: string): Promise<string> {
  const [row] = await database.sql<{ state: string }>(
    "select state from unattributed where id = $1",
    [id],
  );
  return row?.state ?? "";
}

/** One history for each moment; resolves with what the kills left, all or nothing. */
async function dieEverywhere(live: (deathAt: number) => Promise<boolean>, deathsMin: number) {
  let deaths = 0;
  const left = new Set<boolean>();
  for (;;) {
    const isDone = await live(deaths + 1);
    expect(await chain.difference()).toBe(0n);
    if (!died) break;
    deaths += 1;
    left.add(isDone);
  }
  expect(deaths).toBeGreaterThan(deathsMin);
  expect(left).toEqual(new Set([false, true]));
  await expectBooksToBalance(database);
}
let died = false;

/** Runs the work in a process that dies at this moment, and starts another one. */
async function dying(deathAt: number, work: () => Promise<unknown>): Promise<void> {
  mortal.restart(deathAt);
  try {
    await work();
  } catch {
    // The process is gone; what it left is looked at below.
  }
  died = mortal.isDead();
  mortal.restart();
}

describe("a decision about unattributed money by a process that dies", () => {
  it("assigns it once", { timeout: 900_000 }, async () => {
    const wallet = await arrangeWallet(world, { currency: xrp });
    await dieEverywhere(async (deathAt) => {
      const deposit = await chain.deposit(wallet);
      const id = await received();
      const relationships = { deposit: { data: { type: "deposit", id: deposit.id } } };
      const data = { attributes: { reason: "asked" }, relationships };
      await dying(deathAt, () => act(id, "assign", data, systemRandom.uuid()));
      const isDone = (await stateOf(id)) === "assigned";
      expect(await readTransfers(world, deposit)).toHaveLength(isDone ? 1 : 0);
      const again = await act(id, "assign", data, systemRandom.uuid());
      expect(again.status).toBe(isDone ? 400 : 200);
      expect(await readTransfers(world, deposit)).toHaveLength(1);
      return isDone;
    }, 6);
  });

  it("returns it once", { timeout: 900_000 }, async () => {
    await dieEverywhere(async (deathAt) => {
      const id = await received();
      const key = systemRandom.uuid();
      const attributes = {
        address: payer,
        reason: "asked",
        fee_amount: "0.0002",
        travel_rule_info: receiver,
      };
      await dying(deathAt, () => act(id, "return", { attributes }, key));
      const isDone = (await stateOf(id)) === "returning";
      const again = await act(id, "return", { attributes }, key);
      if (isDone) expect(faults(again)).toEqual(["409", "1004 idempotency-key"]);
      else expect(again.status, again.text).toBe(200);
      const [row] = await database.sql<{ count: string }>(
        "select count(*) as count from payout p join unattributed u on u.payout_id = p.id where u.id = $1",
        [id],
      );
      expect(row).toEqual({ count: "1" });
      return isDone;
    }, 6);
    const [payouts] = await database.sql<{ all: string; returning: string }>(
      `select (select count(*) from payout) as all, (select count(*) from unattributed where state = 'returning') as returning`,
    );
    expect(payouts?.all).toBe(payouts?.returning);
  });
});

describe("a follower that dies in a block with unattributed money", () => {
  it("books it once", { timeout: 900_000 }, async () => {
    await dieEverywhere(async (deathAt) => {
      const txid = chain.pay("13", 2_000_000n);
      chain.node.mine(1);
      await dying(deathAt, chain.follow);
      const isDone = (await receiptsOf(txid)).length === 1;
      world.clock.advance(120);
      await chain.follow();
      expect(await receiptsOf(txid)).toMatchObject([{ state: "waiting" }]);
      return isDone;
    }, 6);
  });
});
