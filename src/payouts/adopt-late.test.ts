import { beforeEach, expect, test } from "vitest";
import { readBlock } from "../../test/support/block-reading.ts";
import { useDatabase } from "../../test/support/database.ts";
import { emptyDatabase } from "../../test/support/database-backup.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  sendContext,
} from "../../test/support/payout-site.ts";
import { present } from "../kernel/assert.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { createPayoutPipeline } from "./run-payouts.ts";

/* What the signer's journal has and the database learns of too late; on a simulated chain, with the real database. */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();

beforeEach(() => emptyDatabase(database));

test("a replacement that was signed before its spend died holds no claim once it is adopted", async () => {
  const site = await createPayoutSite(database, { funding: "account", confirmations: 1 });
  const { chain, clock, node, signer } = site;
  const read = async (): Promise<void> => {
    while (await readBlock(site, db));
  };
  await read();
  const pipeline = createPayoutPipeline(sendContext(site, { db, writer: node.writer, signer }));
  await askForPayout(site, { number: 0, currency: coinId, units: 1_000n, feeUnits: 20n });
  clock.advance(5);
  await pipeline(signal);
  // It waits until a dearer one is drafted.
  clock.advance(61);
  await pipeline(signal);
  const states = () => sql("select state from spend_attempt order by number");
  expect(await states()).toEqual([{ state: "broadcast" }, { state: "drafted" }]);
  // Somebody else uses its nonce, and the answer about the dearer one is lost.
  const ours = present(chain.mempool()[0], "a transaction that waits");
  const outputs = ours.outputs.map((output) => ({ ...output, address: "elsewhere" }));
  expect(chain.submit({ ...ours, txid: "stranger", outputs, feeUnits: 900n })).toBe("accepted");
  chain.mine();
  await read();
  signer.faults.answer = "lost";
  clock.advance(61);
  await expect(pipeline(signal)).rejects.toThrow(Unavailable);
  expect(await sql("select state from spend")).toEqual([{ state: "dead" }]);
  expect(await states()).toEqual([{ state: "dead" }, { state: "refused" }]);

  signer.faults.answer = "fine";
  await pipeline(signal);
  expect(await states()).toEqual([{ state: "dead" }, { state: "dead" }]);
  expect(await sql("select claim from spend_claim where is_live")).toEqual([]);
});
