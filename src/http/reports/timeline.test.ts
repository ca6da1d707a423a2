import { beforeEach, describe, expect, it } from "vitest";
import { apiServer, type SeenResource } from "../../../test/support/api-server.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
  ownerOf,
  payment,
  rateOf,
  testCurrencies,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { payingBack } from "../../../test/support/paying-back.ts";
import { fairFee } from "../../../test/support/payout-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { acceptDeposit, cancelDeposit } from "../../deposits/payments/change-deposit.ts";
import { timelineRoutes } from "./timeline.ts";

/*
 * The timeline of a deposit and of a payout, over HTTP: each entry stands for a row that the follower, a user or the dispatcher
 * wrote, in order. Ether needs 3 confirmations here.
 */

const database = useDatabase();
const world = depositWorld(database);
const { resolve, payoutOf, payouts } = payingBack(world);
const api = apiServer(timelineRoutes({ db: database.db, currencies: testCurrencies }), {
  clock: world.clock,
});
let chain: AnnouncingChain;
let shop: Wallet;
beforeEach(async () => {
  chain = await announceChain(world, "ETH");
  payouts.fees.answer = fairFee;
  world.rates.set("1002 840", rateOf("2500"));
  shop = await arrangeWallet(world, { type: 1, currency: usd });
});

type Owned = { readonly accountId: string; readonly id: string };

async function timeline(
  type: "deposit" | "payout",
  { accountId, id }: Owned,
  query = "",
  as: Principal = ownerOf(accountId),
): Promise<readonly SeenResource[]> {
  const answer = await api.ask("GET", `/${type}/${id}/timeline/?page[size]=100${query}`, { as });
  expect(answer.status, answer.text).toBe(200);
  return answer.resources;
}

const kinds = (entries: readonly SeenResource[]): readonly unknown[] =>
  entries.map(({ attributes }) => attributes["kind"]);

/** Each entry is a second after the one before, as far as the chain distinguishes them. */
async function pay(deposit: Deposit, amount: string, txid: string): Promise<void> {
  const hit = payment({ deposit, amount, txid });
  world.clock.advance(1);
  await chain.see([hit]);
  world.clock.advance(1);
  await chain.append([hit]);
  world.clock.advance(1);
  await chain.grow(3);
  world.clock.advance(1);
}

const invoice = () => arrangeDeposit(world, shop, { currency: eth, requested: "100" });

describe("a deposit's timeline", () => {
  it("lists the payment, its block, its confirmation, the postings and the callbacks, in this order", async () => {
    const deposit = await invoice();
    await pay(deposit, "0.04", "0xpaid");
    await database.sql(
      `insert into callback_attempt (account_id, callback_id, number, attempted_at, duration_ms, status_code)
       select account_id, id, 1, created_at + interval '1 second', 5, 500 from callback where object_id = $1`,
      [deposit.id],
    );
    const entries = await timeline("deposit", deposit);
    expect(kinds(entries)).toEqual([
      ...["created", "seen", "posting", "posting", "in_block", "posting"],
      ...["posting", "confirmed", "status", "callback", "callback", "attempt", "attempt"],
    ]);
    const named = (kind: string) =>
      entries
        .filter(({ attributes }) => attributes["kind"] === kind)
        .map((entry) => entry.attributes);
    expect(named("seen")).toMatchObject([{ txid: "0xpaid", amount: "0.040000000000000000" }]);
    expect(named("in_block")).toMatchObject([
      { txid: "0xpaid", block_height: chain.tip().height - 3 },
    ]);
    expect(named("status")).toMatchObject([{ status: "3" }]);
    for (const kind of ["callback", "attempt"])
      expect(named(kind)).toMatchObject([{ trigger: "confirmed" }, { trigger: "status" }]);
    expect(named("attempt")).toMatchObject([
      { attempt: 1, status_code: 500 },
      { attempt: 1, status_code: 500 },
    ]);
    expect(named("posting").map(({ debit, credit, amount }) => [debit, credit, amount])).toEqual([
      ["mempool", "conversion", "0.040000000000000000"],
      ["conversion", "wallet/pending", "100.00"],
      ["chain", "mempool", "0.040000000000000000"],
      ["wallet/pending", "wallet/available", "100.00"],
    ]);
  });

  it("lists a reorg and a member's decision", async () => {
    const deposit = await invoice();
    await pay(deposit, "0.05", "0xover");
    for (let block = 0; block < 4; block += 1) await chain.orphan();
    world.clock.advance(1);
    await chain.append([payment({ deposit, amount: "0.05", txid: "0xover" })]);
    await chain.grow(3);
    world.clock.advance(1);
    await acceptDeposit(world.context, ownerOf(shop.accountId), deposit.id);
    await database.sql(
      `insert into deposit_payer (account_id, deposit_id, refund_address, left_at)
       select account_id, id, '0x1', created_at + interval '1 minute' from deposit where id = $1`,
      [deposit.id],
    );
    const entries = await timeline("deposit", deposit);
    expect(kinds(entries).filter((kind) => kind === "refund_address_left")).toHaveLength(1);
    const callbackKinds = kinds(entries).filter((kind) =>
      ["in_block", "taken_back", "reversed", "accepted"].includes(String(kind)),
    );
    expect(callbackKinds).toEqual(["in_block", "taken_back", "reversed", "in_block", "accepted"]);
    const inBlock = entries.filter(({ attributes }) => attributes["kind"] === "in_block");
    expect(inBlock.map(({ attributes }) => attributes["block_height"])).toEqual([
      null,
      chain.tip().height - 3,
    ]);
  });

  it("is paginated by number and by cursor, and filtered by kind", async () => {
    const deposit = await invoice();
    await pay(deposit, "0.04", "0xpages");
    const all = (await timeline("deposit", deposit)).map(({ id }) => id);
    const as = ownerOf(shop.accountId);
    const read: string[] = [];
    let next: string | null = `/deposit/${deposit.id}/timeline/?page[after]=&page[size]=3`;
    while (next !== null) {
      const answer: Awaited<ReturnType<typeof api.ask>> = await api.ask("GET", next, { as });
      read.push(...answer.resources.map(({ id }) => id));
      next = answer.links.next?.replace("http://pay.example", "") ?? null;
    }
    expect(read).toEqual(all);
    expect(kinds(await timeline("deposit", deposit, "&filter[kind]=seen"))).toEqual(["seen"]);
    const newestFirst = await timeline("deposit", deposit, "&sort=-at");
    expect(newestFirst.map(({ id }) => id)).toEqual(all.toReversed());
    const refused = await api.ask("GET", `/deposit/${deposit.id}/timeline/?filter[kind]=x`, { as });
    expect(refused.status).toBe(400);
  });
});

describe("the member of an entry", () => {
  async function member(name: string): Promise<Principal> {
    const [row] = await database.sql<{ id: string }>(
      `insert into member (account_id, name, role, created_at) values ($1, $2, 'admin', '2026-01-01Z') returning id`,
      [shop.accountId, name],
    );
    return { ...ownerOf(shop.accountId), memberId: row?.id ?? "", role: "admin" };
  }

  async function membersOf(owned: Owned, type: "deposit" | "payout", as?: Principal) {
    const entries = await timeline(type, owned, "", as);
    return entries.flatMap(({ attributes: { kind, member: by } }) =>
      by === null ? [] : [[kind, by]],
    );
  }

  it("is who accepted, whatever the role of who reads it", async () => {
    const ada = await member("Ada");
    const deposit = await invoice();
    await pay(deposit, "0.05", "0xaccepted");
    await acceptDeposit(world.context, ada, deposit.id);
    const reader = { ...ownerOf(shop.accountId), role: "read_only" } as const;
    expect(await membersOf(deposit, "deposit", reader)).toEqual([
      ["accepted", { id: ada.memberId, name: "Ada" }],
    ]);
  });

  it("is who canceled", async () => {
    const ada = await member("Ada");
    const deposit = await invoice();
    await cancelDeposit(world.context, ada, deposit.id);
    expect(await membersOf(deposit, "deposit")).toEqual([
      ["cancel_asked", { id: ada.memberId, name: "Ada" }],
    ]);
  });

  it("is who refunded in full, and who created the payout", async () => {
    const ada = await member("Ada");
    const deposit = await invoice();
    await pay(deposit, "0.05", "0xrefunded");
    const payout = await payoutOf(await resolve(deposit, { as: ada }), shop.accountId);
    const by = { id: ada.memberId, name: "Ada" };
    expect(await membersOf(deposit, "deposit")).toEqual([["refunded", by]]);
    expect(await membersOf(payout, "payout")).toEqual([["created", by]]);
  });

  it("is who kept a part and refunded the rest", async () => {
    const ada = await member("Ada");
    const deposit = await invoice();
    await pay(deposit, "0.05", "0xpart");
    await resolve(deposit, { as: ada, attributes: { action: "partial" } });
    const by = { id: ada.memberId, name: "Ada" };
    expect(await membersOf(deposit, "deposit")).toEqual([
      ["accepted", by],
      ["refunded", by],
    ]);
  });

  it("is null where the log names an actor of the command line", async () => {
    const deposit = await invoice();
    await pay(deposit, "0.05", "0xnone");
    await acceptDeposit(world.context, ownerOf(shop.accountId), deposit.id);
    await database.sql("update audit_entry set member_id = null");
    expect(await membersOf(deposit, "deposit")).toEqual([]);
  });
});

describe("timelines", () => {
  it("list a payout's postings and cancellation, and name a refund's payout on the deposit's timeline", async () => {
    const deposit = await invoice();
    await pay(deposit, "0.05", "0xback");
    const payout = await payoutOf(await resolve(deposit), shop.accountId);
    const refunded = await timeline("deposit", deposit, "&filter[kind]=refunded");
    expect(refunded[0]?.relationships["payout"]?.data?.id).toBe(payout.id);
    const entries = await timeline("payout", { accountId: shop.accountId, id: payout.id });
    expect(kinds(entries)).toEqual(["created", "posting"]);
    expect(entries[1]?.attributes).toMatchObject({
      debit: "wallet/available",
      credit: "wallet/held",
      amount: "125.00",
    });
  });

  it("are hidden from other accounts and from members without the wallet, and visible to Read only", async () => {
    const deposit = await invoice();
    const path = `/deposit/${deposit.id}/timeline/`;
    const mine = ownerOf(shop.accountId);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    expect((await api.ask("GET", path, { as: stranger })).status).toBe(404);
    expect((await api.ask("GET", "/deposit/99999999/timeline/", { as: mine })).status).toBe(404);
    expect((await api.ask("GET", "/payout/99999999/timeline/", { as: mine })).status).toBe(404);
    const clerk = { ...mine, wallets: new Map<string, { mayPay: boolean }>() };
    const refused = await api.ask("GET", path, { as: clerk });
    expect([refused.status, refused.errors[0]?.code]).toEqual([400, "5001"]);
    expect(kinds(await timeline("deposit", deposit, "", { ...mine, role: "read_only" }))).toEqual([
      "created",
    ]);
  });
});
