import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  created,
  depositApi,
  makeDeposit,
  postDeposit,
} from "../../../test/support/deposit-api.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeWallet,
  btc,
  depositWorld,
  fillPool,
  ownerOf,
  payment,
  rateOf,
  usd,
  usdt,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { builtPage, outcomeOf, paymentPages } from "../../../test/support/payment-pages.ts";
import { bitcoinPayee, payee } from "../../../test/support/payout-world.ts";
import { databaseDigest } from "../../../test/support/whole-api.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { CheckoutState } from "../../deposits/checkout/checkout-state.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { readDepositRow } from "../../deposits/deposit-list.store.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { dataBlock, writePage } from "../server/write-page.ts";

/* Tests the page while a payment progresses: payments received, refund address, and what the page must not reveal. ETH needs 3 confirmations here. */

const database = useDatabase();
const world = depositWorld(database);
const screened = depositWorld(database, { isScreened: true });
const pages = paymentPages(world);
const deposits = depositApi(world);
let chain: AnnouncingChain;
let shop: Wallet;

beforeEach(async () => {
  world.clock.advance(10);
  chain = await announceChain(world, "ETH");
  await chain.catchUp();
  world.rates.set("1002 840", rateOf("2000"));
  shop = await arrangeWallet(world, { type: 1, currency: usd });
  await fillPool(world, "evm", "", 3);
});

type Members = Readonly<Record<string, JsonValue>>;

/** A deposit of 100 USD, payable in ETH by default; null: the payer chooses. */
const invoice = (attributes: Members = {}, currency: string | null = "1002"): Promise<Deposit> =>
  makeDeposit(
    deposits,
    world,
    shop,
    { target_amount_requested: "100", ...attributes },
    currency ?? undefined,
  );

const pathOf = ({ paymentPageId }: Deposit, rest = ""): string => `/pay/${paymentPageId}/${rest}`;
const arrivalsOf = ({ arrivals }: CheckoutState): readonly string[] =>
  arrivals.map(({ state, amount, code, confirmations, needed }) =>
    [state, `${amount} ${code}`.trim(), `${confirmations}/${needed}`].join(", "),
  );

describe("payments on a payment page", () => {
  it("counts confirmations up to the required number and reverts an orphaned payment", async () => {
    const deposit = await invoice();
    const hit = payment({ deposit, amount: "0.05" });
    const summarize = async () => {
      const state = await pages.stateOf(deposit);
      return [state.stage, ...arrivalsOf(state)];
    };
    await chain.see([hit]);
    expect(await summarize()).toEqual(["seen", "pending, 0.050000000000000000 ETH, 0/3"]);
    await chain.append([hit]);
    expect(await summarize()).toEqual(["seen", "pending, 0.050000000000000000 ETH, 1/3"]);
    await chain.grow(1);
    expect(await summarize()).toEqual(["seen", "pending, 0.050000000000000000 ETH, 2/3"]);
    await chain.grow(1);
    expect(await summarize()).toEqual(["paid", "confirmed, 0.050000000000000000 ETH, 3/3"]);
    const { version } = await pages.stateOf(deposit);
    await chain.grow(2);
    expect((await pages.stateOf(deposit)).version).toBe(version);
    for (let block = 0; block < 5; block += 1) await chain.orphan();
    expect(await summarize()).toEqual(["seen", "pending, 0.050000000000000000 ETH, 0/3"]);
    await chain.conflict(hit.transfer.key.txid);
    expect(await summarize()).toEqual(["waiting", "reverted, 0.050000000000000000 ETH, 0/3"]);
  });

  it("lists uncredited payments, newest first", async () => {
    const deposit = await invoice();
    await chain.append([payment({ deposit, amount: "5", currency: usdt })]);
    world.clock.advance(1);
    await chain.append([payment({ deposit, amount: "7", unlisted: "0xfeed" })]);
    world.clock.advance(1);
    await chain.append([payment({ deposit, amount: "0.000000000000000001" })]);
    const state = await pages.stateOf(deposit);
    expect(arrivalsOf(state)).toEqual([
      "too_small, 0.000000000000000001 ETH, 1/3",
      "wrong_asset, 0xfeed, 1/1",
      "wrong_asset, 5.000000 USDT-ETH, 3/3",
    ]);
    expect(state).toMatchObject({ stage: "waiting", payment: { missing: "0.050000000000000000" } });
  });

  it("shows a payment held by screening without the risk details", async () => {
    const deposit = await invoice();
    const red = await announceChain(screened, "ETH");
    await red.append([payment({ deposit, amount: "0.05" })]);
    await database.sql(
      `update transfer set risk = 99, risk_status = 3, status = -2, disposition = 'blocked', reason = 'screening'
       where deposit_id = $1`,
      [deposit.id],
    );
    const state = await pages.stateOf(deposit);
    expect(arrivalsOf(state)).toEqual(["held, 0.050000000000000000 ETH, 1/3"]);
    expect(Object.keys(present(state.arrivals[0], "an arrival"))).toEqual(
      "txid code amount state confirmations needed seenAt".split(" "),
    );
  });

  it("shows a refunded payment as returned", async () => {
    const deposit = await unresolved();
    await database.sql(
      `update transfer set refunded_at = confirmed_at, refund_payout_id = 1, refund_target_units = target_units,
         disposition = 'refunded' where deposit_id = $1`,
      [deposit.id],
    );
    const state = await pages.stateOf(deposit);
    expect(arrivalsOf(state)).toEqual(["returned, 0.060000000000000000 ETH, 3/3"]);
    expect(state.payment).toMatchObject({ received: "0.000000000000000000" });
  });

  it("uses the deposit's own number of confirmations", async () => {
    const deposit = await invoice({ confirmations_needed: 1 });
    await chain.append([payment({ deposit, amount: "0.05" })]);
    const state = await pages.stateOf(deposit);
    expect([state.stage, ...arrivalsOf(state)]).toEqual([
      "paid",
      "confirmed, 0.050000000000000000 ETH, 1/1",
    ]);
  });
});

/** A deposit overpaid by 20%. */
async function unresolved(): Promise<Deposit> {
  const deposit = await invoice();
  await chain.append([payment({ deposit, amount: "0.06" })]);
  await chain.grow(3);
  return deposit;
}

describe("the refund address", () => {
  const leave = (deposit: Deposit, body: JsonValue) =>
    pages.post(pathOf(deposit, "refund-address/"), body);
  const readPayer = (deposit: Deposit, as: Principal = ownerOf(deposit.accountId)) =>
    pages.api.ask("GET", `/deposit/${deposit.id}/payer/`, { as });

  it("is requested for an unresolved deposit and readable by the merchant", async () => {
    const deposit = await unresolved();
    expect(await pages.stateOf(deposit)).toMatchObject({
      stage: "unresolved",
      reason: "overpaid",
      refund: { isAsked: true, address: null },
    });
    expect((await readPayer(deposit)).one.attributes).toEqual({
      refund_address: null,
      tag: null,
      left_at: null,
    });
    const { status, state } = await leave(deposit, { address: payee.toLowerCase() });
    expect([status, state.refund]).toEqual([200, { isAsked: true, address: payee }]);
    const { one } = await readPayer(deposit);
    expect(one).toMatchObject({ type: "deposit-payer", id: deposit.id });
    expect(one.attributes).toMatchObject({ refund_address: payee, tag: null });
  });

  it("cannot be replaced by a second visitor with the page's link", async () => {
    const deposit = await unresolved();
    await leave(deposit, { address: payee });
    const left = (await readPayer(deposit)).one.attributes;
    world.clock.advance(1);
    const before = await databaseDigest(database);
    const other = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    expect(outcomeOf(await leave(deposit, { address: other }))).toBe("409 refund_not_asked");
    expect((await leave(deposit, { address: payee.toLowerCase() })).status).toBe(200);
    expect(await databaseDigest(database)).toEqual(before);
    expect((await readPayer(deposit)).one.attributes).toEqual(left);
  });

  it("may belong to this service, so that responses do not reveal its addresses", async () => {
    const neighbor = await invoice();
    const [waiting] = await database.sql<{ address: string }>(
      "select address from address where keyspace = 'evm' and deposit_id is null limit 1",
    );
    const own = [String(neighbor.address), String(waiting?.address)];
    for (const address of own.filter((one) => /^0x[\dA-Fa-f]{40}$/.test(one))) {
      expect((await leave(await unresolved(), { address })).status).toBe(200);
    }
    const hot = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    await database.sql(
      `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, issued_at, created_at)
       values ('evm', lower($1::text), $1, '', 'hot', 0, '2026-01-01Z', '2026-01-01Z')`,
      [hot],
    );
    expect((await leave(await unresolved(), { address: hot })).status).toBe(200);
  });

  it("is validated by the rules of its chain", async () => {
    const deposit = await unresolved();
    const rows: readonly (readonly [Members, string])[] = [
      [{ address: bitcoinPayee }, "400 7001 /address"],
      [{ address: "0x8ba1f109551bD432803012645Ac136ddd64DBA73" }, "400 7001 /address"],
      [{ address: payee, tag: "12" }, "400 1007 /tag"],
      [{ address: "" }, "400 1007 /address"],
      [{ address: 7 }, "400 1007 /address"],
      [{ address: "x".repeat(129) }, "400 1007 /address"],
    ];
    const before = await databaseDigest(database);
    for (const [body, expected] of rows)
      expect(outcomeOf(await leave(deposit, body))).toBe(expected);
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("is rejected before a payment is on hold and after the merchant resolved it", async () => {
    const waiting = await invoice();
    expect(outcomeOf(await leave(waiting, { address: payee }))).toBe("409 refund_not_asked");
    const deposit = await unresolved();
    await leave(deposit, { address: payee });
    const accept = { data: { type: "deposit", attributes: { action: "accept" } } };
    const as = ownerOf(deposit.accountId);
    await deposits.ask("POST", `/deposit/${deposit.id}/resolve/`, { as, body: accept });
    const before = await databaseDigest(database);
    expect(outcomeOf(await leave(deposit, { address: bitcoinPayee }))).toBe("409 refund_not_asked");
    expect(await databaseDigest(database)).toEqual(before);
    expect((await pages.stateOf(deposit)).refund).toEqual({ isAsked: false, address: payee });
  });

  it("is readable by members who can view the deposit", async () => {
    const deposit = await unresolved();
    const stranger = await arrangeWallet(world);
    expect((await readPayer(deposit, ownerOf(stranger.accountId))).status).toBe(404);
    const blind: Principal = { ...ownerOf(deposit.accountId), memberId: "2", wallets: new Map() };
    expect(outcomeOf2(await readPayer(deposit, blind))).toBe("400 5001");
    const reader: Principal = { ...ownerOf(deposit.accountId), memberId: "3", role: "read_only" };
    expect((await readPayer(deposit, reader)).status).toBe(200);
  });

  const outcomeOf2 = (answer: { status: number; errors: readonly { code: string }[] }): string =>
    [answer.status, ...answer.errors.map(({ code }) => code)].join(" ");
});

describe("GET /pay/{id}/", () => {
  it("embeds the state and plain instructions under a strict content security policy", async () => {
    const deposit = await invoice();
    const { status, headers, text } = await pages.get(pathOf(deposit));
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self';");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
    const [, block = ""] = /id="state">([^<]*)<\/script>/.exec(text) ?? [];
    const state = JSON.parse(block) as CheckoutState;
    expect(state).toEqual(await pages.stateOf(deposit));
    expect(text).toContain(
      `Send 0.050000000000000000 ETH on Ethereum to ${String(deposit.address)}.`,
    );
    expect((await pages.get(`/pay/${deposit.paymentPageId}`)).text).toBe(text);
    expect((await pages.get(`/pay/${deposit.paymentPageId.toUpperCase()}/`)).text).toBe(text);
  });

  it("returns the same 404 for every id other than the page's UUID", async () => {
    const deposit = await invoice();
    const unknown = "6f1c1c9e-4f0e-4b8e-9a37-2f0f1f6a7a10";
    const answers = await Promise.all(
      [unknown, deposit.id, "1", `${deposit.paymentPageId}0`, "%00"].map((id) =>
        pages.get(`/pay/${id}/`),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([
        `404 ${String(builtPage.html).replace('"state">', '"state">{"failure":"not_found"}')}`,
      ]),
    );
    for (const path of ["state/", "events"])
      expect(outcomeOf(await pages.get(`/pay/${deposit.id}/${path}`))).toBe("404 404");
    expect(outcomeOf(await pages.get(`/pay/${unknown}/events`))).toBe("404 404");
    expect(outcomeOf(await pages.post(`/pay/${unknown}/choose/`, { currency: "1002" }))).toBe(
      "404 404",
    );
    expect(outcomeOf(await pages.post(`/pay/${unknown}/quote/`, {}))).toBe("404 404");
    expect(outcomeOf(await pages.post(`/pay/${unknown}/refund-address/`, { address: payee }))).toBe(
      "404 404",
    );
  });

  it("serves its static files, and returns 503 if the page was not built", async () => {
    expect((await pages.get("/pay/assets/page-1a2b.js")).text).toBe("start()");
    expect((await pages.get("/pay/assets/page-9.js")).status).toBe(404);
    const absent = paymentPages(world, { page: { html: null, answerFile: () => null } });
    const { status, text } = await absent.get(pathOf(await invoice()));
    expect([status, text]).toEqual([503, expect.stringContaining("not built") as string]);
  });

  it("reveals no account data and escapes every embedded text", async () => {
    const marks = {
      label: "secretlabel",
      tracking_id: "secrettracking",
      callback_url: "https://secretcallback.example/",
    };
    const evil = `</script><script>alert("x")</script><!-- $& \u2028`;
    await database.sql(
      `update account set name = 'secretname', payment_page_shop_name = $2, help_email = 'help@shop.example' where id = $1`,
      [shop.accountId, evil],
    );
    const paid = await unresolvedWith(marks);
    const chosen = await invoice(marks);
    const open = await invoice(marks, null);
    const members = new Set<string>();
    for (const deposit of [paid, chosen, open]) {
      const page = await pages.get(pathOf(deposit));
      const state = await pages.get(pathOf(deposit, "state/"));
      expect(state.headers["cache-control"]).toBe("no-store");
      for (const { text } of [page, state]) expect(text).not.toMatch(/secret/);
      expect(page.text.match(/<script/g)).toHaveLength(1);
      expect(page.text).not.toContain('alert("x")</script>');
      expect(state.state.shop).toBe(evil);
      expect(state.state.helpEmail).toBe("help@shop.example");
      for (const name of Object.keys(state.state)) members.add(name);
    }
    expect([...members].toSorted()).toEqual(
      ["arrivals", "choices", "expiresAt", "helpEmail", "id", "isSandbox", "now", "payment"].concat(
        ["price", "reason", "redirect", "refund", "shop", "stage", "version"],
      ),
    );
    expect(JSON.parse(dataBlock({ evil }))).toEqual({ evil });
    expect(writePage(String(builtPage.html), {}, "<b>&")).toContain(
      '<p id="plain">&lt;b&gt;&amp;</p>',
    );
  });

  async function unresolvedWith(attributes: Members): Promise<Deposit> {
    const deposit = await invoice(attributes);
    await chain.append([payment({ deposit, amount: "0.06" })]);
    await chain.grow(3);
    return deposit;
  }

  it("links back to the store", async () => {
    const button = {
      payment_page_redirect_url: "https://shop.example/thanks",
      payment_page_button_text: "Back to the shop",
    };
    expect((await pages.stateOf(await invoice(button))).redirect).toEqual({
      url: "https://shop.example/thanks",
      text: "Back to the shop",
    });
    expect((await pages.stateOf(await invoice())).redirect).toBeNull();
  });

  it("is served for deposits of Enterprise wallets without a requested amount", async () => {
    const wallet = await arrangeWallet(world, { type: 2, currency: btc });
    await fillPool(world, "BTC", "bech32", 1);
    const { id } = created(await postDeposit(deposits, wallet));
    const deposit = present(await readDepositRow(database.db, wallet.accountId, id), "a deposit");
    expect(await pages.stateOf(deposit)).toMatchObject({
      stage: "waiting",
      price: null,
      expiresAt: null,
      payment: { code: "BTC", uri: `bitcoin:${String(deposit.address)}`, requested: null },
    });
  });
});

describe("POST /pay/{id}/choose/", () => {
  it("accepts only a small JSON object of texts", async () => {
    const deposit = await invoice({}, null);
    const path = pathOf(deposit, "choose/");
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const rows: readonly (readonly [JsonValue | Uint8Array, string])[] = [
      [bytes(""), "400 parse_error"],
      [bytes("{"), "400 parse_error"],
      [bytes("7"), "400 parse_error"],
      [[], "400 parse_error"],
      [null, "400 parse_error"],
      ["1002", "400 parse_error"],
      [{}, "400 1007 /currency"],
      [{ currency: null }, "400 1007 /currency"],
      [{ currency: 1002 }, "400 1007 /currency"],
      [{ currency: ["1002"] }, "400 1007 /currency"],
      [{ currency: "1002", addressType: 1, more: true }, "400 1007 /addressType 1007 /more"],
      [{ currency: "9".repeat(65) }, "400 1007 /currency"],
      [{ currency: "a\u0000" }, "400 1007 /currency"],
      [bytes(`{"currency":"1002","__proto__":{"x":1}}`), "400 1007 /__proto__"],
      [{ currency: "1002", addressType: "x".repeat(5_000) }, "413 payload_too_large"],
    ];
    const before = await databaseDigest(database);
    for (const [body, expected] of rows)
      expect(outcomeOf(await pages.post(path, body))).toBe(expected);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect(outcomeOf(await pages.post(path, { currency: "1002" }, form))).toBe(
      "415 unsupported_media_type content-type",
    );
    expect(await databaseDigest(database)).toEqual(before);
    expect((await pages.get(path)).status).toBe(405);
    const typed = { "content-type": "application/json; charset=utf-8" };
    expect((await pages.post(path, { currency: "1002", addressType: null }, typed)).status).toBe(
      200,
    );
  });

  it("rejects requests from other origins", async () => {
    const deposit = await invoice({}, null);
    const before = await databaseDigest(database);
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ]) {
      const answer = await pages.post(pathOf(deposit, "choose/"), { currency: "1002" }, headers);
      expect(answer.status).toBe(403);
    }
    expect(await databaseDigest(database)).toEqual(before);
    const own = { "sec-fetch-site": "same-origin", origin: "http://localhost:8080" };
    expect((await pages.post(pathOf(deposit, "choose/"), { currency: "1002" }, own)).status).toBe(
      200,
    );
  });
});
