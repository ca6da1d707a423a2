import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { instantFromSeconds } from "../platform/kernel/clock.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import { systemRandom } from "../platform/kernel/system-random.ts";
import { recordEvents } from "./events/record-events.ts";

const database = useDatabase();

/** Callbacks about a deposit and a payout of a wallet, test deliveries with and without one, and an object without a wallet. */
const subjects: readonly (readonly [
  objectType: "deposit" | "payout" | "test",
  relationships: JsonObject | null,
  walletId: string | null,
])[] = [
  ["deposit", { wallet: { data: { type: "wallet", id: "31" } } }, "31"],
  ["payout", { wallet: { data: { type: "wallet", id: "9007199254740993" } } }, "9007199254740993"],
  ["test", { wallet: { data: { type: "wallet", id: "32" } } }, "32"],
  ["test", { wallet: { data: null } }, null],
  ["deposit", null, null],
];
const expected = subjects.map(([, , walletId], at) => [String(at + 1), walletId]);

async function wallets(): Promise<readonly (readonly (string | null)[])[]> {
  const rows = await database.sql<{ object_id: string; wallet_id: string | null }>(
    "select object_id, wallet_id from callback order by id",
  );
  return rows.map((row) => [row.object_id, row.wallet_id]);
}

async function run(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

describe("the wallet of a callback", () => {
  it("is copied from the event, both for new callbacks and by migration 0028", async () => {
    const events = subjects.map(([objectType, relationships], at) => ({
      accountId: "7",
      objectType,
      objectId: String(at + 1),
      transferId: null,
      trigger: "status",
      key: `key ${at}`,
      payload: {
        data: {
          type: objectType,
          id: String(at + 1),
          ...(relationships === null ? {} : { relationships }),
        },
        included: [],
      },
      callbackUrl: "https://shop.example/",
      endpoints: null,
      credentialId: "4",
      createdAt: instantFromSeconds(1_800_000_000),
    }));
    expect(await recordEvents(database.db, events, systemRandom)).toBe(subjects.length);
    expect(await wallets()).toEqual(expected);

    const migration = join(
      import.meta.dirname,
      "../../db/migrations/0028_wallets_of_callbacks.sql",
    );
    await run(`drop index callback_made;
    alter table callback drop column wallet_id;
    create index callback_made on callback (account_id, object_type, created_at) include (status, attempts, delivered_at)`);
    await run(await readFile(migration, "utf8"));
    expect(await wallets()).toEqual(expected);
  });
});
