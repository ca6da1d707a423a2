import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeWallet, depositWorld } from "../../../test/support/deposit-world.ts";
import { fund, payoutWorld, postPayout } from "../../../test/support/payout-world.ts";
import { admission } from "../../platform/db/admission.ts";
import type { Database } from "../../platform/db/database.ts";

const database = useDatabase();
const world = depositWorld(database);

/** After a database restart, which a worker admits as the newest copy between two statements of a creation. */
const admittedMeanwhile: Database = {
  ...database.db,
  transaction: (work) =>
    database.db.transaction((tx) =>
      work({
        query: async (statement, values) => {
          if (statement.name === "admission.read")
            await database.sql(`update database_mark set ${admission}`);
          return await tx.query(statement, values);
        },
      }),
    ),
};

describe("createPayoutWriter", () => {
  /* Found by killing databases under load: the creation returned 500. */
  it("asks the client to retry if the database is admitted during the creation", async () => {
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "10");
    const site = payoutWorld({ ...world, database: { ...database, db: admittedMeanwhile } });
    await database.sql("update database_mark set admitted_since = null");
    expect((await postPayout(site, wallet)).status).toBe(503);
    expect((await postPayout(site, wallet)).status).toBe(201);
  });
});
