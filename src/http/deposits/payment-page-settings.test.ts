import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { depositApi, makeDeposit } from "../../../test/support/deposit-api.ts";
import {
  arrangeWallet,
  depositWorld,
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

/* Tests the account's payment page settings: permissions, validation, and their effect on the pages. */

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

type Members = Readonly<Record<string, JsonValue>>;

const patch = (attributes: Members, as = ownerOf(shop.accountId)) =>
  pages.api.ask("PATCH", "/payment-page/", {
    as,
    body: { data: { type: "payment-page-settings", attributes } },
  });
const summarize = (answer: Awaited<ReturnType<typeof patch>>): string =>
  [answer.status, ...answer.errors.flatMap(({ code, source }) => [code, source?.pointer])].join(
    " ",
  );

describe("/payment-page/", () => {
  it("sets the store name, help address and frame ancestors of the account's pages", async () => {
    const ancestors = ["https://shop.example", "https://www.shop.example:8443"];
    const given = {
      shop_name: "Corner shop",
      help_email: "help@shop.example",
      frame_ancestors: ancestors,
    };
    expect((await patch(given)).one.attributes).toEqual(given);
    const read = await pages.api.ask("GET", "/payment-page/", { as: ownerOf(shop.accountId) });
    expect(read.one.attributes).toEqual(given);
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
    expect((await patch({ shop_name: null })).one.attributes).toEqual({
      ...given,
      shop_name: null,
    });
    expect((await patch({ frame_ancestors: [], help_email: "" })).one.attributes).toEqual({
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
  ])("returns %s for %j", async (expected, attributes) => {
    const before = await databaseDigest(database);
    expect(summarize(await patch(attributes))).toBe(expected);
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("returns 403 for roles other than Owner and Admin", async () => {
    for (const role of ["withdrawals", "withdrawals_with_approval", "read_only"] as const) {
      const as: Principal = { ...ownerOf(shop.accountId), memberId: role, role };
      expect((await patch({ shop_name: "x" }, as)).status).toBe(403);
      expect((await pages.api.ask("GET", "/payment-page/", { as })).status).toBe(403);
    }
    const admin: Principal = { ...ownerOf(shop.accountId), memberId: "8", role: "admin" };
    expect((await patch({ shop_name: "x" }, admin)).status).toBe(200);
  });
});
