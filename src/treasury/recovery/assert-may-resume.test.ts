import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase } from "../../../test/support/database-backup.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  simulatedChainName,
} from "../../../test/support/payout-site.ts";
import { pausePayouts } from "../../payouts/controls/pause.store.ts";
import { readPaidUnnoticed } from "../../payouts/send/send.store.ts";
import { addSeconds, type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { countUnanswered } from "../holdings/coin.store.ts";
import { assertMayResume } from "./assert-may-resume.ts";

/* When a chain that a restore paused may pay again, on a real database. */

const database = useDatabase();
const { db, sql } = database;
const since = instantFromSeconds(1_000_000);
const chain = simulatedChainName;
const pauses = [{ chain, since, byKeyImage: false }];

beforeEach(() => emptyDatabase(database));

/** The chain was read to its newest block at that time; the block has another. */
async function read(caughtUpAt: Instant, blockTime: Instant): Promise<void> {
  await sql("delete from chain_cursor");
  await sql(
    `insert into chain_cursor (chain, network, height, hash, block_time, caught_up_at, updated_at)
     values ($3, 'test', 9, 'h9', $1, $2, $2)`,
    [formatTimestamp(blockTime), formatTimestamp(caughtUpAt), chain],
  );
}

function pause(validUntil: Instant | null, now = since): Promise<void> {
  const cause = { reason: "restored", by: null, now, validUntil };
  return pausePayouts(db, "restore", `chain/${chain}`, cause);
}

const unread = { message: expect.stringContaining(`newest block first: ${chain}.`) as string };

describe("assertMayResume", () => {
  it("requires that the chain was read to its newest block since the pause began", async () => {
    await pause(null);
    await expect(assertMayResume(db, pauses)).rejects.toMatchObject(unread);
    await read(addSeconds(since, -1), since);
    await expect(assertMayResume(db, pauses)).rejects.toMatchObject(unread);
    await read(since, addSeconds(since, -60));
    await expect(assertMayResume(db, pauses)).resolves.toBeUndefined();
  });

  it("requires a block past the validity of everything signed before, if transactions claim nothing", async () => {
    const validUntil = addSeconds(since, 600);
    await pause(validUntil);
    await expect(assertMayResume(db, pauses)).rejects.toMatchObject(unread);
    await read(addSeconds(since, 900), addSeconds(since, 599));
    await expect(assertMayResume(db, pauses)).rejects.toMatchObject({
      message: expect.stringMatching(
        `may still be included.*: ${chain} at ${formatTimestamp(validUntil)}\\.`,
      ) as string,
    });
    // Something unexplained is seen later: what was signed before the restore does not live longer for it.
    await pause(addSeconds(validUntil, 300), addSeconds(since, 300));
    await read(addSeconds(since, 900), validUntil);
    await expect(assertMayResume(db, pauses)).resolves.toBeUndefined();
  });
});

describe("a chain whose blocks name key images", () => {
  it("is not resumed, and its payouts are not canceled, while the key image of a coin is unknown", async () => {
    const site = await createPayoutSite(database, { funding: "coins", confirmations: 1 });
    const payout = { number: 0, currency: coinId, units: 1_000n, feeUnits: 20n };
    const { id } = await askForPayout(site, payout);
    await pause(null);
    await read(since, since);
    await sql("delete from coin");
    await sql(
      `insert into coin (chain, outpoint, units, watch_key, address_type, branch, key_index, block_height, key_image)
       values ($1, 'a:0', 100, 'key', '', 1, 0, 1, 'ia'), ($1, 'b:0', 100, 'key', '', 1, 0, 1, null)`,
      [chain],
    );
    const named = [{ chain, since, byKeyImage: true }];
    await expect(assertMayResume(db, named)).rejects.toThrow("key images of all coins first");
    expect(await readPaidUnnoticed(db, id)).toEqual({ isUnread: true, isPaid: false });
    const expectResumable = async (): Promise<void> => {
      await expect(assertMayResume(db, named)).resolves.toBeUndefined();
      expect(await readPaidUnnoticed(db, id)).toEqual({ isUnread: false, isPaid: false });
    };
    for (let times = 0; times < 3; times += 1) {
      await expect(assertMayResume(db, named)).rejects.toThrow("key images of all coins first");
      await countUnanswered(db, chain, ["a:0", "b:0"]);
    }
    // The signer's wallet does not find it, so it cannot have spent it.
    await expectResumable();
    await sql("update coin set key_image_asked = null");
    expect(await readPaidUnnoticed(db, id)).toMatchObject({ isUnread: true });
    await sql("update coin set key_image = 'ib' where outpoint = 'b:0'");
    await expectResumable();
  });
});

describe("readPaidUnnoticed", () => {
  it("lets no payout be canceled while a lost transaction that claims nothing may still pay it", async () => {
    const site = await createPayoutSite(database, { funding: "expiring", confirmations: 1 });
    const payout = { number: 0, currency: coinId, units: 1_000n, feeUnits: 20n };
    const { id } = await askForPayout(site, payout);
    const validUntil = addSeconds(since, 600);
    await pause(validUntil);
    await read(addSeconds(since, 900), addSeconds(since, 599));
    expect(await readPaidUnnoticed(db, id)).toEqual({ isUnread: true, isPaid: false });
    await read(addSeconds(since, 900), validUntil);
    expect(await readPaidUnnoticed(db, id)).toEqual({ isUnread: false, isPaid: false });
  });
});
