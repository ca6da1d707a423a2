import { beforeEach, describe, expect, test } from "vitest";
import type { TestApi } from "../../../test/support/api-server.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  created,
  depositApi,
  newDeposit,
  postDeposit,
  testSeal,
} from "../../../test/support/deposit-api.ts";
import {
  arrangeWallet,
  btc,
  depositWorld,
  eth,
  fillPool,
  ownerOf,
  rateOf,
  usd,
  usdt,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import type { JsonObject, JsonValue } from "../../kernel/json.ts";
import { systemClock } from "../../kernel/system-clock.ts";
import { walletType } from "../../wallets/wallet.ts";

/*
 * `POST /deposit/` over the real server and database: what is made, and every row of the interface's "Create deposit"
 * table, each of which leaves the database as it was.
 */

const database = useDatabase();
const world = depositWorld(database);
const api: TestApi = depositApi(world);
let enterprise: Wallet;
let merchant: Wallet;
beforeEach(async () => {
  await fillPool(world, "evm", "", 20);
  for (const type of ["bech32", "p2sh-segwit", "legacy"]) await fillPool(world, "BTC", type, 20);
  world.rates.clear();
  world.rates.set("1002 840", rateOf("1999.99")).set("1000 840", rateOf("100000"));
  enterprise = await arrangeWallet(world);
  merchant = await arrangeWallet(world, {
    accountId: enterprise.accountId,
    ...{ type: walletType.merchant, currency: usd },
  });
});

async function counts() {
  const [row] = await database.sql(
    `select (select count(*) from deposit) as deposits, (select count(*) from event) as events,
       (select count(*) from address where deposit_id is not null or account_id is not null or issued_at is not null) as issued`,
  );
  return row;
}

/** The answer's faults, after it was shown that the request changed nothing. */
async function refused(wallet: Wallet, attributes: JsonObject, currency?: JsonValue) {
  const before = await counts();
  const answer = await postDeposit(
    api,
    wallet,
    attributes,
    currency === undefined ? {} : { currency },
  );
  expect(await counts()).toEqual(before);
  return faults(answer);
}

describe("a deposit of an Enterprise wallet", () => {
  test("needs nothing but the wallet, and has every attribute", async () => {
    const answer = await postDeposit(api, enterprise);
    const { id, attributes, relationships } = created(answer);
    expect(id).toMatch(/^[1-9]\d{0,7}$/);
    expect(answer.headers["location"]).toBe(`http://pay.example/deposit/${id}/`);
    const address = attributes["address"] as string;
    expect(address).toMatch(/^evmAddress\d+$/);
    expect(attributes).toEqual({
      ...{ status: 2, is_active: true, address, address_type: "" },
      ...{ label: null, tracking_id: null, confirmations_needed: null, time_limit: null },
      ...{ callback_url: null, inaccuracy: null, target_amount_requested: null },
      ...{ rate_requested: "1", rate_expired_at: null, invoice_updated_at: null },
      payment_page: expect.stringMatching(
        /^http:\/\/pay\.example\/pay\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ) as unknown,
      target_paid: "0.000000000000000000",
      source_amount_requested: null,
      target_paid_pending: "0.000000000000000000",
      assets: {},
      destination: { address_type: null, address },
      ...{ payment_page_redirect_url: null, payment_page_button_text: null },
      created_at: "2026-01-02T03:04:05.678901Z",
    });
    expect(relationships).toEqual({
      currency: { data: { type: "currency", id: "1002" } },
      wallet: { data: { type: "wallet", id: enterprise.walletId } },
    });
    const [issued] = await database.sql("select * from address where address = $1", [address]);
    expect(issued).toMatchObject({
      ...{ account_id: enterprise.accountId, wallet_id: enterprise.walletId, deposit_id: id },
      issued_at: world.clock.now(),
    });
    const read = await api.ask("GET", `/deposit/${id}`, { as: ownerOf(enterprise.accountId) });
    expect(read.one).toEqual(answer.one);
  });

  test("keeps what was given, whole", async () => {
    const attributes = {
      label: "Ünïcødé ☂ label".padEnd(32, "x"),
      tracking_id: "t".repeat(128),
      confirmations_needed: 100,
      callback_url: `https://shop.example/${"p".repeat(235)}`,
      payment_page_redirect_url: "http://shop.example/thanks?order=5",
      payment_page_button_text: "Back to the shop",
    };
    const answer = created(await postDeposit(api, enterprise, attributes, { currency: "1002" }));
    expect(answer.attributes).toMatchObject(attributes);
  });

  test("takes an empty text or null as not given, numbers as ids, and ignores what it does not know", async () => {
    const nothing = { label: "", tracking_id: "", callback_url: "", confirmations_needed: null };
    const answer = await api.ask("POST", "/deposit", {
      as: ownerOf(enterprise.accountId),
      body: newDeposit(Number(enterprise.walletId), { ...nothing, colour: "red", status: 4 }, 1002),
    });
    expect(created(answer).attributes).toMatchObject({
      ...{ label: null, tracking_id: null, callback_url: null, confirmations_needed: null },
      status: 2,
    });
    expect(
      created(await postDeposit(api, enterprise, {}, { currency: null })).attributes,
    ).toMatchObject({
      rate_requested: "1",
    });
  });

  test.each([
    { given: undefined, type: "bech32" },
    { given: "bech32", type: "bech32" },
    { given: "p2sh-segwit", type: "p2sh-segwit" },
    { given: "legacy", type: "legacy" },
  ])("of bitcoin with address_type $given has a $type address", async ({ given, type }) => {
    const wallet = await arrangeWallet(world, { currency: btc });
    const attributes = given === undefined ? {} : { address_type: given };
    const { address, address_type, destination } = created(
      await postDeposit(api, wallet, attributes, { currency: "1000" }),
    ).attributes;
    expect(address_type).toBe(type);
    expect(address).toContain(`BTCAddress${type}`);
    expect(destination).toEqual({ address_type: type, address });
  });

  test.each([walletType.custody, walletType.swap])(
    "is made for wallets of type %i too",
    async (type) => {
      const wallet = await arrangeWallet(world, { type, currency: usdt });
      const { relationships } = created(await postDeposit(api, wallet));
      expect(relationships["currency"]).toEqual({ data: { type: "currency", id: "2015" } });
    },
  );
});

describe("a deposit of a Merchant wallet", () => {
  const invoice = { target_amount_requested: "100.00", inaccuracy: "1.50", time_limit: 600 };

  test("with a requested amount locks the rate, and rounds what is to be paid up", async () => {
    const { attributes } = created(await postDeposit(api, merchant, invoice, { currency: "1002" }));
    expect(attributes).toMatchObject({
      ...{ target_amount_requested: "100.00", inaccuracy: "1.50", time_limit: 600 },
      ...{ rate_requested: "1999.99", rate_expired_at: "2026-01-02T03:19:05.678901Z" },
      source_amount_requested: "0.050000250001250007",
      invoice_updated_at: "2026-01-02T03:04:05.678901Z",
      ...{ target_paid: "0.00", target_paid_pending: "0.00" },
    });
  });

  test("in bitcoin rounds up to the satoshi", async () => {
    world.rates.set("1000 840", rateOf("99999.99"));
    const { attributes } = created(await postDeposit(api, merchant, invoice, { currency: "1000" }));
    expect(attributes["source_amount_requested"]).toBe("0.00100001");
  });

  test("in the wallet's own currency has the rate 1 and asks for just the amount", async () => {
    const wallet = await arrangeWallet(world, { type: walletType.merchant, currency: eth });
    const { attributes } = created(
      await postDeposit(api, wallet, { target_amount_requested: "1.5" }, { currency: "1002" }),
    );
    expect(attributes).toMatchObject({
      ...{ rate_requested: "1", rate_expired_at: null },
      source_amount_requested: "1.500000000000000000",
    });
  });

  test("without a currency has no address, no rate and no amount to pay until the payer chooses", async () => {
    world.rates.clear();
    const { attributes, relationships } = created(await postDeposit(api, merchant, invoice));
    expect(attributes).toMatchObject({
      ...{ address: null, address_type: "", destination: null },
      ...{ rate_requested: null, rate_expired_at: null, source_amount_requested: null },
      target_amount_requested: "100.00",
    });
    expect(relationships["currency"]).toEqual({ data: null });
  });

  test("without a requested amount shows the rate of the moment", async () => {
    const { attributes } = created(await postDeposit(api, merchant, {}, { currency: "1002" }));
    expect(attributes).toMatchObject({
      ...{ rate_requested: "1999.99", rate_expired_at: "2026-01-02T03:04:35.678901Z" },
      ...{ source_amount_requested: null, invoice_updated_at: null },
    });
  });

  test("takes decimals as JSON numbers by their own digits", async () => {
    const owner = ownerOf(merchant.accountId);
    const text = JSON.stringify(newDeposit(merchant.walletId, { inaccuracy: "@" }));
    const send = (amount: string, inaccuracy: string) =>
      api.ask("POST", "/deposit/", {
        as: owner,
        body: text.replace('"@"', `${inaccuracy},"target_amount_requested":${amount}`),
      });
    expect(created(await send("100.10", "1e-2")).attributes).toMatchObject({
      ...{ target_amount_requested: "100.10", inaccuracy: "0.01" },
    });
    expect(created(await send("90071992547409931.25", "0")).attributes).toMatchObject({
      ...{ target_amount_requested: "90071992547409931.25", inaccuracy: "0.00" },
    });
    expect(faults(await send("100.101", "0"))).toEqual([
      "400",
      "1007 /data/attributes/target_amount_requested",
    ]);
  });
});

describe("400/1007, with a pointer to the field", () => {
  const at = (field: string): readonly string[] => ["400", `1007 /data/attributes/${field}`];

  test.each<[string, JsonObject]>([
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
    ["address_type", { address_type: "bech32" }],
    ["address_type", { address_type: "x".repeat(17) }],
    ["time_limit", { time_limit: 600 }],
    ["target_amount_requested", { target_amount_requested: "1" }],
    ["inaccuracy", { inaccuracy: "1" }],
    ["help_email", { help_email: "x".repeat(65) }],
  ])("%s: %j", async (field, attributes) => {
    expect(await refused(enterprise, attributes)).toEqual(at(field));
  });

  test.each<[string, JsonObject]>([
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
  ])("of a Merchant deposit, %s: %j", async (field, attributes) => {
    expect(await refused(merchant, attributes, "1002")).toEqual(at(field));
  });

  test("the bounds themselves are allowed", async () => {
    for (const time_limit of [59, 2_592_000]) {
      created(await postDeposit(api, merchant, { time_limit }));
    }
    for (const confirmations_needed of [0, 100]) {
      created(await postDeposit(api, enterprise, { confirmations_needed }));
    }
    const exact = { target_amount_requested: "1.00", inaccuracy: "0.99" };
    created(await postDeposit(api, merchant, exact));
    created(await postDeposit(api, merchant, { ...exact, inaccuracy: "0" }));
  });

  test("several at once, sorted by pointer", async () => {
    const attributes = { label: "x".repeat(33), confirmations_needed: 101, time_limit: 1 };
    expect(await refused(merchant, attributes)).toEqual([
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
    expect(await refused(merchant, twice)).toEqual([
      "400",
      ...["callback_url", "target_amount_requested"].map(
        (field) => `1007 /data/attributes/${field}`,
      ),
    ]);
  });

  test("a wallet that is missing, unknown, another account's or not granted: one answer for all", async () => {
    const pointer = "1007 /data/relationships/wallet";
    const stranger = await arrangeWallet(world);
    for (const walletId of [stranger.walletId, "999999999", "0", "-1", "abc", "1e3", ""]) {
      expect(await refused({ ...enterprise, walletId }, {})).toEqual(["400", pointer]);
    }
    const body = { data: { type: "deposit", attributes: {} } };
    const as = ownerOf(enterprise.accountId);
    expect(faults(await api.ask("POST", "/deposit/", { body, as }))).toEqual(["400", pointer]);
    const wallets = new Map([[merchant.walletId, { mayPay: true }]]);
    const narrow = { ...as, memberId: "2", wallets };
    const other = await postDeposit(api, enterprise, {}, { as: narrow });
    expect(faults(other)).toEqual(["400", pointer]);
    created(await postDeposit(api, merchant, {}, { as: narrow }));
  });

  test("a currency that is none, is fiat, or is not the wallet's", async () => {
    const pointer = ["400", "1007 /data/relationships/currency"];
    for (const currency of ["777777", "ETH", "840", "1000", "2015"]) {
      expect(await refused(enterprise, {}, currency)).toEqual(pointer);
    }
    for (const currency of ["777777", "ETH", "840"]) {
      expect(await refused(merchant, {}, currency)).toEqual(pointer);
    }
  });

  test("an NFT wallet takes no deposits", async () => {
    const nft = await arrangeWallet(world, { type: walletType.nft });
    expect(await refused(nft, {})).toEqual(["400", "1007 /data/relationships/wallet"]);
  });
});

describe("the rows with codes of their own", () => {
  test.each([1, 2])("3008: a wallet of status %i", async (status) => {
    await database.sql("update wallet set status = $2 where id = $1", [merchant.walletId, status]);
    expect(await refused(merchant, {})).toEqual(["400", "3008 /data/relationships/wallet"]);
    expect(await refused(merchant, {}, "1002")).toEqual(["400", "3008 /data/relationships/wallet"]);
  });

  test("3021: the wallet's activation transfer is to be made", async () => {
    const { walletId } = enterprise;
    await database.sql("update wallet set needs_activation = true where id = $1", [walletId]);
    expect(await refused(enterprise, {})).toEqual(["400", "3021 /data/relationships/wallet"]);
  });

  test("5005: no address is ready", async () => {
    await database.sql(
      "update address set keyspace = 'spent' || keyspace where deposit_id is null",
    );
    expect(await refused(enterprise, {})).toEqual(["400", "5005"]);
    expect(await refused(merchant, {}, "1000")).toEqual(["400", "5005"]);
    created(await postDeposit(api, merchant));
    await database.sql(
      "update address set keyspace = substr(keyspace, 6) where keyspace like 'spent%'",
    );
    created(await postDeposit(api, enterprise));
  });

  test("5005 comes only after a short wait, in which the pool may be refilled", async () => {
    await database.sql("update address set keyspace = 'used up' where deposit_id is null");
    const patient = (addressPatienceMs: number) =>
      depositApi(world, { addressPatienceMs, clock: systemClock });
    const waiting = postDeposit(patient(30_000), enterprise);
    await systemClock.sleep(50);
    await fillPool(world, "evm", "", 1);
    created(await waiting);
    expect(faults(await postDeposit(patient(150), enterprise))).toEqual(["400", "5005"]);
  });

  test("5006: there is no fresh rate", async () => {
    world.rates.clear();
    expect(await refused(merchant, {}, "1002")).toEqual(["400", "5006"]);
    created(await postDeposit(api, enterprise));
  });

  test("5007: address_type without a currency", async () => {
    expect(await refused(merchant, { address_type: "bech32" })).toEqual([
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

  test("6002, 6015, 6017: disabled, unavailable, not paid for", async () => {
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
      expect(await refused(merchant, {}, "2015")).toEqual(["400", `${code} ${pointer}`]);
      created(await postDeposit(api, enterprise));
    }
    await database.sql("delete from currency_state");
    created(await postDeposit(api, wallet));
  });

  test("6015: blocked for this account only, or of a chain that is not followed here", async () => {
    const pointer = "6015 /data/relationships/currency";
    const { accountId } = enterprise;
    await database.sql("insert into account_currency_block values ($1, '1002')", [accountId]);
    expect(await refused(enterprise, {})).toEqual(["400", pointer]);
    created(await postDeposit(api, await arrangeWallet(world)));
    expect(await refused(merchant, {}, "1019")).toEqual(["400", pointer]);
    expect(await refused(merchant, {}, "1010")).toEqual(["400", pointer]);
    // Its own code comes before that the wallet takes another currency.
    const other = await arrangeWallet(world);
    expect(await refused(other, {}, "1010")).toEqual(["400", pointer]);
  });

  test("of several rows the first of the table, but a code of its own before 1007 on the same field", async () => {
    await database.sql("update wallet set status = 1, needs_activation = true where id = $1", [
      merchant.walletId,
    ]);
    const both = { address_type: "bech32" };
    expect(await refused(merchant, both)).toEqual(["400", "3008 /data/relationships/wallet"]);
    expect(await refused(merchant, { ...both, inaccuracy: "1" })).toEqual([
      "400",
      "1007 /data/attributes/inaccuracy",
    ]);
  });
});

describe("several faults together", () => {
  const label = "x".repeat(33);
  test("what cannot be read, what is not allowed and what does not exist, sorted by pointer", async () => {
    const attributes = {
      ...{ label, callback_url: "https://shop.example/ x", inaccuracy: "2" },
      ...{ target_amount_requested: "1", travel_rule_info: {} },
    };
    expect(await refused(merchant, attributes, "9999")).toEqual([
      "400",
      "1007 /data/attributes/callback_url",
      "1007 /data/attributes/inaccuracy",
      "1007 /data/attributes/label",
      "1007 /data/attributes/travel_rule_info/beneficiary",
      "1007 /data/relationships/currency",
    ]);
  });

  test.each(["999999999", "no wallet", "0"])(
    "also when there is no wallet %j",
    async (walletId) => {
      expect(await refused({ ...merchant, walletId }, { label }, "9999")).toEqual([
        "400",
        "1007 /data/attributes/label",
        "1007 /data/relationships/currency",
        "1007 /data/relationships/wallet",
      ]);
    },
  );

  test("nothing is said of a field that another one bounds and that could not be read", async () => {
    const attributes = { inaccuracy: "1", target_amount_requested: "much", address_type: "legacy" };
    expect(await refused(merchant, attributes, "1000")).toEqual([
      "400",
      "1007 /data/attributes/target_amount_requested",
    ]);
    expect(await refused(merchant, { address_type: "legacy" }, true)).toEqual([
      "400",
      "1007 /data/relationships/currency",
    ]);
  });

  test("5007 comes before 1007 of the same field, and after 1007 of another", async () => {
    const attributes = { address_type: "x".repeat(17) };
    expect(await refused(merchant, attributes)).toEqual([
      "400",
      "5007 /data/attributes/address_type",
    ]);
    expect(await refused(merchant, { ...attributes, label })).toEqual([
      "400",
      "1007 /data/attributes/label",
    ]);
  });

  test("who may not create is told so, whatever is wrong", async () => {
    const as = { ...ownerOf(enterprise.accountId), memberId: "9", role: "read_only" as const };
    const answer = await postDeposit(api, { ...enterprise, walletId: "0" }, { label }, { as });
    expect(faults(answer)).toEqual(["403", "permission_denied"]);
  });
});

describe("who may create", () => {
  test("nobody without a token, no Read only user", async () => {
    const before = await counts();
    const body = newDeposit(enterprise.walletId);
    expect(faults(await api.ask("POST", "/deposit/", { body, as: null }))).toEqual(["401", "2007"]);
    const reader = { ...ownerOf(enterprise.accountId), memberId: "9", role: "read_only" as const };
    expect(faults(await postDeposit(api, enterprise, {}, { as: reader }))).toEqual([
      "403",
      "permission_denied",
    ]);
    expect(await counts()).toEqual(before);
  });

  test("another type is 409, an id of the client's 403", async () => {
    const as = ownerOf(enterprise.accountId);
    const { data } = newDeposit(enterprise.walletId) as { data: JsonObject };
    const send = (more: JsonObject) =>
      api.ask("POST", "/deposit/", { as, body: { data: { ...data, ...more } } });
    expect(faults(await send({ type: "payout" }))).toEqual(["409", "conflict /data/type"]);
    expect(faults(await send({ id: "5" }))).toEqual(["403", "forbidden /data/id"]);
  });
});

describe("travel-rule data", () => {
  const person = {
    naturalPerson: {
      name: { nameIdentifier: [{ primaryIdentifier: "Lovelace", secondaryIdentifier: "Ada" }] },
      geographicAddress: [
        { country: "gb", addressLine: "12 St James's Square", addressType: "HOME" },
      ],
    },
  };
  const info = (...beneficiaryPersons: JsonValue[]): JsonObject => ({
    travel_rule_info: { beneficiary: { beneficiaryPersons } },
  });

  test("is kept sealed, and shown to nobody here", async () => {
    const answer = await postDeposit(api, enterprise, info(person));
    const { id, attributes } = created(answer);
    expect(answer.text).not.toContain("Lovelace");
    const [row] = await database.sql<{ sealed: Uint8Array }>(
      "select travel_rule_sealed as sealed from deposit where id = $1",
      [id],
    );
    expect(Buffer.from(row!.sealed).toString("latin1")).not.toContain("Lovelace");
    const page = (attributes["payment_page"] as string).split("/").at(-1)!;
    const opened = testSeal.open(row!.sealed, `deposit/${page}/travel-rule`);
    expect(JSON.parse(new TextDecoder().decode(opened))).toEqual({
      beneficiary: {
        beneficiaryPersons: [
          {
            naturalPerson: {
              name: [
                { nameIdentifier: [{ primaryIdentifier: "Lovelace", secondaryIdentifier: "Ada" }] },
              ],
              geographicAddress: [
                { country: "GB", addressLine: ["12 St James's Square"], addressType: "HOME" },
              ],
            },
          },
        ],
      },
    });
  });

  test("is refused with a pointer to the very member", async () => {
    const place = "/data/attributes/travel_rule_info/beneficiary/beneficiaryPersons";
    expect(await refused(enterprise, info())).toEqual(["400", `1007 ${place}`]);
    expect(await refused(enterprise, info({}))).toEqual(["400", `1007 ${place}/0`]);
    const nameless = {
      ...person.naturalPerson,
      name: [{ nameIdentifier: [{ primaryIdentifier: "X" }] }],
    };
    expect(await refused(enterprise, info(person, { naturalPerson: nameless }))).toEqual([
      "400",
      `1007 ${place}/1/naturalPerson/name/0/nameIdentifier/0/secondaryIdentifier`,
    ]);
  });
});
