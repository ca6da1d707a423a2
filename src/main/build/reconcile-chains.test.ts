import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { followedChain, simulatedCoin } from "../../../test/support/followed-chain.ts";
import { createRecordingTables } from "../../../test/support/recording-sink.ts";
import { adjustBooks } from "../../ledger/adjust-books.ts";
import { insertPostings } from "../../ledger/ledger.store.ts";
import { systemAccount } from "../../ledger/ledger-account.ts";
import { present } from "../../platform/kernel/assert.ts";
import { type LogFields, silentLogger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { createReconciliation } from "./reconcile-chains.ts";

/*
 * Compares books with a simulated chain. Each test writes its own postings on `chain/C` and has its own chain and currency,
 * because postings are never removed.
 */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();
beforeAll(() => createRecordingTables(database));

let currencies = 9_200;
/** The most that a gain may be. */
const gainMost = 1_000n;
/** Every currency is a coin whose smallest transfer is a unit more. */
const coins = {
  find: () => ({ kind: "coin", minimalTransferUnits: gainMost + 1n }) as const,
};

function arrange(funding: "account" | "coins" = "account", isCredited = false) {
  currencies += 1;
  const currency = String(currencies) as CurrencyId;
  const followed = followedChain(database, { funding });
  const { node, clock } = followed;
  const { chain, keyspace } = node.adapter;
  const requests: string[][] = [];
  const taken = new Map<string, bigint>();
  /** Runs while the node is asked for balances. */
  const during: { happens: (() => Promise<void>) | null } = { happens: null };
  const { reader } = node.adapter;
  const adapter = {
    ...node.adapter,
    currencies: [currency],
    reader: {
      ...reader,
      ...(isCredited ? { creditsAnyAccount: true as const } : {}),
      balancesAt: async (addresses: readonly string[], _of: CurrencyId, hash: string) => {
        requests.push([...addresses]);
        await during.happens?.();
        const balances = await reader.balancesAt(addresses, simulatedCoin, hash, signal);
        return (
          balances?.map((units, place) => units - (taken.get(addresses[place] ?? "") ?? 0n)) ?? null
        );
      },
    },
  };
  const lines: [string, LogFields | undefined][] = [];
  const logger = {
    ...silentLogger,
    warn: (text: string, fields?: LogFields) => void lines.push([text, fields]),
  };
  const run = createReconciliation({
    db,
    clock,
    logger,
    currencies: coins,
    chains: [
      {
        adapter,
        close: () => Promise.resolve(),
        startHeight: null,
        isIdle: false,
        balances: "queries",
      },
    ],
  });
  const book = async (units: bigint): Promise<void> => {
    const posting = {
      debit: systemAccount("chain", currency),
      credit: systemAccount("unresolved", currency),
      currency,
      units,
    };
    await db.transaction((tx) =>
      insertPostings(tx, [{ accountId: "1", cause: "test", postings: [posting] }], clock.now()),
    );
  };
  return {
    ...followed,
    adapter,
    currency,
    requests,
    taken,
    lines,
    during,
    book,
    /** Books a payment that the chain holds, at the address with this number. */
    receive: async (index: number, units: bigint): Promise<string> => {
      const destination = await followed.issue(index);
      node.pay(destination, units);
      await book(units);
      await sql(
        `insert into holding (chain, watch_key, currency, account_id, wallet_id, key_index, units, changed_at_height)
         values ($1, $2, $3, 1, 1, $4, $5, 1)`,
        [chain, node.adapter.addressing.watchKey(destination), currency, index, units],
      );
      return destination.address;
    },
    /** Opens the hot account; the chain credits it without a transaction whenever it is paid. */
    openHot: async () => {
      const hot = node.adapter.addressing.depositAt(9_999, null);
      await sql(
        `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, created_at)
         values ($1, $2, $3, '', 'hot', 0, $4)`,
        [
          ...[keyspace, node.adapter.addressing.watchKey(hot)],
          ...[hot.address, formatTimestamp(clock.now())],
        ],
      );
      return hot;
    },
    issueMany: (count: number) =>
      sql(
        `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at, account_id, wallet_id,
           deposit_id, issued_at)
         select $1, 'filler-' || lpad(n::text, 6, '0'), 'filler-' || n, '', n + 1000, $2, 1, 1, n, $2
         from generate_series(1, $3::int) n`,
        [keyspace, formatTimestamp(clock.now()), count],
      ),
    block: async () => {
      node.mine(1);
      await followed.catchUp();
    },
    reconcileAfter: async (seconds: number): Promise<void> => {
      clock.advance(seconds);
      await run(signal);
    },
    isStopped: async () =>
      (
        await sql(
          "select from payout_stop where scope = 'chain/' || $1 and kind = 'reconciliation'",
          [chain],
        )
      ).length === 1,
    result: async () => {
      const [row] = await sql<{
        ledger: bigint;
        held: bigint;
        checked: number;
        since: number | null;
      }>(
        `select ledger_units as ledger, chain_units as held, checked_at as checked, differs_since as since
         from reconciliation where currency = $1`,
        [currency],
      );
      return row ?? null;
    },
    newestRun: async () => {
      const [row] = await sql<{ completed: number | null; failure: string | null }>(
        "select completed_at as completed, failure from reconciliation_run where chain = $1",
        [chain],
      );
      return present(row, "a run");
    },
  };
}

describe("cost of a comparison", () => {
  it("reads addresses with holdings and a bounded sample when 100,000 addresses are issued", async () => {
    const setup = arrange();
    await setup.issueMany(100_000);
    const first = await setup.receive(1, 5n);
    const second = await setup.receive(2, 7n);
    await setup.block();
    await setup.reconcileAfter(0);
    expect(await setup.result()).toMatchObject({ ledger: 12n, held: 12n, since: null });
    const addresses = setup.requests.flat();
    expect(setup.requests).toHaveLength(1);
    expect(addresses).toEqual(expect.arrayContaining([first, second]));
    expect(addresses.length).toBeLessThanOrEqual(1_002);
    expect((await setup.newestRun()).failure).toBeNull();
  });

  it("samples every issued address in turn and then starts again", async () => {
    const setup = arrange();
    await setup.issueMany(2_500);
    await setup.block();
    for (let run = 0; run < 3; run += 1) await setup.reconcileAfter(61);
    expect(new Set(setup.requests.flat()).size).toBe(2_500);
    const before = setup.requests.length;
    await setup.reconcileAfter(61);
    expect(setup.requests.slice(before).flat()).toEqual(setup.requests[0]);
  });
});

describe("blocks that arrive during a comparison", () => {
  it("keeps the answer, which is as of the booked block", async () => {
    const setup = arrange();
    await setup.receive(1, 5n);
    await setup.block();
    const address = await setup.issue(2);
    setup.during.happens = async () => {
      setup.node.pay(address, 100n);
      await setup.block();
    };
    await setup.reconcileAfter(0);
    expect(await setup.result()).toMatchObject({ ledger: 5n, held: 5n, since: null });
    expect((await setup.newestRun()).failure).toBeNull();
  });
});

describe("a shortage", () => {
  it("stops the chain's payouts at the next comparison and is checked again within seconds", async () => {
    const setup = arrange();
    const address = await setup.receive(1, 5n);
    await setup.block();
    await setup.reconcileAfter(0);
    expect(await setup.isStopped()).toBe(false);

    setup.taken.set(address, 5n);
    await setup.reconcileAfter(61);
    expect(await setup.isStopped()).toBe(true);

    const compared = (await setup.result())?.checked;
    await setup.reconcileAfter(5);
    expect((await setup.result())?.checked).toBeGreaterThan(compared ?? 0);
    expect(await setup.isStopped()).toBe(true);

    setup.taken.clear();
    await setup.reconcileAfter(5);
    expect(await setup.isStopped()).toBe(false);
  });

  it("stops payouts even when the process died between recording and stopping", async () => {
    const setup = arrange();
    const address = await setup.receive(1, 5n);
    await setup.block();
    await setup.reconcileAfter(0);
    setup.taken.set(address, 1n);
    await setup.reconcileAfter(61);
    await sql("delete from payout_stop");
    // A new worker has no memory and compares at once.
    const again = createReconciliation({
      db,
      clock: setup.clock,
      logger: silentLogger,
      currencies: coins,
      chains: [
        {
          adapter: setup.adapter,
          close: () => Promise.resolve(),
          startHeight: null,
          isIdle: false,
          balances: "queries",
        },
      ],
    });
    await again(signal);
    expect(await setup.isStopped()).toBe(true);
  });

  it("does not stop payouts at once when our own open transaction explains it", async () => {
    const setup = arrange();
    const address = await setup.receive(1, 5n);
    await setup.block();
    await sql(
      `insert into spend (chain, kind, state, fee_currency, confirmations, left_currency, left_units, created_at, updated_at)
       values ($1, 'cold', 'open', $2, 1, $2, 5, $3, $3)`,
      [setup.adapter.chain, setup.currency, formatTimestamp(setup.clock.now())],
    );
    setup.taken.set(address, 5n);
    await setup.reconcileAfter(0);
    expect(await setup.isStopped()).toBe(false);
    expect((await setup.result())?.since).toBe(setup.clock.now());
    await sql("update spend set state = 'dead'");
    await setup.reconcileAfter(5);
    expect(await setup.isStopped()).toBe(true);
  });

  it("is not reported when the money is at an address whose booked balance is zero, which is corrected", async () => {
    const setup = arrange();
    await setup.receive(1, 5n);
    await sql("update holding set units = 0 where chain = $1", [setup.adapter.chain]);
    await setup.issueMany(1_500);
    await setup.block();
    await setup.reconcileAfter(0);
    expect(await setup.result()).toMatchObject({ ledger: 5n, held: 5n, since: null });
    const holdings = await sql("select units from holding where chain = $1", [setup.adapter.chain]);
    expect(holdings).toEqual([{ units: 5n }]);
  });
});

describe("an excess on the chain", () => {
  it("is found by a sample, remains reported while it exists, and can be booked", async () => {
    const setup = arrange();
    await setup.receive(1, 5n);
    const stray = await setup.issue(2);
    setup.node.pay(stray, 3n);
    await setup.issueMany(1_500);
    await setup.block();
    for (let run = 0; run < 3; run += 1) {
      await setup.reconcileAfter(run === 0 ? 0 : 61);
    }
    expect(await setup.result()).toMatchObject({ ledger: 5n, held: 8n });
    expect(await setup.isStopped()).toBe(true);
    for (let run = 0; run < 3; run += 1) await setup.reconcileAfter(5);
    expect(await setup.result()).toMatchObject({ held: 8n });

    expect(await adjustBooks({ db, clock: setup.clock }, setup.adapter.chain, setup.currency)).toBe(
      3n,
    );
    expect(await adjustBooks({ db, clock: setup.clock }, setup.adapter.chain, setup.currency)).toBe(
      0n,
    );
    await setup.reconcileAfter(5);
    expect(await setup.result()).toMatchObject({ ledger: 8n, held: 8n, since: null });
    expect(await setup.isStopped()).toBe(false);
  });
});

describe("an adjustment during a comparison", () => {
  it("stays, since the comparison that does not know it records nothing", async () => {
    const setup = arrange();
    const { chain } = setup.adapter;
    const address = await setup.receive(1, 5n);
    await setup.block();
    setup.taken.set(address, 2n);
    await setup.reconcileAfter(0);
    expect(await setup.result()).toMatchObject({ ledger: 5n, held: 3n });
    const adjust = () => adjustBooks({ db, clock: setup.clock }, chain, setup.currency);
    const adjusted: bigint[] = [];
    setup.during.happens = async () => {
      adjusted.push(await adjust());
    };
    await setup.reconcileAfter(5);
    expect(adjusted).toEqual([-2n]);
    const settled = { ledger: 3n, held: 3n, since: null };
    expect(await setup.result()).toMatchObject(settled);
    expect((await setup.newestRun()).failure).toContain("the books were adjusted");
    expect(await adjust()).toBe(0n);
    setup.during.happens = null;
    await setup.reconcileAfter(5);
    expect(await setup.result()).toMatchObject({ ...settled, checked: setup.clock.now() });
    expect((await setup.newestRun()).failure).toBeNull();
    expect(await setup.isStopped()).toBe(false);
  });
});

describe("a surplus that the protocol credited", () => {
  async function arrangeCredited(units: bigint, at: "hot" | "deposit") {
    const setup = arrange("account", true);
    const hot = await setup.openHot();
    await setup.receive(1, 5n);
    await setup.block();
    await setup.reconcileAfter(0);
    setup.node.pay(at === "hot" ? hot : setup.node.adapter.addressing.depositAt(1, null), units);
    await setup.block();
    await setup.reconcileAfter(61);
    return setup;
  }

  it("is booked as the operator's gain once it was seen at two blocks, and stops nothing", async () => {
    const setup = await arrangeCredited(gainMost, "hot");
    expect(await setup.result()).toMatchObject({ ledger: 5n, held: 1_005n });
    expect(await setup.isStopped()).toBe(false);
    await setup.block();
    await setup.reconcileAfter(5);
    expect(await setup.result()).toMatchObject({ ledger: 1_005n, held: 1_005n, since: null });
    expect(await setup.isStopped()).toBe(false);
    await setup.reconcileAfter(61);
    expect(await setup.result()).toMatchObject({ ledger: 1_005n, held: 1_005n, since: null });
    const booked = await sql(
      "select credit, units, cause from posting where cause like 'gain:%' and currency = $1",
      [setup.currency],
    );
    expect(booked).toMatchObject([{ credit: `equity/${setup.currency}`, units: gainMost }]);
    expect(setup.lines).toMatchObject([["a surplus is booked as a gain", { units: "1000" }]]);
  });

  it("stops payouts at once if it is as large as a payment may be", async () => {
    const setup = await arrangeCredited(gainMost + 1n, "hot");
    expect(await setup.isStopped()).toBe(true);
  });

  it("is a gain also at the address of a deposit, where so little is dust, but stops payouts there if larger", async () => {
    const small = await arrangeCredited(1n, "deposit");
    await small.block();
    await small.reconcileAfter(5);
    expect(await small.result()).toMatchObject({ ledger: 6n, held: 6n, since: null });
    expect(await small.isStopped()).toBe(false);
    const large = await arrangeCredited(gainMost + 1n, "deposit");
    expect(await large.isStopped()).toBe(true);
  });
});

describe("UTXO chains", () => {
  const bookCoin = async (
    setup: ReturnType<typeof arrange>,
    outpoint: string,
    units: bigint,
    watchKey = "",
  ) => {
    await setup.book(units);
    await sql(
      `insert into coin (chain, outpoint, units, watch_key, address_type, branch, key_index, block_height)
       values ($1, $2, $3, $4, '', 0, 1, 1)`,
      [setup.adapter.chain, outpoint, units, watchKey],
    );
  };

  it("stops payouts at the next comparison when someone else spent our coin", async () => {
    const setup = arrange("coins");
    const to = await setup.issue(1);
    const watchKey = setup.adapter.addressing.watchKey(to);
    await bookCoin(setup, `${setup.node.pay(to, 5n)}:0`, 5n, watchKey);
    await setup.block();
    await setup.reconcileAfter(0);
    expect(await setup.result()).toMatchObject({ ledger: 5n, held: 5n, since: null });
    await bookCoin(setup, "gone:0", 7n);
    await setup.reconcileAfter(61);
    expect(await setup.result()).toMatchObject({ ledger: 12n, held: 5n });
    expect(await setup.isStopped()).toBe(true);
  });

  it("decides about a coin spent in an unbooked block once that block is booked", async () => {
    const setup = arrange("coins");
    await setup.block();
    await bookCoin(setup, "gone:0", 7n);
    setup.node.mine(1);
    await setup.reconcileAfter(0);
    expect((await setup.newestRun()).failure).toContain("could not answer for the booked block");
    expect(await setup.result()).toBeNull();
    // Books the block that spent it.
    await setup.catchUp();
    await sql("update coin set spent_height = 2 where chain = $1", [setup.adapter.chain]);
    await sql("delete from posting where currency = $1", [setup.currency]);
    await setup.reconcileAfter(5);
    expect(await setup.result()).toMatchObject({ ledger: 0n, held: 0n, since: null });
  });

  it("finds an unbooked output by a sample and keeps it in later comparisons", async () => {
    const setup = arrange("coins");
    setup.node.pay(await setup.issue(1), 5n);
    await setup.block();
    await setup.reconcileAfter(0);
    expect(await setup.result()).toMatchObject({ ledger: 0n, held: 5n });
    await setup.reconcileAfter(5);
    expect(await setup.result()).toMatchObject({ held: 5n });
    expect(await setup.isStopped()).toBe(true);
  });
});

it("logs a failing run once, records it, and repeats it within seconds", async () => {
  const setup = arrange();
  await setup.receive(1, 5n);
  await setup.block();
  await setup.reconcileAfter(0);
  const { completed } = await setup.newestRun();
  setup.node.faults.outage = true;
  await setup.reconcileAfter(61);
  await setup.reconcileAfter(5);
  expect(setup.lines).toEqual([
    [
      "not reconciled",
      { chain: setup.adapter.chain, error: expect.stringContaining("is off") as unknown },
    ],
  ]);
  expect(await setup.newestRun()).toMatchObject({
    completed,
    failure: expect.stringContaining("is off") as unknown,
  });
  setup.node.faults.outage = false;
  await setup.reconcileAfter(5);
  expect(await setup.newestRun()).toEqual({ completed: setup.clock.now(), failure: null });
});
