import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
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
import { fairFee, payee } from "../../../test/support/payout-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { searchRoutes } from "./search.ts";

// Search over deposits, payouts and transfers: what a text finds, for whom, and by index.

const database = useDatabase();
const world = depositWorld(database);
const { resolve, payoutOf, payouts } = payingBack(world);
const api = apiServer(searchRoutes({ db: database.db, currencies: testCurrencies }), {
  clock: world.clock,
});
const txid = `0x${"ab".repeat(32)}`;
let shop: Wallet;
let deposit: Deposit;
let payoutId: string;
let transferId: string;

beforeAll(async () => {
  const chain = await announceChain(world, "ETH");
  payouts.fees.answer = fairFee;
  world.rates.set("1002 840", rateOf("2500"));
  shop = await arrangeWallet(world, { type: 1, currency: usd });
  deposit = await arrangeDeposit(world, shop, { currency: eth, requested: "100" });
  await database.sql(
    "update deposit set label = 'Two Chairs', tracking_id = 'ORD_100%' where id = $1",
    [deposit.id],
  );
  await chain.append([payment({ deposit, amount: "0.05", txid })]);
  await chain.grow(3);
  payoutId = (await payoutOf(await resolve(deposit), shop.accountId)).id;
  const [row] = await database.sql<{ id: string }>("select id from transfer where txid = $1", [
    txid,
  ]);
  transferId = row!.id;
});

async function find(text: string, as: Principal = ownerOf(shop.accountId)): Promise<unknown[]> {
  const answer = await api.ask("GET", `/search/?filter[text]=${encodeURIComponent(text)}`, { as });
  expect(answer.status, answer.text).toBe(200);
  return answer.resources.map(({ attributes }) => [
    attributes["object_type"],
    attributes["object_id"],
    attributes["matched"],
  ]);
}

describe("search", () => {
  it("finds by the start of a label, tracking id or address, by link, transaction and number", async () => {
    const hit = (matched: string) => ["deposit", deposit.id, matched];
    expect(await find("two ch")).toEqual([hit("label")]);
    expect(await find("ord_100%")).toEqual([hit("tracking_id")]);
    expect(await find("ord%")).toEqual([]);
    expect(await find("chairs")).toEqual([]);
    expect(await find(deposit.address!.toUpperCase())).toEqual([hit("address")]);
    expect(await find(`http://pay.example/pay/${deposit.paymentPageId}/`)).toEqual([hit("page")]);
    expect(await find(txid.slice(2).toUpperCase())).toEqual([
      ["transfer", transferId, "txid"],
      hit("txid"),
    ]);
    expect(await find(payee.slice(0, 12))).toEqual([["payout", payoutId, "address"]]);
    expect(await find(payoutId)).toContainEqual(["payout", payoutId, "id"]);
  });

  it("hides other accounts' objects and wallets that are not granted; Read only finds", async () => {
    const mine = ownerOf(shop.accountId);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    for (const text of ["two", txid, deposit.id, deposit.paymentPageId]) {
      expect(await find(text, stranger)).toEqual([]);
      expect(await find(text, { ...mine, wallets: new Map() })).toEqual([]);
      expect(await find(text, { ...mine, role: "read_only" })).not.toEqual([]);
    }
  });

  it("returns at most 20 hits, paginated like any list; rejects a missing text and a cursor", async () => {
    const other = await arrangeWallet(world, { type: 1, currency: usd });
    for (let made = 0; made < 25; made += 1) {
      const { id } = await arrangeDeposit(world, other, { currency: eth });
      await database.sql("update deposit set label = $2 where id = $1", [id, `Many ${made}`]);
    }
    const as = ownerOf(other.accountId);
    const page = await api.ask("GET", "/search/?filter[text]=many&page[number]=2", { as });
    expect([page.resources.length, page.pagination]).toEqual([
      10,
      { page: 2, pages: 2, count: 20 },
    ]);
    for (const [query, parameter] of [
      ["", "filter[text]"],
      ["?filter[text]=%20", "filter[text]"],
      ["?filter[text]=a&page[after]=", "page[after]"],
    ] as const) {
      const { status, errors } = await api.ask("GET", `/search/${query}`, { as });
      expect([status, errors[0]?.source?.parameter]).toEqual([400, parameter]);
    }
  });

  it("looks up prefixes in an index", async () => {
    await database.sql("analyze deposit");
    const plan = await database.db.transaction(async (tx) => {
      await tx.query({ name: "", text: "set local enable_seqscan = off" }, []);
      return tx.query<{ "QUERY PLAN": string }>(
        {
          name: "",
          text: `explain select id from deposit o where o.label is not null and lower(o.label) ~>=~ 'many'
          and lower(o.label) ~<~ 'many~' and account_id = 1`,
        },
        [],
      );
    });
    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("deposit_by_label");
  });
});
