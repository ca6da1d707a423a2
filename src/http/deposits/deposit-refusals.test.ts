import { describe, expect, it } from "vitest";
import { created, depositApi, newDeposit, postDeposit } from "../../../test/support/deposit-api.ts";
import {
  arrangeWallet,
  fillPool,
  ownerOf,
  rateOf,
  usdt,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { ada, travelRule, useDepositCreation } from "../../../test/support/use-deposit-creation.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";

/*
 * Every row of the interface's "Create deposit" table with the real server and database: status, code and pointer. A rejected
 * request leaves the database unchanged.
 */

const { database, world, api, wallets, counts, refused } = useDepositCreation();

describe("invalid fields (400/1007)", () => {
  const at = (field: string): readonly string[] => ["400", `1007 /data/attributes/${field}`];

  it.each<[string, JsonObject]>([
    ["label", { label: "x".repeat(33) }],
    ["label", { label: "\u0000" }],
    ["label", { label: ["x"] }],
    ["tracking_id", { tracking_id: "x".repeat(129) }],
    ["confirmations_needed", { confirmations_needed: -1 }],
    ["confirmations_needed", { confirmations_needed: 101 }],
    ["confirmations_needed", { confirmations_needed: 1.5 }],
    ["confirmations_needed", { confirmations_needed: "many" }],
    ["callback_url", { callback_url: `https://shop.example/${"p".repeat(236)}` }],
    ["callback_url", { callback_url: "shop.example" }],
    ["callback_url", { callback_url: "ftp://shop.example/" }],
    ["callback_url", { callback_url: "http://shop.example/" }],
    ["callback_url", { callback_url: "https://127.0.0.1/" }],
    ["callback_url", { callback_url: "https://10.0.0.1/" }],
    ["payment_page_redirect_url", { payment_page_redirect_url: "javascript:alert(1)" }],
    [
      "payment_page_redirect_url",
      { payment_page_redirect_url: `https://shop.example/${"p".repeat(2028)}` },
    ],
    ["payment_page_button_text", { payment_page_button_text: "x".repeat(65) }],
    ["status", { status: 1 }],
    ["status", { status: "Paid" }],
    ["address_type", { address_type: "base58" }],
    ["address_type", { address_type: "x".repeat(17) }],
    ["time_limit", { time_limit: 600 }],
    ["target_amount_requested", { target_amount_requested: "1" }],
    ["inaccuracy", { inaccuracy: "1" }],
    ["help_email", { help_email: "x".repeat(65) }],
  ])("rejects an invalid %s: %j", async (field, attributes) => {
    expect(await refused(wallets.enterprise, attributes)).toEqual(at(field));
  });

  it.each<[string, JsonObject]>([
    ["time_limit", { time_limit: 58 }],
    ["time_limit", { time_limit: 2_592_001 }],
    ["time_limit", { time_limit: "soon" }],
    ["target_amount_requested", { target_amount_requested: "-1" }],
    ["target_amount_requested", { target_amount_requested: "0" }],
    ["target_amount_requested", { target_amount_requested: "1.001" }],
    ["target_amount_requested", { target_amount_requested: "much" }],
    ["target_amount_requested", { target_amount_requested: "1e999" }],
    ["inaccuracy", { inaccuracy: "1" }],
    ["inaccuracy", { target_amount_requested: "1", inaccuracy: "1" }],
    ["inaccuracy", { target_amount_requested: "1", inaccuracy: "1.5" }],
    ["inaccuracy", { target_amount_requested: "1", inaccuracy: "-0.1" }],
    ["inaccuracy", { target_amount_requested: "1", inaccuracy: "0.001" }],
  ])("rejects an invalid %s of a Merchant deposit: %j", async (field, attributes) => {
    expect(await refused(wallets.merchant, attributes, "1002")).toEqual(at(field));
  });

  it("accepts the bounds of each field", async () => {
    for (const time_limit of [59, 2_592_000]) {
      created(await postDeposit(api, wallets.merchant, { time_limit }));
    }
    for (const confirmations_needed of [0, 100]) {
      created(await postDeposit(api, wallets.enterprise, { confirmations_needed }));
    }
    const exact = { target_amount_requested: "1.00", inaccuracy: "0.99" };
    created(await postDeposit(api, wallets.merchant, exact));
    created(await postDeposit(api, wallets.merchant, { ...exact, inaccuracy: "0" }));
  });

  it("reports several faults sorted by pointer", async () => {
    const attributes = { label: "x".repeat(33), confirmations_needed: 101, time_limit: 1 };
    expect(await refused(wallets.merchant, attributes)).toEqual([
      "400",
      ...["confirmations_needed", "label", "time_limit"].map(
        (field) => `1007 /data/attributes/${field}`,
      ),
    ]);
    const twice = {
      inaccuracy: "3",
      target_amount_requested: "1.999",
      callback_url: "https://10.1.1.1",
    };
    expect(await refused(wallets.merchant, twice)).toEqual([
      "400",
      ...["callback_url", "target_amount_requested"].map(
        (field) => `1007 /data/attributes/${field}`,
      ),
    ]);
  });

  it("gives the same answer for missing, unknown, foreign and not granted wallets", async () => {
    const pointer = "1007 /data/relationships/wallet";
    const stranger = await arrangeWallet(world);
    for (const walletId of [stranger.walletId, "999999999", "0", "-1", "abc", "1e3", ""]) {
      expect(await refused({ ...wallets.enterprise, walletId }, {})).toEqual(["400", pointer]);
    }
    const body = { data: { type: "deposit", attributes: {} } };
    const as = ownerOf(wallets.enterprise.accountId);
    expect(faults(await api.ask("POST", "/deposit/", { body, as }))).toEqual(["400", pointer]);
    const granted = new Map([[wallets.merchant.walletId, { mayPay: true }]]);
    const narrow = { ...as, memberId: "2", wallets: granted };
    const other = await postDeposit(api, wallets.enterprise, {}, { as: narrow });
    expect(faults(other)).toEqual(["400", pointer]);
    created(await postDeposit(api, wallets.merchant, {}, { as: narrow }));
  });

  it("rejects unknown and fiat currencies and currencies other than the wallet's", async () => {
    const pointer = ["400", "1007 /data/relationships/currency"];
    for (const currency of ["777777", "ETH", "840", "1000", "2015"]) {
      expect(await refused(wallets.enterprise, {}, currency)).toEqual(pointer);
    }
    for (const currency of ["777777", "ETH", "840"]) {
      expect(await refused(wallets.merchant, {}, currency)).toEqual(pointer);
    }
  });

  it("rejects deposits to NFT wallets", async () => {
    const nft = await arrangeWallet(world, { type: walletType.nft });
    expect(await refused(nft, {})).toEqual(["400", "1007 /data/relationships/wallet"]);
  });
});

describe("error rows with specific codes", () => {
  it.each([1, 2])("returns 3008 for a wallet with status %i", async (status) => {
    await database.sql("update wallet set status = $2 where id = $1", [
      wallets.merchant.walletId,
      status,
    ]);
    expect(await refused(wallets.merchant, {})).toEqual(["400", "3008 /data/relationships/wallet"]);
    expect(await refused(wallets.merchant, {}, "1002")).toEqual([
      "400",
      "3008 /data/relationships/wallet",
    ]);
  });

  it("returns 3021 while the wallet needs its activation transfer", async () => {
    const { walletId } = wallets.enterprise;
    await database.sql("update wallet set needs_activation = true where id = $1", [walletId]);
    expect(await refused(wallets.enterprise, {})).toEqual([
      "400",
      "3021 /data/relationships/wallet",
    ]);
  });

  it("returns 5005 when no address is available", async () => {
    await database.sql(
      "update address set keyspace = 'spent' || keyspace where deposit_id is null",
    );
    expect(await refused(wallets.enterprise, {})).toEqual(["400", "5005"]);
    expect(await refused(wallets.merchant, {}, "1000")).toEqual(["400", "5005"]);
    created(await postDeposit(api, wallets.merchant));
    await database.sql(
      "update address set keyspace = substr(keyspace, 6) where keyspace like 'spent%'",
    );
    created(await postDeposit(api, wallets.enterprise));
  });

  it("returns 5005 only after a short wait for the pool to be refilled", async () => {
    await database.sql("update address set keyspace = 'used up' where deposit_id is null");
    const patient = (addressPatienceMs: number) =>
      depositApi(world, { addressPatienceMs, clock: systemClock });
    const waiting = postDeposit(patient(30_000), wallets.enterprise);
    await systemClock.sleep(50);
    await fillPool(world, "evm", "", 1);
    created(await waiting);
    const answer = await postDeposit(patient(150), wallets.enterprise);
    expect(faults(answer)).toEqual(["400", "5005"]);
    expect(answer.headers["retry-after"]).toBe("2");
  });

  it("returns 5006 without a fresh rate", async () => {
    world.rates.clear();
    expect(await refused(wallets.merchant, {}, "1002")).toEqual(["400", "5006"]);
    created(await postDeposit(api, wallets.enterprise));
  });

  it("returns 5007 for address_type without a currency", async () => {
    expect(await refused(wallets.merchant, { address_type: "bech32" })).toEqual([
      "400",
      "5007 /data/attributes/address_type",
    ]);
  });

  const setState = (currency: string, column: string): Promise<unknown> =>
    database.sql(
      `insert into currency_state (currency, ${column}) values ($1, true)
      on conflict (currency) do update set is_disabled = excluded.is_disabled,
        is_unavailable = excluded.is_unavailable, is_unpaid = excluded.is_unpaid`,
      [currency],
    );

  it("returns 6002, 6015 and 6017 for disabled, unavailable and unpaid currencies", async () => {
    const wallet = await arrangeWallet(world, { currency: usdt });
    const pointer = "/data/relationships/currency";
    world.rates.set("2015 840", rateOf("1"));
    for (const [column, code] of [
      ["is_disabled", "6002"],
      ["is_unavailable", "6015"],
      ["is_unpaid", "6017"],
    ] as const) {
      await setState("2015", column);
      expect(await refused(wallet, {})).toEqual(["400", `${code} ${pointer}`]);
      expect(await refused(wallets.merchant, {}, "2015")).toEqual(["400", `${code} ${pointer}`]);
      created(await postDeposit(api, wallets.enterprise));
    }
    await database.sql("delete from currency_state");
    created(await postDeposit(api, wallet));
  });

  it("returns 6015 for currencies blocked for the account or on chains that are not followed", async () => {
    const pointer = "6015 /data/relationships/currency";
    const { accountId } = wallets.enterprise;
    await database.sql("insert into account_currency_block values ($1, '1002')", [accountId]);
    expect(await refused(wallets.enterprise, {})).toEqual(["400", pointer]);
    created(await postDeposit(api, await arrangeWallet(world)));
    expect(await refused(wallets.merchant, {}, "1019")).toEqual(["400", pointer]);
    expect(await refused(wallets.merchant, {}, "1010")).toEqual(["400", pointer]);
    // The currency's own error takes precedence over the wallet's currency.
    const other = await arrangeWallet(world);
    expect(await refused(other, {}, "1010")).toEqual(["400", pointer]);
  });

  it("returns the first row of the error table, and a specific code before 1007 on the same field", async () => {
    await database.sql("update wallet set status = 1, needs_activation = true where id = $1", [
      wallets.merchant.walletId,
    ]);
    const both = { address_type: "bech32" };
    expect(await refused(wallets.merchant, both)).toEqual([
      "400",
      "3008 /data/relationships/wallet",
    ]);
    expect(await refused(wallets.merchant, { ...both, inaccuracy: "1" })).toEqual([
      "400",
      "1007 /data/attributes/inaccuracy",
    ]);
  });
});

describe("several faults together", () => {
  const label = "x".repeat(33);
  it("reports unreadable, invalid and unknown values together, sorted by pointer", async () => {
    const attributes = {
      label,
      callback_url: "https://shop.example/ x",
      inaccuracy: "2",
      target_amount_requested: "1",
      travel_rule_info: {},
    };
    expect(await refused(wallets.merchant, attributes, "9999")).toEqual([
      "400",
      "1007 /data/attributes/callback_url",
      "1007 /data/attributes/inaccuracy",
      "1007 /data/attributes/label",
      "1007 /data/attributes/travel_rule_info/beneficiary",
      "1007 /data/relationships/currency",
    ]);
  });

  it.each(["999999999", "no wallet", "0"])(
    "reports unreadable and invalid values without the wallet %j",
    async (walletId) => {
      expect(await refused({ ...wallets.merchant, walletId }, { label }, "9999")).toEqual([
        "400",
        "1007 /data/attributes/label",
        "1007 /data/relationships/currency",
        "1007 /data/relationships/wallet",
      ]);
    },
  );

  it("reports no bound violation against an unreadable field", async () => {
    const attributes = { inaccuracy: "1", target_amount_requested: "much", address_type: "legacy" };
    expect(await refused(wallets.merchant, attributes, "1000")).toEqual([
      "400",
      "1007 /data/attributes/target_amount_requested",
    ]);
    expect(await refused(wallets.merchant, { address_type: "legacy" }, true)).toEqual([
      "400",
      "1007 /data/relationships/currency",
    ]);
  });

  it("returns 5007 before 1007 on the same field and after 1007 on another", async () => {
    const attributes = { address_type: "x".repeat(17) };
    expect(await refused(wallets.merchant, attributes)).toEqual([
      "400",
      "5007 /data/attributes/address_type",
    ]);
    expect(await refused(wallets.merchant, { ...attributes, label })).toEqual([
      "400",
      "1007 /data/attributes/label",
    ]);
  });

  it("returns permission errors before field errors", async () => {
    const as = {
      ...ownerOf(wallets.enterprise.accountId),
      memberId: "9",
      role: "read_only" as const,
    };
    const answer = await postDeposit(
      api,
      { ...wallets.enterprise, walletId: "0" },
      { label },
      { as },
    );
    expect(faults(answer)).toEqual(["403", "permission_denied"]);
  });
});

describe("permissions", () => {
  it("rejects requests without a token and Read only members", async () => {
    const before = await counts();
    const body = newDeposit(wallets.enterprise.walletId);
    expect(faults(await api.ask("POST", "/deposit/", { body, as: null }))).toEqual(["401", "2007"]);
    const reader = {
      ...ownerOf(wallets.enterprise.accountId),
      memberId: "9",
      role: "read_only" as const,
    };
    expect(faults(await postDeposit(api, wallets.enterprise, {}, { as: reader }))).toEqual([
      "403",
      "permission_denied",
    ]);
    expect(await counts()).toEqual(before);
  });

  it("returns 409 for another type and 403 for a client-generated id", async () => {
    const as = ownerOf(wallets.enterprise.accountId);
    const { data } = newDeposit(wallets.enterprise.walletId) as { data: JsonObject };
    const send = (more: JsonObject) =>
      api.ask("POST", "/deposit/", { as, body: { data: { ...data, ...more } } });
    expect(faults(await send({ type: "payout" }))).toEqual(["409", "conflict /data/type"]);
    expect(faults(await send({ id: "5" }))).toEqual(["403", "forbidden /data/id"]);
  });
});

describe("travel-rule data", () => {
  it("is rejected with a pointer to the exact member", async () => {
    const place = "/data/attributes/travel_rule_info/beneficiary/beneficiaryPersons";
    expect(await refused(wallets.enterprise, travelRule())).toEqual(["400", `1007 ${place}`]);
    expect(await refused(wallets.enterprise, travelRule({}))).toEqual(["400", `1007 ${place}/0`]);
    const nameless = {
      ...ada.naturalPerson,
      name: [{ nameIdentifier: [{ primaryIdentifier: "X" }] }],
    };
    expect(await refused(wallets.enterprise, travelRule(ada, { naturalPerson: nameless }))).toEqual(
      ["400", `1007 ${place}/1/naturalPerson/name/0/nameIdentifier/0/secondaryIdentifier`],
    );
  });
});
