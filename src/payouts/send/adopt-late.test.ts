import { beforeEach, describe, expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase, restoreBackup, takeBackup } from "../../../test/support/database-backup.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  sendContext,
} from "../../../test/support/payout-site.ts";
import { present } from "../../platform/kernel/assert.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { SignedSpend } from "../../signer/intent.ts";
import { createPayoutPipeline } from "./run-payouts.ts";

/* What the signer's journal has and the database learns too late, on a simulated chain with the real database. */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();

beforeEach(() => emptyDatabase(database));

describe("adopting signed spends", () => {
  it("adopts a signed spend with unreadable ids and currencies, and continues", async () => {
    const site = await createPayoutSite(database, { funding: "account", confirmations: 1 });
    const { chain, clock, node, signer } = site;
    const read = async (): Promise<void> => {
      while (await readBlock(site, db));
    };
    await read();
    await askForPayout(site, { number: 0, currency: coinId, units: 1_000n, feeUnits: 20n });
    const pipeline = createPayoutPipeline(sendContext(site, { db, writer: node.writer, signer }));
    await pipeline(signal);
    const [own] = signer.journal;
    if (own?.intent.kind !== "payout") throw new Error("a signed payout");
    // An earlier version of the signer accepted these; each has its own nonce.
    const odd = [
      { payoutId: "abc", spendId: "x-1", currency: coinId },
      { payoutId: "9".repeat(64), spendId: "9".repeat(64), currency: coinId },
      { payoutId: "77", spendId: "9".repeat(18), currency: "31337" },
    ];
    const { intent } = own;
    for (const [index, { payoutId, spendId, currency }] of odd.entries()) {
      const payouts = intent.payouts.map((payout) => ({ ...payout, payoutId, currency }));
      const [sender] = own.claims[0]!.split("#");
      (signer.journal as SignedSpend[]).push({
        ...own,
        spendId,
        payoutIds: [payoutId],
        claims: [`${sender}#${index + 5}`],
        txid: `odd-${index}`,
        intent: { ...intent, spendId, payouts },
        sequence: index + 2,
      });
    }
    await askForPayout(site, { number: 1, currency: coinId, units: 500n, feeUnits: 20n });
    // First it fills the nonces below theirs.
    for (let pass = 0; pass < 3; pass += 1) {
      clock.advance(61);
      await pipeline(signal);
      chain.mine();
      await read();
    }
    expect(
      await sql("select txid from spend_attempt where txid like 'odd-%' order by txid"),
    ).toEqual([{ txid: "odd-0" }, { txid: "odd-1" }, { txid: "odd-2" }]);
    expect(await sql("select stage from payout order by id")).toEqual([
      { stage: "confirmed" },
      { stage: "sending" },
    ]);
    // Ids made up by a caller do not move the ids that follow.
    expect(await sql("select id from spend where id > 1000")).toEqual([]);
  });

  it("replaces the transaction of a payout that the restored database shows as waiting for approval", async () => {
    const site = await createPayoutSite(database, { funding: "account", confirmations: 1 });
    const { clock, node, signer } = site;
    const read = async (): Promise<void> => {
      while (await readBlock(site, db));
    };
    await read();
    const start = () =>
      createPayoutPipeline(sendContext(site, { db, writer: node.writer, signer }));
    const { id, approval } = await askForPayout(site, {
      number: 0,
      currency: coinId,
      units: 1_000n,
      feeUnits: 20n,
    });
    await sql("update payout set stage = 'waiting', status = 1, approval = null");
    const backup = await takeBackup(database);
    await sql("update payout set stage = 'held', status = 2, approval = $1", [approval]);
    clock.advance(5);
    await start()(signal);
    await restoreBackup(database, backup);
    const pipeline = start();
    for (let pass = 0; pass < 3; pass += 1) {
      await pipeline(signal);
      clock.advance(61);
      await read();
    }
    expect(await sql("select stage, status, approval from payout")).toEqual([
      { stage: "sending", status: 2, approval: Buffer.from(approval!) },
    ]);
    expect(signer.journal.map(({ payoutIds }) => payoutIds)).toEqual([[id], [id]]);
  });

  it("releases the claim of an adopted replacement that was signed before its spend died", async () => {
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
    // It waits until a replacement with a higher fee is drafted.
    clock.advance(61);
    await pipeline(signal);
    const states = () => sql("select state from spend_attempt order by number");
    expect(await states()).toEqual([{ state: "broadcast" }, { state: "drafted" }]);
    // Someone else uses its nonce, and the answer about the replacement is lost.
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

  it("fails a payout whose number an adopted transaction used, if nodes do not tell which one did", async () => {
    const site = await createPayoutSite(database, { funding: "account", confirmations: 1 });
    const { chain, clock, node, signer } = site;
    const read = async (): Promise<void> => {
      while (await readBlock(site, db));
    };
    await read();
    await askForPayout(site, { number: 0, currency: coinId, units: 1_000n, feeUnits: 20n });
    clock.advance(5);
    const status = () => Promise.resolve({ kind: "conflicted", by: null, block: null } as const);
    const writer = { ...node.writer, status };
    const start = () => createPayoutPipeline(sendContext(site, { db, writer, signer }));
    await start()(signal);
    // The journal of the lost deployment returns, with another transaction of the same number that the chain took.
    const [own] = signer.journal;
    if (own?.intent.kind !== "payout") throw new Error("a signed payout");
    const ours = present(chain.mempool()[0], "a transaction that waits");
    expect(chain.submit({ ...ours, txid: "returned", feeUnits: 900n })).toBe("accepted");
    const payouts = own.intent.payouts.map((payout) => ({ ...payout, payoutId: "777" }));
    (signer.journal as SignedSpend[]).push({
      ...own,
      spendId: "777",
      payoutIds: ["777"],
      txid: "returned",
      intent: { ...own.intent, spendId: "777", payouts },
      sequence: 2,
    });
    await start()(signal);
    chain.mine();
    await read();
    clock.advance(61);
    await start()(signal);
    expect(await sql("select state from spend order by id")).toEqual([
      { state: "dead" },
      { state: "confirmed" },
    ]);
    expect(await sql("select stage from payout")).toEqual([{ stage: "failed" }]);
  });
});
