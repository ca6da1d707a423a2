import { afterEach, describe, expect, it } from "vitest";
import { expectBooksToBalance, ledgerSums } from "../../test/support/check-books.ts";
import { useDatabase } from "../../test/support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  eth,
  readBalance,
  type Wallet,
} from "../../test/support/deposit-world.ts";
import { InvariantViolation } from "../platform/kernel/assert.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { lockBalances } from "./ledger.store.ts";
import { systemAccount, walletAccount } from "./ledger-account.ts";
import { readPositions } from "./position.store.ts";
import { post, postLocked } from "./post.ts";
import type { Entry, Posting } from "./posting.ts";

/** Postings and wallet balances on a real database; after each test every balance is the sum of its postings. */

const database = useDatabase();
const world = depositWorld(database);
afterEach(() => expectBooksToBalance(database));

const chain = systemAccount("chain", eth);

function posting(debit: string, credit: string, units: bigint): Posting {
  return { debit, credit, currency: eth, units };
}

function entry({ accountId }: Wallet, ...postings: Posting[]): Entry {
  return { accountId, cause: "test", postings };
}

const book = (...entries: Entry[]): Promise<void> =>
  database.db.transaction((tx) => post(tx, entries, world.clock.now()));

const credit = (wallet: Wallet, units: bigint): Entry =>
  entry(wallet, posting(chain, walletAccount(wallet.walletId, "available"), units));
const takeBack = (wallet: Wallet, units: bigint): Entry =>
  entry(wallet, posting(walletAccount(wallet.walletId, "available"), chain, units));

describe("post", () => {
  it("moves the buckets that the postings name", async () => {
    const wallet = await arrangeWallet(world);
    const { walletId } = wallet;
    await book(entry(wallet, posting(chain, walletAccount(walletId, "pending"), 7n)));
    expect(await readBalance(world, wallet)).toMatchObject({ pending: 7n, available: 0n });
    await book(
      entry(
        wallet,
        posting(walletAccount(walletId, "pending"), walletAccount(walletId, "available"), 5n),
        posting(walletAccount(walletId, "available"), walletAccount(walletId, "held"), 2n),
      ),
    );
    expect(await readBalance(world, wallet)).toEqual({ pending: 2n, available: 3n, deficit: 0n });
  });

  describe("funds that a reorg takes back after they were spent", () => {
    it("become a deficit, which later credits repay first", async () => {
      const wallet = await arrangeWallet(world);
      const spend = posting(walletAccount(wallet.walletId, "available"), chain, 80n);
      await book(credit(wallet, 100n));
      await book(entry(wallet, spend));
      await book(takeBack(wallet, 100n));
      expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, deficit: 80n });
      expect(await readDeficitEntries()).toEqual([
        {
          account_id: wallet.accountId,
          cause: `deficit:${wallet.walletId}`,
          debit: walletAccount(wallet.walletId, "deficit"),
          credit: walletAccount(wallet.walletId, "available"),
          units: 80n,
        },
      ]);
      await book(credit(wallet, 30n));
      expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, deficit: 50n });
      await book(credit(wallet, 60n));
      expect(await readBalance(world, wallet)).toMatchObject({ available: 10n, deficit: 0n });
      const sums = await ledgerSums(database, `wallet/${wallet.walletId}/%`);
      expect(sums).toEqual([{ name: `wallet/${wallet.walletId}/available`, units: -10n }]);
    });

    async function readDeficitEntries() {
      return database.sql(
        "select account_id, cause, debit, credit, units from posting where cause like 'deficit:%'",
      );
    }

    it("are covered in the same transaction by incoming funds", async () => {
      const wallet = await arrangeWallet(world);
      await book(takeBack(wallet, 40n), credit(wallet, 100n));
      expect(await readBalance(world, wallet)).toMatchObject({ available: 60n, deficit: 0n });
    });
  });

  it("allows overdrafts of the available bucket only", async () => {
    const wallet = await arrangeWallet(world);
    for (const bucket of ["pending", "held"] as const) {
      const overdraft = posting(walletAccount(wallet.walletId, bucket), chain, 1n);
      await expect(book(entry(wallet, overdraft))).rejects.toThrow(InvariantViolation);
    }
    expect(await ledgerSums(database, `wallet/${wallet.walletId}/%`)).toEqual([]);
  });

  it("rejects a wallet that does not exist, of another tenant, or in another currency", async () => {
    const wallet = await arrangeWallet(world);
    const other = await arrangeWallet(world);
    const foreign = { ...credit(wallet, 1n), accountId: other.accountId };
    await expect(book(foreign)).rejects.toThrow(InvariantViolation);
    await expect(book(credit({ ...wallet, walletId: "999999" }, 1n))).rejects.toThrow(
      InvariantViolation,
    );
    const dollars = { ...posting(chain, walletAccount(wallet.walletId, "available"), 1n) };
    const mixed = entry(wallet, { ...dollars, currency: "840" as CurrencyId }, dollars);
    await expect(book(mixed)).rejects.toThrow(InvariantViolation);
  });

  it("adds what conversions gain and lose to the operator's positions", async () => {
    const wallet = await arrangeWallet(world);
    const conversion = systemAccount("conversion", eth);
    const before = (await readPositions(database.db)).get(eth) ?? 0n;
    await book(
      entry(wallet, posting(chain, conversion, 9n), posting(conversion, chain, 2n)),
      entry(
        wallet,
        posting(chain, conversion, 4n),
        posting(chain, systemAccount("fees", eth), 50n),
      ),
    );
    expect(await readPositions(database.db)).toEqual(new Map([[eth, before + 11n]]));
  });

  it("writes only the balances that its postings change, of all that the caller has locked", async () => {
    const [paid, other] = [await arrangeWallet(world), await arrangeWallet(world)];
    await book(credit(other, 5n));
    await database.db.transaction(async (tx) => {
      const locked = await lockBalances(tx, [paid, other]);
      await postLocked(tx, locked, [credit(paid, 7n)], world.clock.now());
    });
    expect(await readBalance(world, paid)).toMatchObject({ available: 7n });
    expect(await readBalance(world, other)).toMatchObject({ available: 5n });
  });

  it("touches nothing without postings", async () => {
    await expect(book()).resolves.toBeUndefined();
  });

  it("neither loses updates nor deadlocks with many transactions over many wallets in any order", async () => {
    const wallets = await Promise.all(Array.from({ length: 6 }, () => arrangeWallet(world)));
    const rounds = Array.from({ length: 120 }, (_, round) => round);
    await Promise.all(
      rounds.map((round) => {
        const chosen = wallets.filter((_, index) => (round + index) % 3 !== 0);
        const ordered = round % 2 === 0 ? chosen : chosen.toReversed();
        return book(
          ...ordered.map((wallet) => credit(wallet, 10n)),
          ...ordered.map((wallet) => takeBack(wallet, 3n)),
        );
      }),
    );
    for (const [index, wallet] of wallets.entries()) {
      const times = rounds.filter((round) => (round + index) % 3 !== 0).length;
      expect(await readBalance(world, wallet)).toMatchObject({ available: BigInt(times) * 7n });
    }
  });
});
