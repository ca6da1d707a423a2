import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { pausePayouts } from "../../payouts/controls/pause.store.ts";
import { assertAdmitted } from "../../platform/db/admission.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { type MarkFile, openMarkFile } from "../../signer/journal/database-mark.ts";
import { isNewest, type MarkContext, syncMark } from "./sync-mark.ts";

const database = useDatabase();
const key = new Uint8Array(32).fill(9);
const { signal } = new AbortController();
const clock = manualClock();
let folder = "";
let opened = 0;
let file: MarkFile;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-sync-mark-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  opened += 1;
  file = await openMarkFile(join(folder, String(opened)), key);
  await database.sql("delete from database_mark");
  await database.sql("insert into database_mark default values");
  await database.sql("delete from address");
  await database.sql("delete from chain_cursor");
  await database.sql("delete from payout_stop");
});

const contextWith = (changes: Partial<MarkContext> = {}): MarkContext => ({
  db: database.db,
  clock,
  logger: silentLogger,
  signer: { readMark: () => Promise.resolve(file.read()), mark: file.move },
  adoptSigned: () => Promise.reject(new Error("nothing is to be adopted")),
  pausePayouts: (tx, reason, now) =>
    pausePayouts(tx, "restore", "chain/ETH", { reason, by: null, now }),
  ...changes,
});
const keep = (changes: Partial<MarkContext> = {}) => syncMark(contextWith(changes), signal);
const adopting = { adoptSigned: () => Promise.resolve() };
const generation = async (): Promise<number> => {
  const [row] = await database.sql<{ generation: string }>("select generation from database_mark");
  return Number(row?.generation);
};
const takeNumber = async (): Promise<number> => {
  const [row] = await database.sql<{ id: string }>("select nextval('payout_id_seq') as id");
  return Number(row?.id);
};
const lastNumber = (): number => Number(file.read()?.numbers["payout_id_seq"]);
const addWaiting = (index: number) =>
  database.sql(
    `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at)
     values ('evm', $1, $1, '', $2, now())`,
    [`0x${index}`, index],
  );
const waiting = async (): Promise<number> =>
  (await database.sql("select from address where deposit_id is null")).length;
/** As a restored backup would. */
const goBack = () => database.sql("update database_mark set generation = generation - 1");

describe("syncMark", () => {
  it("issues nothing before a worker has compared the database with the signer's mark", async () => {
    await expect(assertAdmitted(database.db)).rejects.toThrow(Unavailable);
    expect(await isNewest(contextWith())).toBe(false);
    await keep();
    await assertAdmitted(database.db);
    expect(await isNewest(contextWith())).toBe(true);
  });

  it("issues nothing after a server restart, in a clone or in a restored dump, until a worker has compared again", async () => {
    await addWaiting(1);
    for (const elsewhere of [
      "admitted_since = admitted_since - interval '1 second'",
      "admitted_database = 1",
      "admitted_table = 1",
    ]) {
      await keep();
      await assertAdmitted(database.db);
      await database.sql(`update database_mark set ${elsewhere}`);
      await expect(assertAdmitted(database.db)).rejects.toThrow(Unavailable);
    }
    await keep();
    // A restarted server has lost nothing.
    expect(await waiting()).toBe(1);
  });

  it("advances both marks when sequences moved, once more a minute later, and not otherwise", async () => {
    await keep();
    await keep();
    await keep();
    clock.advance(60);
    await keep();
    const quiet = await generation();
    clock.advance(3600);
    await keep();
    expect(await generation()).toBe(quiet);
    const number = await takeNumber();
    await keep();
    expect([await generation(), file.read()?.generation]).toEqual([quiet + 1, quiet + 1]);
    expect(lastNumber()).toBe(number);
    clock.advance(59);
    await keep();
    expect(await generation()).toBe(quiet + 1);
    clock.advance(1);
    await keep();
    await keep();
    expect([await generation(), file.read()?.generation]).toEqual([quiet + 2, quiet + 2]);
  });

  it("does not mistake a crash between the two writes for a restore, and updates the signer in the next run", async () => {
    await keep();
    await keep();
    const number = await takeNumber();
    await addWaiting(1);
    const before = await generation();
    const lost = {
      ...contextWith().signer,
      mark: () => Promise.reject(new Unavailable("signer", "killed")),
    };
    await expect(keep({ signer: lost })).rejects.toThrow(Unavailable);
    expect([await generation(), file.read()?.generation]).toEqual([before + 1, before]);
    // However often: it is never more than one ahead.
    await expect(keep({ signer: lost })).rejects.toThrow(Unavailable);
    await keep();
    expect([await generation(), file.read()?.generation]).toEqual([before + 1, before + 1]);
    await keep();
    expect(lastNumber()).toBe(number);
    expect(await waiting()).toBe(1);
  });

  it("does not mistake two concurrent workers for a restored database", async () => {
    await keep();
    await addWaiting(1);
    for (let round = 0; round < 20; round += 1) {
      await takeNumber();
      await Promise.all([keep(), keep(), keep()]);
    }
    expect(await waiting()).toBe(1);
    expect(await takeNumber()).toBeLessThan(1_000_000);
  });

  it("does not mistake marks that others set while a worker waited for a restored signer", async () => {
    await keep();
    await keep();
    const first = file.read();
    const reads = [first];
    const { mark } = contextWith().signer;
    const readMark = () => Promise.resolve(reads.length > 0 ? (reads.pop() ?? null) : file.read());
    for (let count = 0; count < 3; count += 1) {
      await takeNumber();
      await keep();
    }
    const set = await generation();
    expect(set).toBe((first?.generation ?? 0) + 3);
    await keep({ signer: { readMark, mark } });
    expect(reads).toEqual([]);
    expect(await database.sql("select from payout_stop")).toEqual([]);
    expect([await generation(), file.read()?.generation]).toEqual([set, set]);
  });

  it("issues no waiting address and no used id again from an older database", async () => {
    await keep();
    await keep();
    const number = await takeNumber();
    await keep();
    await database.sql("select setval('payout_id_seq', 1)");
    await database.sql(
      `with fresh as (insert into account (name, webhook_secret_sealed, created_at) values ('shop', '', now()) returning id)
     insert into event_feed (account_id, last_seq) select id, 10 from fresh`,
    );
    await database.sql(
      "insert into chain_cursor (chain, network, fence, updated_at) values ('ETH', 'x', 4, now())",
    );
    await addWaiting(1);
    await goBack();
    const signed: unknown[] = [];
    const adoptSigned = async (): Promise<void> => {
      await expect(assertAdmitted(database.db)).rejects.toThrow(Unavailable);
      signed.push(
        ...(await database.sql("select lease_holder is not null as held, fence from chain_cursor")),
      );
    };
    await keep({ adoptSigned });
    // No process could follow a chain during the adoption.
    expect(signed).toEqual([{ held: true, fence: "5" }]);
    expect(await database.sql("select lease_holder from chain_cursor")).toEqual([
      { lease_holder: null },
    ]);
    expect(await waiting()).toBe(0);
    expect(await takeNumber()).toBeGreaterThan(number + 1_000_000);
    expect(await database.sql("select last_seq from event_feed")).toEqual([
      { last_seq: "1000010" },
    ]);
    await assertAdmitted(database.db);
    // From now on this database is the newest one.
    await addWaiting(2);
    await keep();
    expect(await waiting()).toBe(1);
  });

  it.for<readonly [shown: string, older: string]>([
    ["a sequence value below the signer's", "select setval('payout_id_seq', 3)"],
    [
      "a mark of another cluster, timeline, database or table",
      "update database_mark set origin = 'x'",
    ],
  ])("recognizes an older database by %s", async ([, older]) => {
    await keep();
    for (let count = 0; count < 5; count += 1) await takeNumber();
    await keep();
    await addWaiting(1);
    await database.sql(older);
    await keep(adopting);
    expect(await waiting()).toBe(0);
    await assertAdmitted(database.db);
    await addWaiting(2);
    await keep();
    expect(await waiting()).toBe(1);
  });

  const pauses = () => database.sql("select scope, kind, reason from payout_stop");
  const promote = () =>
    database.sql(
      "update database_mark set origin = regexp_replace(origin, '/[0-9A-F]{8}/', '/000000EE/')",
    );

  it.for<readonly [found: string, change: () => Promise<unknown>]>([
    ["the database is older than the signer", () => goBack()],
    [
      "the database is a copy: a restored dump, a recovery from archived files, or a clone",
      () => database.sql("update database_mark set origin = 'x'"),
    ],
    [
      "the database is newer than the signer: the signer's folder is from an older backup",
      () => database.sql("update database_mark set generation = generation + 2"),
    ],
  ])("pauses payouts if %s", async ([found, change]) => {
    await keep();
    await takeNumber();
    await keep();
    await keep();
    expect(await pauses()).toEqual([]);
    await change();
    await keep(adopting);
    expect(await pauses()).toEqual([
      { scope: "chain/ETH", kind: "restore", reason: `${found}; \`sluice resume\` ends this` },
    ]);
    expect(file.read()?.generation).toBe(await generation());
  });

  it("treats a promoted standby that lost a mark as older than the signer", async () => {
    await keep();
    await takeNumber();
    await keep();
    await addWaiting(1);
    await promote();
    await goBack();
    await keep(adopting);
    expect(await waiting()).toBe(0);
    expect(await pauses()).toHaveLength(1);
  });

  it("continues a recovery after a crash without retiring anything twice", async () => {
    await keep();
    await takeNumber();
    await keep();
    await goBack();
    const failing = { adoptSigned: () => Promise.reject(new Unavailable("signer", "killed")) };
    await expect(keep(failing)).rejects.toThrow(Unavailable);
    await addWaiting(1);
    const number = await takeNumber();
    await expect(keep(failing)).rejects.toThrow(Unavailable);
    expect(await isNewest(contextWith())).toBe(false);
    await expect(assertAdmitted(database.db)).rejects.toThrow(Unavailable);
    let adopted = 0;
    const adoptSigned = (): Promise<void> => {
      adopted += 1;
      return Promise.resolve();
    };
    await keep({ adoptSigned });
    expect(adopted).toBe(1);
    expect(await waiting()).toBe(1);
    expect(await takeNumber()).toBe(number + 1);
    await assertAdmitted(database.db);
  });

  it("advances the mark of a signer that lost it in steps", async () => {
    await keep();
    await database.sql("update database_mark set generation = 2500000");
    await database.sql("select setval('payout_id_seq', 3500000)");
    await addWaiting(1);
    for (let run = 0; run < 8; run += 1) await keep();
    expect([await generation(), lastNumber()]).toEqual([file.read()?.generation, 3_500_000]);
    expect(await generation()).toBeLessThan(2_500_010);
    expect(await waiting()).toBe(1);
  });

  it("issues nothing from a restored database without the signer", async () => {
    await keep();
    await database.sql("update database_mark set admitted_since = null");
    const signer = {
      readMark: () => Promise.reject(new Unavailable("signer", "away")),
      mark: () => Promise.reject(new Unavailable("signer", "away")),
    };
    await expect(keep({ signer })).rejects.toThrow(Unavailable);
    await expect(assertAdmitted(database.db)).rejects.toThrow(Unavailable);
  });
});
