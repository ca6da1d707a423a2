/*
 * The account's row lock, which enforces the limit of open rate locks. The first creation has its lock granted but is not
 * committed when the second one starts; without the row lock, the second would not count it and both would be granted.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { aNewDeposit } from "../../../test/support/deposit-records.ts";
import {
  arrangeWallet,
  depositWorld,
  eth,
  fillPool,
  rateOf,
  testCurrencies,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { createDepositWriter } from "./create.store.ts";
import { type OpenLocksLimit, withGrantedLocks } from "./grant-locks.ts";
import { inputRows, insertUnkeyed } from "./insert-deposits.store.ts";

const database = useDatabase();
const world = depositWorld(database);
const limit: OpenLocksLimit = {
  currencies: testCurrencies,
  freezeRates: () => Promise.resolve(() => Promise.resolve(null)),
  max: { currency: usd, units: 1_000_00n },
};

let wallet: Wallet;
beforeEach(async () => {
  wallet = await arrangeWallet(world, { type: walletType.merchant, currency: usd });
  await fillPool(world, "evm", "", 2);
});

/** A deposit of 600 dollars with a rate lock. */
function lockedDeposit() {
  const createdAt = world.clock.now();
  return aNewDeposit(wallet, {
    walletType: walletType.merchant,
    walletCurrency: usd,
    currency: eth,
    targetAmountRequested: 600_00n,
    rate: rateOf("2000"),
    rateExpiresAt: addSeconds(createdAt, 900),
    createdAt,
  });
}

async function isWaitingForLock(): Promise<boolean> {
  const rows = await database.sql(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}

describe("the limit of open rate locks", () => {
  it("counts locks of creations that are not committed yet", async () => {
    const writer = createDepositWriter(database.db, () => "available", limit);
    let second: ReturnType<typeof writer.create> | undefined;
    let isSecondDone = false;
    await withGrantedLocks(database.db, limit, [lockedDeposit()], async (tx, granted) => {
      expect(granted[0]?.rateExpiresAt).not.toBeNull();
      second = writer.create(lockedDeposit()).finally(() => (isSecondDone = true));
      await eventually(async () => isSecondDone || (await isWaitingForLock()), Boolean);
      await tx.query(insertUnkeyed, [JSON.stringify(inputRows(granted))]);
    });
    expect(await second).toMatchObject({ rateExpiresAt: null });
  });
});
