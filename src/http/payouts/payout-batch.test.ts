import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { batchContext } from "../../../test/support/batch-context.ts";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  ownerOf,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { fairFee, fund, payee, payoutWorld } from "../../../test/support/payout-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { type PayoutBatchContext, payoutBatchRoutes } from "./payout-batch.ts";

/*
 * Batches over the real server and database. An interrupted process is one whose next transaction is not started, or whose last one
 * committed without anybody learning of it.
 */

const database = useDatabase();
const world = depositWorld(database);
const payouts = payoutWorld(world);
type Interruption = { readonly afterPayouts: number; readonly isCommitted: boolean };
let interruption: Interruption | null = null;
let written = 0;
const context: PayoutBatchContext = {
  ...batchContext(world, payouts),
  write: async (payout) => {
    if (interruption === null) return payouts.context.write(payout);
    const { afterPayouts, isCommitted } = interruption;
    const place = written;
    written += 1;
    if (place > afterPayouts || (place === afterPayouts && !isCommitted)) throw killed();
    const outcome = await payouts.context.write(payout);
    if (place === afterPayouts) throw killed();
    return outcome;
  },
};
const killed = () => new Error("the process was killed");
const api = apiServer(payoutBatchRoutes(context), { clock: world.clock });
let wallet: Wallet;
beforeEach(async () => {
  payouts.fees.answer = fairFee;
  interruption = null;
  written = 0;
  wallet = await arrangeWallet(world);
  await fund(world, wallet, "10");
});

const recipient = ",Jo,Doe,Some Street 1";
const line = (amount: string, index: number) => `${payee},${amount},salary ${index}${recipient}\n`;
const fileOf = (...amounts: readonly string[]) =>
  `address,amount,tracking_id,first_name,last_name,street\n${amounts.map(line).join("")}`;
const five = fileOf("0.1", "0.2", "0.3", "0.4", "0.5");

function post(
  path: string,
  type: string,
  attributes: JsonObject,
  as: Principal = ownerOf(wallet.accountId),
) {
  const relationships = {
    wallet: { data: { type: "wallet", id: wallet.walletId } },
    currency: { data: { type: "currency", id: "1002" } },
  };
  return api.ask("POST", path, { as, body: { data: { type, attributes, relationships } } });
}
const create = (csv: string, more: JsonObject = {}, as?: Principal) =>
  post(
    "/payout-batch/",
    "payout-batch",
    { csv, reference: "Salaries 2026-01", fees_max: "0.0001", ...more },
    as,
  );
const preview = (csv: string, more: JsonObject = {}) =>
  post("/payout-batch/preview/", "payout-batch-preview", { csv, ...more });
const paid = () =>
  database.sql<{ amount: bigint; status: number; tracking_id: string }>(
    "select units as amount, status, tracking_id from payout where account_id = $1 order by units",
    [wallet.accountId],
  );
const limitTo = (units: bigint) =>
  database.sql(
    "insert into payout_limit (account_id, currency, span, units) values ($1, '1002', 'transaction', $2)",
    [wallet.accountId, units],
  );
const tenths = (...values: readonly bigint[]) => values.map((value) => value * 10n ** 17n);

describe("a payout batch", () => {
  it("is previewed with amounts and fees, and then creates every payout once", async () => {
    const quoted = await preview(five);
    expect(quoted.status, quoted.text).toBe(200);
    expect(quoted.one.attributes).toMatchObject({
      amount: "1.500000000000000000",
      fees: "0.000000000000001000",
      fee_currency: "ETH",
      faults: [],
      is_covered: true,
      needs_approval: false,
      existing: null,
      travel_rule_from: null,
    });
    expect(quoted.one.attributes["rows"]).toMatchObject(
      [2, 3, 4, 5, 6].map((row) => ({ row, recipient: "Jo Doe" })),
    );
    expect(await paid()).toEqual([]);
    const created = await create(five);
    expect(created.status, created.text).toBe(201);
    expect(created.one.attributes).toMatchObject({
      state: "in_progress",
      rows: 5,
      created: 5,
      states: { queued: 5 },
      faults: [],
      fees: quoted.one.attributes["fees"],
      fee_currency: "ETH",
      commission: "0.000000000000000000",
    });
    expect((await paid()).map(({ amount }) => amount)).toEqual(tenths(1n, 2n, 3n, 4n, 5n));
    const again = await create(five);
    expect([again.one.id, again.one.attributes["created"]]).toEqual([created.one.id, 5]);
    expect(await paid()).toHaveLength(5);
    await expectBooksToBalance(database);
  });

  it.each(
    [0, 1, 2, 3, 4].flatMap((afterPayouts) =>
      [false, true].map((isCommitted): Interruption => ({ afterPayouts, isCommitted })),
    ),
  )("pays nothing twice when it is interrupted and uploaded again: %o", async (stop) => {
    interruption = stop;
    expect((await create(five)).status).toBe(500);
    interruption = null;
    const left = (await preview(five, { reference: "Salaries 2026-01" })).one.attributes;
    const existing = (await paid()).length;
    expect(left["existing"]).toMatchObject({ created: existing });
    expect(left["rows"]).toHaveLength(5 - existing);
    const answer = await create(five);
    expect([answer.status, answer.one.attributes["created"]]).toEqual([201, 5]);
    expect((await paid()).map(({ amount }) => amount)).toEqual(tenths(1n, 2n, 3n, 4n, 5n));
    await expectBooksToBalance(database);
  });

  it("pays nothing twice when it is uploaded by several people at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(five)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ one }) => one.id)).size).toBe(1);
    expect((await paid()).map(({ amount }) => amount)).toEqual(tenths(1n, 2n, 3n, 4n, 5n));
  });

  it("does not pay a canceled row again", async () => {
    await create(five);
    await database.sql("update payout set state = 'canceled' where account_id = $1", [
      wallet.accountId,
    ]);
    const again = await create(five);
    expect(again.one.attributes).toMatchObject({ created: 5, state: "completed" });
    expect(await paid()).toHaveLength(5);
  });

  it("is refused as a whole if a row is faulty, with row and column, and creates nothing", async () => {
    const bad = `address,amount,first_name,last_name,street\n${payee},1,Jo,Doe,S\nnowhere,2,Jo,Doe,S\n${payee},"1,5",Jo,Doe,S\n${payee},0.1,,,\n`;
    const expected = [
      [3, "address"],
      [4, "amount"],
      [5, "first_name"],
    ];
    const quoted = (await preview(bad)).one.attributes["faults"] as readonly {
      row: number;
      column: string;
    }[];
    expect(quoted.map(({ row, column }) => [row, column])).toEqual(expected);
    const refused = await create(bad);
    expect(refused.status).toBe(400);
    expect(refused.errors.map(({ detail }) => detail.split(":")[0])).toEqual(
      expected.map(([row, column]) => `Row ${row}, ${column}`),
    );
    expect(
      await database.sql("select from payout_batch where account_id = $1", [wallet.accountId]),
    ).toEqual([]);
    expect(await paid()).toEqual([]);
  });

  it("is refused when the balance does not cover the sum, or the fees have risen", async () => {
    const dear = fileOf("6", "5");
    expect((await preview(dear)).one.attributes).toMatchObject({ faults: [], is_covered: false });
    expect(faults(await create(dear))).toEqual(["400", "4008 /data/attributes/csv"]);
    const cheap = await create(five, { fees_max: "0.0000000000000009" });
    expect(faults(cheap)).toEqual(["400", "4009 /data/attributes/fees_max"]);
    expect(await paid()).toEqual([]);
  });

  it("says from which amount a row must name its recipient", async () => {
    await database.sql(
      "insert into travel_rule_threshold (currency, units, set_at) values ('1002', $1, now())",
      [3n * 10n ** 17n],
    );
    const unnamed = `address,amount\n${payee},0.299\n${payee},0.3\n`;
    const { attributes } = (await preview(unnamed)).one;
    await database.sql("delete from travel_rule_threshold");
    expect(attributes).toMatchObject({
      travel_rule_from: "0.300000000000000000",
      rows: [{ recipient: null }, { recipient: null }],
      faults: [{ row: 3, column: "first_name" }],
    });
  });

  it("keeps its reference for its own rows", async () => {
    await create(five);
    const other = fileOf("0.1");
    expect(faults(await create(other))).toEqual(["400", "1007 /data/attributes/reference"]);
    expect((await create(other, { reference: "Bonus" })).one.attributes["faults"]).toMatchObject([
      { row: 2, column: "tracking_id" },
    ]);
    expect(await paid()).toHaveLength(5);
  });

  it("waits for one approval by another member when the sum exceeds a limit", async () => {
    await limitTo(10n ** 18n);
    expect((await preview(five)).one.attributes["needs_approval"]).toBe(true);
    const { one } = await create(five);
    expect(one.attributes).toMatchObject({
      state: "needs_approval",
      states: { needs_approval: 5 },
    });
    const approve = (as: Principal) => api.ask("POST", `/payout-batch/${one.id}/approve/`, { as });
    const creator = ownerOf(wallet.accountId);
    expect((await approve(creator)).status).not.toBe(200);
    expect((await paid()).every(({ status }) => status === 1)).toBe(true);
    const other: Principal = { ...creator, memberId: "99", credentialId: "99" };
    const approved = await approve(other);
    expect(approved.status, approved.text).toBe(200);
    expect(approved.one.attributes).toMatchObject({ state: "in_progress", states: { queued: 5 } });
  });

  it("names the rows that were not approved, and is refused if none was", async () => {
    await limitTo(10n ** 18n);
    const creator = ownerOf(wallet.accountId);
    const { id } = (await create(five)).one;
    const approve = () =>
      api.ask("POST", `/payout-batch/${id}/approve/`, { as: { ...creator, memberId: "99" } });
    // Two rows are the approver's own.
    await database.sql(
      "update payout set created_by_member_id = 99 where account_id = $1 and tracking_id in ('salary 1', 'salary 3')",
      [wallet.accountId],
    );
    const approved = await approve();
    expect(approved.status, approved.text).toBe(200);
    const detail = expect.stringContaining("another member") as string;
    expect(approved.one.attributes).toMatchObject({
      states: { queued: 3, needs_approval: 2 },
      faults: [
        { row: 3, column: null, detail },
        { row: 5, column: null, detail },
      ],
    });
    expect((await approve()).status).toBe(403);
    await database.sql("update payout set created_by_member_id = $2 where account_id = $1", [
      wallet.accountId,
      creator.memberId,
    ]);
    expect((await approve()).one.attributes).toMatchObject({ states: { queued: 5 }, faults: [] });
  });

  it.each(["at once", "after an interruption"])(
    "created %s by a member whom only the approver added needs another approver if its sum exceeds a limit",
    async (time) => {
      // No row exceeds it.
      await limitTo(10n ** 18n);
      const { accountId } = wallet;
      const members = await database.sql<{ id: string }>(
        `insert into member (account_id, name, role, created_at)
         select $1, role, role, '2026-01-01Z' from unnest('{owner,owner,admin}'::text[]) as role returning id`,
        [accountId],
      );
      const [boss = "", partner = "", admin = ""] = members.map(({ id }) => id);
      await database.sql("update member set created_by_member_id = $1 where id = $2", [
        boss,
        admin,
      ]);
      const acting = (memberId: string): Principal => ({ ...ownerOf(accountId), memberId });
      const creator: Principal = { ...acting(admin), role: "admin" };
      if (time !== "at once") {
        interruption = { afterPayouts: 2, isCommitted: true };
        expect((await create(five, {}, creator)).status).toBe(500);
        interruption = null;
      }
      const { id } = (await create(five, {}, creator)).one;
      const approve = (memberId: string) =>
        api.ask("POST", `/payout-batch/${id}/approve/`, { as: acting(memberId) });
      const refused = await approve(boss);
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining("only you gave its creator access"),
      ]);
      expect((await paid()).map(({ status }) => status)).toEqual([1, 1, 1, 1, 1]);
      expect((await approve(partner)).one.attributes).toMatchObject({ states: { queued: 5 } });
    },
  );

  it("is canceled as a whole, once, by members who may cancel its payouts, and is not paid again", async () => {
    await limitTo(1n);
    const creator = ownerOf(wallet.accountId);
    const { id } = (await create(five)).one;
    const cancel = (as: Principal) => api.ask("POST", `/payout-batch/${id}/cancel/`, { as });
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    expect((await cancel(stranger)).status).toBe(404);
    expect((await cancel({ ...creator, role: "read_only" })).status).toBe(403);
    const clerk: Principal = { ...creator, memberId: "99", role: "withdrawals_with_approval" };
    const refused = await cancel(clerk);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("only payouts that you created"),
    ]);
    const viewer = new Map([[wallet.walletId, { mayPay: false }]]);
    expect(faults(await cancel({ ...creator, wallets: viewer }))).toEqual(["400", "4002"]);
    expect((await paid()).every(({ status }) => status === 1)).toBe(true);
    for (let time = 1; time <= 2; time += 1) {
      const canceled = await cancel(creator);
      expect(canceled.status, canceled.text).toBe(200);
      expect(canceled.one.attributes).toMatchObject({
        state: "completed",
        states: { canceled: 5 },
      });
    }
    const log = await database.sql<{ action: string; object_id: string }>(
      "select action, object_id from audit_entry where account_id = $1 and action like '%.canceled' order by seq",
      [wallet.accountId],
    );
    expect(log.map(({ action }) => action)).toEqual([
      "payout_batch.canceled",
      ...Array.from({ length: 5 }, () => "payout.canceled"),
    ]);
    expect(log[0]?.object_id).toBe(id);
    // The same file creates nothing under the reference.
    expect((await create(five)).one.attributes["states"]).toEqual({ canceled: 5 });
    await expectBooksToBalance(database);
  });

  it("notifies members once, also if its upload is interrupted before the first payout", async () => {
    await limitTo(1n);
    const { accountId } = wallet;
    const creator = { ...ownerOf(accountId), memberId: "99" };
    await database.sql(
      `with reader as (
         insert into member (account_id, name, role, created_at) values ($1, 'Grace', 'owner', '2026-01-01Z') returning id)
       insert into member_contact (account_id, member_id, email, topics, unsubscribe_key)
       select $1, id, 'grace@shop.example', '{approval_waiting}', 'key of ' || id from reader`,
      [accountId],
    );
    const told = () =>
      database.sql<{ event: JsonObject }>(
        "select content -> 'event' as event from notice where account_id = $1",
        [accountId],
      );
    interruption = { afterPayouts: 0, isCommitted: false };
    expect((await create(five, {}, creator)).status).toBe(500);
    interruption = null;
    expect(await paid()).toEqual([]);
    expect(await told()).toMatchObject([
      { event: { kind: "batch_approval", payouts: 5, reference: "Salaries 2026-01" } },
    ]);
    expect((await create(five, {}, creator)).status).toBe(201);
    expect(await told()).toHaveLength(1);
  });

  it("is not continued by an upload after it was canceled", async () => {
    await limitTo(1n);
    interruption = { afterPayouts: 1, isCommitted: true };
    expect((await create(five)).status).toBe(500);
    interruption = null;
    const as = ownerOf(wallet.accountId);
    const [batch] = await database.sql<{ id: string }>(
      "select id from payout_batch where account_id = $1",
      [wallet.accountId],
    );
    const existing = (await paid()).length;
    expect(existing).toBeLessThan(5);
    const canceled = await api.ask("POST", `/payout-batch/${String(batch?.id)}/cancel/`, { as });
    expect(canceled.one.attributes).toMatchObject({ states: { canceled: existing } });
    const reference = "Salaries 2026-01";
    for (const again of [await preview(five, { reference }), await create(five)])
      expect([again.status, again.text]).toEqual([
        400,
        expect.stringContaining("was canceled before all of its payouts were created"),
      ]);
    expect(await paid()).toHaveLength(existing);
  });

  it("cancels what is not signed and keeps the rest, or nothing while a payout is taken", async () => {
    const creator = ownerOf(wallet.accountId);
    const { id } = (await create(five)).one;
    const cancel = () => api.ask("POST", `/payout-batch/${id}/cancel/`, { as: creator });
    const [first] = await database.sql<{ id: string }>(
      "select id from payout where account_id = $1 order by units limit 1",
      [wallet.accountId],
    );
    const setStage = (stage: string, txid: string | null) =>
      database.sql("update payout set stage = $2, txid = $3 where id = $1", [
        first?.id ?? "",
        stage,
        txid,
      ]);
    // A spend has taken it and nothing is known to be signed: nothing is canceled.
    await setStage("sending", null);
    const refused = await cancel();
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("being sent right now"),
    ]);
    expect((await paid()).map(({ status }) => status)).toEqual([2, 2, 2, 2, 2]);
    await setStage("sending", "0xab");
    const canceled = await cancel();
    expect(canceled.status, canceled.text).toBe(200);
    expect((await paid()).map(({ status }) => status)).toEqual([2, 3, 3, 3, 3]);
    expect((await cancel()).status).toBe(200);
  });

  it("is not canceled once all its payouts are signed", async () => {
    const { id } = (await create(fileOf("0.1"))).one;
    await database.sql("update payout set stage = 'sending', txid = '0xab' where account_id = $1", [
      wallet.accountId,
    ]);
    const as = ownerOf(wallet.accountId);
    const refused = await api.ask("POST", `/payout-batch/${id}/cancel/`, { as });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("none can be canceled"),
    ]);
  });

  it("shows the tags of its rows", async () => {
    const tagged = `address,amount,tag\n${payee},0.1,77\n`;
    const quoted = await preview(tagged);
    expect(quoted.one.attributes["rows"]).toMatchObject([{ address: payee, tag: "77" }]);
    const { id } = (await create(fileOf("0.1"))).one;
    await database.sql("update payout set tag = '77'");
    const path = `/payout-batch/${id}/`;
    const read = await api.ask("GET", path, { as: ownerOf(wallet.accountId) });
    expect(read.one.attributes["payouts"]).toMatchObject([{ address: payee, tag: "77" }]);
  });

  it("is visible to its account and to members who see its wallet", async () => {
    const { id } = (await create(five)).one;
    const get = (as: Principal, path = `/payout-batch/${id}/`) => api.ask("GET", path, { as });
    const owner = ownerOf(wallet.accountId);
    const shown = (await get(owner)).one.attributes["payouts"] as readonly JsonObject[];
    expect(shown).toMatchObject(
      [2, 3, 4, 5, 6].map((row) => ({
        row,
        state: "queued",
        amount: `0.${row - 1}00000000000000000`,
        address: payee,
        recipient: "Jo Doe",
      })),
    );
    expect((await get(owner, "/payout-batch/")).resources.map((one) => one.id)).toEqual([id]);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    expect((await get(stranger)).status).toBe(404);
    expect((await get(stranger, "/payout-batch/")).resources).toEqual([]);
    const clerk: Principal = { ...owner, wallets: new Map() };
    expect(faults(await get(clerk))).toEqual(["400", "5001"]);
    const reader: Principal = { ...owner, role: "read_only" };
    expect((await create(fileOf("0.1"), { reference: "x" }, reader)).status).toBe(403);
    const read = present((await get(reader)).one, "the batch");
    expect(read.id).toBe(id);
    // Roles that may not view travel-rule data see the payouts without the recipients' names.
    expect(read.attributes["payouts"]).toMatchObject(
      shown.map(({ amount }) => ({ amount, recipient: null })),
    );
  });
});
