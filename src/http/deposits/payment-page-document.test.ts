import { describe, expect, it } from "vitest";
import { created, postDeposit } from "../../../test/support/deposit-api.ts";
import { arrangeWallet, btc, fillPool, payment } from "../../../test/support/deposit-world.ts";
import { builtPage, outcomeOf, paymentPages } from "../../../test/support/payment-pages.ts";
import { payee } from "../../../test/support/payout-world.ts";
import { useShopPages } from "../../../test/support/shop-pages.ts";
import { databaseDigest } from "../../../test/support/whole-api.ts";
import type { CheckoutState } from "../../deposits/checkout/checkout-state.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { readDepositRow } from "../../deposits/deposit-list.store.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { dataBlock, writePage } from "../server/write-page.ts";

/* Tests what the page serves and accepts, and what it must not reveal. */

const site = useShopPages();
const { database, world, pages, deposits, invoice, pathOf } = site;

type Members = Readonly<Record<string, JsonValue>>;

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
    expect(text).toContain(`Send 0.05 ETH on Ethereum to ${String(deposit.address)}.`);
    const german = await pages.get(pathOf(deposit), {
      "accept-language": "fr-FR,fr;q=0.9,de;q=0.8",
    });
    expect(german.text).toContain(
      `Senden Sie 0.05 ETH über Ethereum an ${String(deposit.address)}. Laden Sie diese Seite neu`,
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
      callback_url: "https://secretcallback.example/",
    };
    const evil = `</script><script>alert("x")</script><!-- $& \u2028`;
    await database.sql(
      `update account set name = 'secretname', payment_page_shop_name = $2, help_email = 'help@shop.example' where id = $1`,
      [site.shop.accountId, evil],
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
    expect([...members].toSorted()).toEqual([
      ...[
        "arrivals",
        "brand",
        "choices",
        "description",
        "embedders",
        "expiresAt",
        "helpEmail",
        "id",
      ],
      ...["isSandbox", "now", "order", "payment", "price", "reason", "receipt", "redirect"],
      ...["refund", "shop", "stage", "version"],
    ]);
    expect(JSON.parse(dataBlock({ evil }))).toEqual({ evil });
    expect(writePage(String(builtPage.html), {}, "<b>&")).toContain(
      '<p id="plain">&lt;b&gt;&amp;</p>',
    );
  });

  async function unresolvedWith(attributes: Members): Promise<Deposit> {
    const deposit = await invoice(attributes);
    await site.chain.append([payment({ deposit, amount: "0.06" })]);
    await site.chain.grow(3);
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
