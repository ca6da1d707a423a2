import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { describeWithSmallDisk } from "../support/describe-with-small-disk.ts";
import { eventually } from "../support/eventually.ts";
import { type DatabasePart, databasePart } from "./database-part.ts";
import { seededChoices } from "./seeded-choices.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import { takeConnections } from "./take-connections.ts";

/* What happens to the database of a run happens to real PostgreSQL, and passes. */

const mebibyte = 1024 * 1024;

let folder = "";
let database: DatabasePart;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chaos-database-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("the database of a run with a limit on its files", () => {
  showsFaults(() => Promise.resolve(null), /File too large|crash of another/);
});

describeWithSmallDisk("the database of a run on a small disk", () => {
  const size = { bytes: 512 * mebibyte, mode: "700" };
  showsFaults((path) => mountSmallDisk(path, size), /No space left|crash of another/);
});

/** `full`: what a client sees of the server. */
function showsFaults(mount: (path: string) => Promise<SmallDisk | null>, full: RegExp): void {
  const close: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const place = join(await mkdtemp(join(folder, "run-")), "postgres");
    const disk = await mount(place);
    if (disk !== null) close.push(disk.close);
    database = databasePart({ folder: place, port: await quietPort(), disk });
    await database.start();
    await onDatabase((client) => client.query("create table kept (number integer)"));
  });

  afterAll(async () => {
    await database.stop();
    for (const step of close) await step();
  });

  it("fails writes while it is full, and keeps what it acknowledged", async () => {
    const acknowledged: number[] = [];
    const seen = { failures: 0, hasPanicked: false };
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted)
        await onDatabase(async (client) => {
          while (!over.signal.aborted) {
            const number = acknowledged.length + seen.failures;
            await client.query("insert into kept values ($1)", [number]);
            acknowledged.push(number);
            await client.query("select pg_logical_emit_message(true, 'test', repeat('x', 9000))");
          }
        }).catch((error: unknown) => {
          seen.failures += 1;
          seen.hasPanicked ||= full.test(String(error));
          return systemClock.sleep(20);
        });
    })();
    const fillDisk = present(database.fillDisk, "fillDisk");
    while (!seen.hasPanicked) await fillDisk(3_000, seededChoices(1));
    const before = acknowledged.length;
    await eventually(
      () => acknowledged.length,
      (count) => count > before,
    );
    over.abort();
    await writing;
    const { rows } = await onDatabase((client) =>
      client.query<{ number: number }>("select distinct number from kept"),
    );
    const kept = new Set(rows.map(({ number }) => number));
    expect(acknowledged.filter((number) => !kept.has(number))).toEqual([]);
  });

  it("refuses connections while others have them all", async () => {
    const session = openClient();
    let hasEnded = false;
    session.on("end", () => {
      hasEnded = true;
    });
    await session.connect();
    const taken = takeConnections(database.url, 2_000);
    let refused: unknown = null;
    while (refused === null)
      refused = await onDatabase(() => Promise.resolve(null)).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      message: expect.stringMatching(/too many clients|terminat/) as string,
    });
    await taken;
    expect(hasEnded).toBe(true);
    await eventually(
      () =>
        onDatabase((client) => client.query("select 1")).then(
          () => true,
          () => false,
        ),
      (isOpen) => isOpen,
    );
  });
}

function openClient(): pg.Client {
  const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  return client;
}

async function onDatabase<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = openClient();
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
