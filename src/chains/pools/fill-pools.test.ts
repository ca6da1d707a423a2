/**
 * Pools fill with verified addresses, and no index is ever used twice, whatever is lost in between: the database's newest rows,
 * the signer's journal, or the process between two steps. Uses a real journal, database and libraries.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { accountXpub, bitcoin, knownKeyTrees } from "../../../test/support/known-chains.ts";
import { fc } from "../../../test/support/property.ts";
import type { Database } from "../../platform/db/database.ts";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type IssueJournal, openIssueJournal } from "../../signer/journal/issue-journal.ts";
import { deriveKeys } from "../../signer/keys/derive-keys.ts";
import { createEvmAddressing } from "../evm/addressing.ts";
import type { DerivedAddressing } from "../port.ts";
import { createAddressing } from "../utxo/addressing.ts";
import { type AddressPool, type FillContext, fillPools } from "./fill-pools.ts";

const database = useDatabase();
const { accounts } = deriveKeys(new Uint8Array(32).fill(5), "test", knownKeyTrees);
const xpub = (keyspace: string, addressType: string): string =>
  accountXpub(accounts, keyspace, addressType);

type DerivedPool = AddressPool & { readonly addressing: DerivedAddressing };

const evm: DerivedPool = {
  keyspace: "evm",
  addressType: "",
  addressing: createEvmAddressing(xpub("evm", ""), []),
};
const btc: DerivedPool = {
  keyspace: "BTC",
  addressType: "bech32",
  addressing: createAddressing(bitcoin, "regtest", { bech32: xpub("BTC", "bech32") }),
};

let folder = "";
let journal: IssueJournal;
const journals: IssueJournal[] = [];
const newJournal = async (): Promise<IssueJournal> => {
  const created = await openIssueJournal(join(folder, randomUUID()), new Uint8Array(32));
  journals.push(created);
  return created;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-pool-"));
});
afterAll(async () => {
  for (const opened of journals) await opened.close();
  await rm(folder, { recursive: true, force: true });
});
const forget = async (): Promise<void> => {
  await database.sql("delete from address");
  await database.sql("delete from address_reservation");
};
beforeEach(async () => {
  await forget();
  journal = await newJournal();
});

const contextFor = (changes: Partial<FillContext> = {}): FillContext => ({
  db: database.db,
  clock: systemClock,
  logger: silentLogger,
  signer: {
    highestIssued: (keyspace, addressType) =>
      Promise.resolve(journal.highest(keyspace, addressType)),
    recordIssued: (range) => journal.record(range),
    createKeys: () => Promise.reject(new Error("these addresses are derived")),
  },
  pools: [btc],
  size: 8,
  ...changes,
});
const fill = (changes: Partial<FillContext> = {}) =>
  fillPools(contextFor(changes), new AbortController().signal);

type Row = { readonly index: number; readonly address: string; readonly watchKey: string };
const stored = ({
  keyspace,
  addressType,
}: Pick<AddressPool, "keyspace" | "addressType">): Promise<readonly Row[]> =>
  database.sql<Row>(
    `select key_index::int as index, address, watch_key as "watchKey" from address
     where keyspace = $1 and address_type = $2 order by key_index`,
    [keyspace, addressType],
  );
const indexes = async (pool: AddressPool) => (await stored(pool)).map(({ index }) => index);
const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place);

/** Takes addresses as deposits do: the lowest unused ones. */
async function issue(count: number): Promise<number[]> {
  const rows = await database.sql<{ index: number }>(
    `update address set deposit_id = 1, account_id = 1, wallet_id = 1, issued_at = derived_at
     where (keyspace, watch_key) in
       (select keyspace, watch_key from address where deposit_id is null order by key_index limit $1)
     returning key_index::int as index`,
    [count],
  );
  return rows.map(({ index }) => index).toSorted((a, b) => a - b);
}

describe("fillPools", () => {
  it("continues above the database's addresses after the signer's journal was lost, in steps that the signer accepts", async () => {
    await database.sql(
      `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at)
     values ('BTC', 'far', 'far', 'bech32', 25000, now())`,
    );
    await fill();
    expect((await indexes(btc)).slice(0, 3)).toEqual([25_000, 25_001, 25_002]);
    expect(journal.highest("BTC", "bech32")).toBeGreaterThan(25_000);
  });

  const saveAddresses = async (): Promise<string> => {
    const rows = (table: string): string =>
      `(select coalesce(jsonb_agg(to_jsonb(row)), '[]') from ${table} as row)`;
    const [row] = await database.sql<{ saved: string }>(
      `select jsonb_build_object('address', ${rows("address")}, 'address_reservation', ${rows("address_reservation")})::text as saved`,
    );
    return row!.saved;
  };

  async function restoreAddresses(saved: string): Promise<void> {
    await forget();
    for (const table of ["address", "address_reservation"]) {
      await database.sql(
        `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb -> '${table}')`,
        [saved],
      );
    }
  }

  /** Fails between the signer's record and the insert, like a process that dies there, or a primary that is lost. */
  const crashing: Database = {
    ...database.db,
    query: (statement, values) =>
      statement.name === "address-pool.add"
        ? Promise.reject(new Error("crash"))
        : database.db.query(statement, values),
  };

  it("fills each pool to its size with the addresses of its indexes", async () => {
    expect(await fill({ pools: [evm, btc] })).toBe(16);
    for (const { pool, type } of [
      { pool: evm, type: null },
      { pool: btc, type: "bech32" },
    ]) {
      expect(await stored(pool)).toEqual(
        numbers(0, 7).map((index) => {
          const destination = pool.addressing.depositAt(index, type);
          const { address } = destination;
          return { index, address, watchKey: pool.addressing.watchKey(destination) };
        }),
      );
      expect(journal.highest(pool.keyspace, pool.addressType)).toBe(7);
    }
    expect(await fill({ pools: [evm, btc] })).toBe(0);
  });

  it("refills a pool once a quarter of it is used", async () => {
    await fill();
    await issue(1);
    expect(await fill()).toBe(0);
    await issue(1);
    expect(await fill()).toBe(2);
    expect(await indexes(btc)).toEqual(numbers(0, 9));
  });

  it("leaves a pool empty until it is open, and fills the others", async () => {
    let isOpen = (): Promise<boolean> => Promise.resolve(false);
    const pools = [{ ...btc, isOpen: () => isOpen() }, evm];
    expect(await fill({ pools })).toBe(8);
    isOpen = () => Promise.reject(new Unavailable("BTC", "no node answers"));
    expect(await fill({ pools })).toBe(0);
    expect(await indexes(btc)).toEqual([]);
    isOpen = () => Promise.resolve(true);
    expect(await fill({ pools })).toBe(8);
    expect(await indexes(btc)).toEqual(numbers(0, 7));
  });

  it("records nothing and adds nothing to the pool if two libraries disagree", async () => {
    const addressing = {
      ...btc.addressing,
      rederiveDepositAt: (index: number, type: string | null) =>
        btc.addressing.depositAt(index === 5 ? 6 : index, type),
    };
    await expect(fill({ pools: [{ ...btc, addressing }] })).rejects.toThrow(InvariantViolation);
    expect(await stored(btc)).toEqual([]);
    expect(journal.highest("BTC", "bech32")).toBeNull();
  });

  it("issues nothing from before the signer's newest record after the database was restored from an older backup", async () => {
    await fill();
    const issued = await issue(3);
    const backup = await saveAddresses();
    await issue(3);
    await fill();
    await restoreAddresses(backup);
    await fill();
    // 11..13 were recorded, then lost; 3..7 were unused in the backup, and some of them have been issued since.
    expect(await indexes(btc)).toEqual([...issued, ...numbers(14, 21)]);
  });

  it("keeps the waiting addresses when a range was recorded and its insert failed", async () => {
    await fill();
    await issue(2);
    await expect(fill({ db: crashing })).rejects.toThrow("crash");
    expect(journal.highest("BTC", "bech32")).toBe(9);
    await fill();
    // 8 and 9 are skipped; 2 to 7 wait for deposits as before.
    expect(await indexes(btc)).toEqual([...numbers(0, 7), 10, 11]);
  });

  it("continues after the database if the journal is older", async () => {
    await fill();
    await issue(8);
    journal = await newJournal();
    await fill();
    expect(await indexes(btc)).toEqual(numbers(0, 15));
  });

  it("shares no index between two concurrent workers", async () => {
    await Promise.all([fill(), fill(), fill()]);
    await fill();
    const found = await indexes(btc);
    expect(found.length).toBeGreaterThanOrEqual(8);
    expect(found.at(-1)).toBe(journal.highest("BTC", "bech32"));
  });

  it("adds nothing when the signer cannot record", async () => {
    const signer = {
      ...contextFor().signer,
      recordIssued: () => Promise.reject(new Error("the disk is full")),
    };
    await expect(fill({ signer })).rejects.toThrow("the disk is full");
    expect(await stored(btc)).toEqual([]);
  });

  it("stops when aborted", async () => {
    expect(await fillPools(contextFor(), AbortSignal.abort())).toBe(0);
  });

  /**
   * The property restores only backups from before the signer's last record: a restore loses at most what happened since that
   * record without being noticed (production replicates synchronously).
   */
  it("pauses between batches once its pools have some addresses, the longer the fuller they are", async () => {
    const pauses: number[] = [];
    let micros = 0;
    // Every look at this clock takes a millisecond, so every batch takes the same time.
    const clock = {
      now: () => (micros += 1_000) as Instant,
      sleep: (delayMs: number) => {
        pauses.push(delayMs);
        return Promise.resolve();
      },
    };
    await fill({ clock, size: 4 * 64 });
    const perBatch = pauses.filter((delayMs) => delayMs > 0);
    expect(perBatch).toHaveLength(3);
    expect(perBatch).toEqual(perBatch.toSorted((a, b) => a - b));
  });

  it("fills a pool that runs low while others are filled", async () => {
    const other = { ...btc, keyspace: "other" };
    await fill({ pools: [other] });
    let hasIssued = false;
    const signer: FillContext["signer"] = {
      ...contextFor().signer,
      recordIssued: async (range) => {
        if (!hasIssued && range.keyspace === btc.keyspace) {
          hasIssued = true;
          await database.sql("delete from address where keyspace = 'other'");
        }
        return journal.record(range);
      },
    };
    expect(await fill({ pools: [other, btc], signer })).toBe(16);
    expect(await indexes(other)).toEqual(numbers(8, 15));
  });

  it("issues no index twice through any crashes, restores and draining", async () => {
    const step = fc.oneof(
      fc.constantFrom("fill" as const, "crash" as const, "backup" as const, "restore" as const),
      fc.integer({ min: 1, max: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 16 }), async (steps) => {
        await forget();
        journal = await newJournal();
        const highest = () => journal.highest("BTC", "bech32");
        const issued: number[] = [];
        let backup: { readonly saved: string; readonly highest: number | null } | null = null;
        for (const current of steps) {
          if (current === "fill") await fill();
          else if (current === "crash") await fill({ db: crashing }).catch(() => 0);
          else if (current === "backup")
            backup = { saved: await saveAddresses(), highest: highest() };
          else if (current === "restore") {
            if (backup === null || backup.highest === highest()) continue;
            await restoreAddresses(backup.saved);
            await fill();
          } else issued.push(...(await issue(current)));
        }
        expect(new Set(issued).size).toBe(issued.length);
      }),
      { numRuns: 40 },
    );
  });
});
