import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertPostings } from "../../src/ledger/ledger.store.ts";
import { systemAccount } from "../../src/ledger/ledger-account.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { compareHoldings } from "../../src/treasury/holdings/compare-holdings.ts";
import { releasePrepared } from "../../src/treasury/sweeping/release-prepared.ts";
import { sweepDeposits } from "../../src/treasury/sweeping/sweep-deposits.ts";
import { useDatabase } from "../support/database.ts";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";
import { openSweepSite, type SweepSite } from "../support/sweep-site.ts";
import {
  coin,
  fund,
  openTronAccounts,
  privateKeyOf,
  signal,
  sunPerTrx,
  type TronAccounts,
  tether,
} from "../support/tron-accounts.ts";
import { type ConnectedTron, connectTron } from "../support/tron-adapter.ts";

/*
 * The sweeper's job on the simulated TRON ledger and a real database: each step is a spend that the pipeline signs and broadcasts,
 * and whose block the follower reports.
 */

const database = useDatabase();
const { sql } = database;

let ledger: PrivateTron;
let own: TronAccounts;
let connection: ConnectedTron;
let site: SweepSite;
let wallet: Awaited<ReturnType<SweepSite["arrangeWallet"]>>;

beforeAll(async () => {
  ledger = await startPrivateTron();
  own = openTronAccounts(ledger);
  connection = connectTron(ledger, [ledger.tron.url]);
  await fund(ledger, own.hot, { sun: sunPerTrx });
  await fund(ledger, own.gas, { sun: 1_000_000n * sunPerTrx });
  const { transactionBuilder } = ledger.web;
  const stake = Number(30_000n * sunPerTrx);
  await ledger.send(
    await transactionBuilder.freezeBalanceV2(stake, "ENERGY", own.gas),
    privateKeyOf("gas"),
  );
  await ledger.mine(20);
  site = openSweepSite(
    database,
    {
      adapter: connection.adapter,
      mine: ledger.mine,
      sign: ({ intent, body, claims }) =>
        own.sign({ body, claims, feeUnits: 0n, validity: null }, intent, BigInt(intent.feeCeiling)),
    },
    // A dollar is worth three TRX.
    { currencies: own.currencies, rates: new Map([[tether, [3n, 0]]]) },
  );
  wallet = await site.arrangeWallet(tether);
});
afterAll(async () => {
  await connection.close();
  await own.close();
  await ledger.stop();
});

/** Until a block is solid and at its currency's confirmation count. */
const final = 45;

/** Pays a deposit address, and records the payment once it is final. */
async function pay(keyIndex: number, currency: CurrencyId, units: bigint): Promise<void> {
  const { address } = own.addressing.depositAt(keyIndex, null);
  await fund(ledger, address, currency === coin ? { sun: units } : { tokens: units });
  await ledger.mine(20);
  await site.note({ keyIndex, currency, units, wallet });
}

/** What the chain holds of the coin beyond the books, by the addresses that the books name. */
async function difference(): Promise<bigint> {
  const { db, clock, logger } = site.context;
  const context = { db, clock, logger, chain: connection.adapter, sampleMax: 0 };
  const compared = present(await compareHoldings(context, coin, signal), "a comparison");
  return compared.chainUnits - compared.ledgerUnits;
}

/** Watches our own accounts, and books what they hold of the coin. */
async function bookCapital(): Promise<void> {
  const { db, clock } = site.context;
  const { addressing } = own;
  const { keyspace } = connection.adapter;
  for (const [purpose, account] of Object.entries(present(addressing.treasury, "our accounts"))) {
    if (purpose !== "hot" && purpose !== "gas") continue;
    await sql(
      `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, created_at)
       values ($1, $2, $3, '', $4, 0, $5)`,
      [
        keyspace,
        addressing.watchKey(account),
        account.address,
        purpose,
        formatTimestamp(clock.now()),
      ],
    );
  }
  const postings = [
    {
      debit: systemAccount("chain", coin),
      credit: systemAccount("equity", coin),
      currency: coin,
      units: await difference(),
    },
  ];
  await db.transaction((tx) =>
    insertPostings(tx, [{ accountId: "0", cause: "test", postings }], clock.now()),
  );
}

const turn = (): Promise<number> => sweepDeposits(site.context, signal);
const sunOfHot = async (): Promise<bigint> =>
  BigInt(await ledger.web.trx.getUnconfirmedBalance(own.hot));

describe("sweeping deposits on TRON", () => {
  it("creates the account, lends it energy, moves its tokens and takes the energy back", async () => {
    await pay(1, tether, 70_000_000n);
    await site.mine(1);
    await bookCapital();
    for (const kind of ["top_up", "delegate", "sweep"]) {
      expect(await turn()).toBe(1);
      expect((await site.spends()).at(-1)).toEqual({ kind, state: "open" });
      await site.carryOut(final);
      expect((await site.spends()).at(-1)).toEqual({ kind, state: "confirmed" });
      // The coin of a top-up stays in the books, at an address that no coin was ever paid to.
      expect(await difference()).toBe(0n);
    }
    expect(await ledger.tokensOf(own.hot)).toBe(70_000_000n);
    expect(await turn()).toBe(0);

    const prepared = () => sql("select key_index::int as index from delegation");
    expect(await prepared()).toEqual([{ index: 1 }]);
    // It may have to sweep again soon.
    await releasePrepared(site.context, signal);
    expect((await site.spends()).length).toBe(3);
    site.clock.advance(61);
    await releasePrepared(site.context, signal);
    expect((await site.spends()).at(-1)).toEqual({ kind: "undelegate", state: "open" });
    await site.carryOut(final);
    await releasePrepared(site.context, signal);
    expect(await prepared()).toEqual([]);
  });

  it("sweeps again, once, after a transaction that reached no node has expired", async () => {
    const before = await sunOfHot();
    await pay(2, coin, 100n * sunPerTrx);
    expect(await turn()).toBe(1);
    await site.sign();
    await site.mine(final);
    await site.expire();
    expect((await site.spends()).at(-1)).toEqual({ kind: "sweep", state: "open" });
    // Ten minutes of blocks, and what it takes until they are final.
    await site.mine(200 + final);
    await site.expire();
    expect((await site.spends()).at(-1)).toEqual({ kind: "sweep", state: "dead" });
    // It waits as after every failure.
    expect(await turn()).toBe(0);
    site.clock.advance(600);
    expect(await turn()).toBe(1);
    await site.carryOut(final);
    expect((await site.spends()).at(-1)).toEqual({ kind: "sweep", state: "confirmed" });
    const swept = (await sunOfHot()) - before;
    expect(swept).toBeGreaterThan(99n * sunPerTrx);
    expect(swept).toBeLessThanOrEqual(100n * sunPerTrx);
  });

  it("prepares no address whose transfer would exceed the fee ceiling", async () => {
    const before = (await site.spends()).length;
    await pay(3, tether, 90_000_000n);
    // Lending costs less than that, and the transfer's fee limit is above it.
    const settings = { ...site.context.settings, feeCeiling: 2n * sunPerTrx };
    const strict = { ...site.context, settings };
    expect(await sweepDeposits(strict, signal)).toBe(0);
    expect((await site.spends()).length).toBe(before);
    expect(await turn()).toBe(1);
    await site.carryOut(final);
    expect((await site.spends()).at(-1)).toEqual({ kind: "top_up", state: "confirmed" });
    // The ceiling was lowered in between.
    expect(await sweepDeposits(strict, signal)).toBe(0);
    expect((await site.spends()).length).toBe(before + 1);
  });

  it("comes to rest once every address is swept, and takes no step twice", async () => {
    await pay(3, coin, 20n * sunPerTrx);
    for (const keyIndex of [4, 5, 6, 7, 8, 9]) {
      await pay(keyIndex, tether, 80_000_000n);
      if (keyIndex > 6) await pay(keyIndex, coin, 20n * sunPerTrx);
    }
    const first = (await site.spends()).length;
    // The first idle turn settles the last sweeps, and the next one releases their addresses.
    for (let idle = 0; idle < 3; ) {
      const { length } = await site.spends();
      await turn();
      await releasePrepared(site.context, signal);
      await site.carryOut(final);
      // An address that is prepared has a minute to send.
      site.clock.advance(61);
      idle = (await site.spends()).length === length ? idle + 1 : 0;
      expect(length).toBeLessThan(first + 50);
    }
    const made = (
      await sql<{ kind: string; who: string }>(
        `select kind, coalesce(purpose ->> 'keyIndex', purpose -> 'sources' -> 0 ->> 'keyIndex', purpose -> 'keyIndexes' ->> 0) || ' ' ||
         coalesce(purpose -> 'sources' -> 0 -> 'assets' -> 0 ->> 'kind', '') as who
       from spend order by id offset $1`,
        [first],
      )
    ).map(({ kind, who }) => `${kind} ${who}`);
    expect(new Set(made).size).toBe(made.length);
    expect((await site.spends()).every(({ state }) => state !== "open")).toBe(true);
    expect(await sql("select 1 from delegation")).toEqual([]);
    for (const keyIndex of [3, 4, 5, 6, 7, 8, 9]) {
      const { address } = own.addressing.depositAt(keyIndex, null);
      expect(await ledger.tokensOf(address)).toBe(0n);
    }
  });
});
