import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { depositApi, makeDeposit } from "../../../test/support/deposit-api.ts";
import {
  arrangeWallet,
  depositWorld,
  eth,
  fillPool,
  ownerOf,
  rateOf,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { paymentPages } from "../../../test/support/payment-pages.ts";
import { databaseDigest } from "../../../test/support/whole-api.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";

/* What an account's payment pages show: permissions, validation, and the effect on the pages. */

const database = useDatabase();
const world = depositWorld(database);
const pages = paymentPages(world);
const deposits = depositApi(world);
let shop: Wallet;

beforeEach(async () => {
  world.rates.set("1002 840", rateOf("2000"));
  shop = await arrangeWallet(world, { type: 1, currency: usd });
  await fillPool(world, "evm", "", 3);
});

const png = "\x89PNG\r\n\x1a\n";
const pictureOf = (type: string, bytes: string): string =>
  `data:${type};base64,${Buffer.from(bytes, "latin1").toString("base64")}`;

type Members = Readonly<Record<string, JsonValue>>;

const patch = (attributes: Members, as = ownerOf(shop.accountId)) =>
  deposits.ask("PATCH", "/store-settings/", {
    as,
    body: { data: { type: "store-settings", attributes } },
  });
const summarize = (answer: Awaited<ReturnType<typeof patch>>): string =>
  [answer.status, ...answer.errors.flatMap(({ code, source }) => [code, source?.pointer])].join(
    " ",
  );

describe("/store-settings/", () => {
  it("sets the store name, help address and frame ancestors of the account's pages", async () => {
    const ancestors = ["https://shop.example", "https://www.shop.example:8443"];
    const given = {
      shop_name: "Corner shop",
      help_email: "help@shop.example",
      frame_ancestors: ancestors,
    };
    expect((await patch(given)).one.attributes).toMatchObject(given);
    const read = await deposits.ask("GET", "/store-settings/", { as: ownerOf(shop.accountId) });
    expect(read.one.attributes).toMatchObject(given);
    const deposit = await makeDeposit(
      deposits,
      world,
      shop,
      { target_amount_requested: "100" },
      "1002",
    );
    const { headers, text } = await pages.get(`/pay/${deposit.paymentPageId}/`);
    expect(headers["content-security-policy"]).toContain(
      "frame-ancestors https://shop.example https://www.shop.example:8443;",
    );
    expect(text).toContain("Corner shop");
    expect((await patch({ shop_name: null })).one.attributes).toMatchObject({
      ...given,
      shop_name: null,
    });
    expect((await patch({ frame_ancestors: [], help_email: "" })).one.attributes).toMatchObject({
      shop_name: null,
      help_email: null,
      frame_ancestors: [],
    });
    const stranger = await arrangeWallet(world);
    await patch({ shop_name: "Mine" });
    expect((await patch({}, ownerOf(stranger.accountId))).one.attributes["shop_name"]).toBeNull();
  });

  it.each<readonly [string, Members]>([
    ["400 1007 /data/attributes/shop_name", { shop_name: "x".repeat(65) }],
    ["400 1007 /data/attributes/help_email", { help_email: "nobody" }],
    ["400 1007 /data/attributes/help_email", { help_email: "a@b.c\r\nBcc: d@e.f" }],
    ["400 1007 /data/attributes/frame_ancestors", { frame_ancestors: "https://shop.example" }],
    [
      "400 1007 /data/attributes/frame_ancestors",
      { frame_ancestors: new Array<string>(21).fill("https://a.example") },
    ],
    ["400 1007 /data/attributes/frame_ancestors/0", { frame_ancestors: ["http://shop.example"] }],
    ["400 1007 /data/attributes/frame_ancestors/0", { frame_ancestors: ["*"] }],
    [
      "400 1007 /data/attributes/frame_ancestors/1",
      { frame_ancestors: ["https://a.example", "https://*.shop.example"] },
    ],
    ["400 1007 /data/attributes/frame_ancestors/0", { frame_ancestors: ["https://shop.example/"] }],
    [
      "400 1007 /data/attributes/frame_ancestors/0",
      { frame_ancestors: ["https://shop.example:443"] },
    ],
    [
      "400 1007 /data/attributes/frame_ancestors/0",
      { frame_ancestors: ["https://a.example; script-src *"] },
    ],
    ["400 1007 /data/attributes/frame_ancestors/0", { frame_ancestors: [7] }],
    ["400 1007 /data/attributes/accent_color", { accent_color: "red" }],
    ["400 1007 /data/attributes/accent_color", { accent_color: "#ffd400" }],
    ["400 1007 /data/attributes/accent_color_dark", { accent_color_dark: "#0b2b6d" }],
    ["400 1007 /data/attributes/logo", { logo: "https://shop.example/logo.png" }],
    [
      "400 1007 /data/attributes/logo",
      { logo: `http://localhost:8080/pay/images/${"0".repeat(64)}` },
    ],
    ["400 1007 /data/attributes/logo", { logo: pictureOf("image/png", "<svg/>") }],
    ["400 1007 /data/attributes/logo", { logo: pictureOf("image/svg+xml", "<svg/>") }],
    ["400 1007 /data/attributes/logo", { logo: pictureOf("image/png", png + "x".repeat(40_000)) }],
    ["400 1007 /data/attributes/receipt_note", { receipt_note: "x".repeat(501) }],
    [
      "400 1007 /data/attributes/payment_page_redirect_url",
      { payment_page_redirect_url: "javascript:alert(1)" },
    ],
  ])("returns %s for %j", async (expected, attributes) => {
    const before = await databaseDigest(database);
    expect(summarize(await patch(attributes))).toBe(expected);
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("returns 403 for roles other than Owner and Admin", async () => {
    for (const role of ["withdrawals", "withdrawals_with_approval", "read_only"] as const) {
      const as: Principal = { ...ownerOf(shop.accountId), memberId: role, role };
      expect((await patch({ shop_name: "x" }, as)).status).toBe(403);
      expect((await deposits.ask("GET", "/store-settings/", { as })).status).toBe(403);
    }
    const admin: Principal = { ...ownerOf(shop.accountId), memberId: "8", role: "admin" };
    expect((await patch({ shop_name: "x" }, admin)).status).toBe(200);
  });

  const pageOf = (attributes: Members = {}) =>
    makeDeposit(deposits, world, shop, { target_amount_requested: "100", ...attributes }, "1002");

  it("shows the logo, which browsers may keep forever, and forgets it when it is replaced", async () => {
    const first = await patch({ logo: pictureOf("image/png", `${png}first`) });
    const logo = first.one.attributes["logo"] as string;
    const path = logo.slice("http://localhost:8080".length);
    expect((await pages.stateOf(await pageOf())).brand.logo).toBe(path);
    const image = await pages.get(path);
    expect(image.text.endsWith("first")).toBe(true);
    expect(image.headers).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    // Sent back unchanged, as a form does.
    expect((await patch({ logo, shop_name: "Corner shop" })).one.attributes["logo"]).toBe(logo);
    await patch({ logo: pictureOf("image/webp", "RIFF0000WEBPsecond") });
    expect((await pages.get(path)).status).toBe(404);
    await patch({ logo: null });
    expect(await database.sql("select from store_image")).toEqual([]);
    expect((await pages.get("/pay/images/none")).status).toBe(404);
  });

  it("keeps a logo that two accounts have until both have replaced it", async () => {
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    const logo = pictureOf("image/jpeg", "\xff\xd8\xffshared");
    const url = (await patch({ logo })).one.attributes["logo"] as string;
    expect((await patch({ logo }, stranger)).one.attributes["logo"]).toBe(url);
    await patch({ logo: null });
    const path = new URL(url).pathname;
    expect((await pages.get(path)).status).toBe(200);
    await patch({ logo: null }, stranger);
    expect((await pages.get(path)).status).toBe(404);
  });

  it("colors the page readably in both modes, and names a readable color for one that is not", async () => {
    await patch({ accent_color: "#7A0B4B" });
    const { brand } = await pages.stateOf(await pageOf());
    expect(brand.accents?.light).toEqual({ color: "#7a0b4b", ink: "#ffffff" });
    expect(brand.accents?.dark.color).not.toBe("#7a0b4b");
    await patch({ accent_color_dark: "#ffd400" });
    expect((await pages.stateOf(await pageOf())).brand.accents?.dark).toEqual({
      color: "#ffd400",
      ink: "#06110e",
    });
    for (const [color, contrast] of [
      ["#ffee00", "#eef2f1, the light background of links below the card, is 1.0:1."],
      ["#ffd400", "#eef2f1, the light background of links below the card, is 1.2:1."],
      ["#767676", "#f1f1f1, the light background of small buttons, is 4.0:1."],
    ] as const) {
      const { errors } = await patch({ accent_color: color });
      expect(errors[0]?.detail).toContain(`The contrast of ${color} with ${contrast}`);
    }
    expect((await patch({ accent_color_dark: "#0b2b6d" })).errors[0]?.detail).toContain(
      "with #1f292b, the dark background of links in the list of payments, is 1.1:1.",
    );
    const refused = await patch({ accent_color: "#ffd400" });
    const [, near] = /readable is (#[0-9a-f]{6})\.$/.exec(refused.errors[0]?.detail ?? "") ?? [];
    expect((await patch({ accent_color: near ?? "" })).status).toBe(200);
  });

  it("shows order reference, description and receipt note as the settings say", async () => {
    const order = { tracking_id: "order 4711", description: "Two blue chairs" };
    const deposit = await pageOf(order);
    expect(await pages.stateOf(deposit)).toMatchObject({
      order: "order 4711",
      description: "Two blue chairs",
      receipt: { isShown: true, note: null },
    });
    await patch({ shows_order_reference: false, shows_receipt: false, receipt_note: "VAT 7" });
    expect(await pages.stateOf(deposit)).toMatchObject({
      order: null,
      description: "Two blue chairs",
      receipt: { isShown: false, note: "VAT 7" },
    });
    const back = await patch({ shows_order_reference: null, shows_receipt: null });
    expect(back.one.attributes).toMatchObject({ shows_order_reference: true, shows_receipt: true });
  });

  it("never shows the tracking ID of another wallet's deposit, which names a customer", async () => {
    const own = await arrangeWallet(world, { accountId: shop.accountId, type: 2, currency: eth });
    const deposit = await makeDeposit(deposits, world, own, { tracking_id: "user-7" });
    expect((await pages.stateOf(deposit)).order).toBeNull();
  });

  it("gives deposits the return link, unless they have their own", async () => {
    const link = { payment_page_redirect_url: "https://shop.example/thanks" };
    await patch({ ...link, payment_page_button_text: "Back to the shop" });
    const shown = async (attributes: Members) =>
      (await pages.stateOf(await pageOf(attributes))).redirect;
    expect(await shown({})).toEqual({
      url: link.payment_page_redirect_url,
      text: "Back to the shop",
    });
    expect(await shown({ payment_page_redirect_url: "https://shop.example/own" })).toEqual({
      url: "https://shop.example/own",
      text: null,
    });
  });
});
