import { expect, test } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeWallet, depositWorld } from "../../../test/support/deposit-world.ts";
import { fund, payoutWorld, postPayout } from "../../../test/support/payout-world.ts";
import { admission } from "../../platform/db/admission.ts";
import type { Database } from "../../platform/db/database.ts";

const database = useDatabase();
const world = depositWorld(database);

/** After a restart of the database, which a worker finds to be the newest one between two statements of a creation. */
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

/* Found by killing databases under load: the creation was answered with 500. */
test("a creation that meets the moment in which numbers are given out again is to be tried again", async () => {
  const wallet = await arrangeWallet(world);
  await fund(world, wallet, "10");
  const site = payoutWorld({ ...world, database: { ...database, db: admittedMeanwhile } });
  await database.sql("update database_mark set admitted_since = null");
  expect((await postPayout(site, wallet)).status).toBe(503);
  expect((await postPayout(site, wallet)).status).toBe(201);
});
