import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Principal } from "../../../src/accounts/principal.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { created } from "../../../test/support/deposit-api.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  btc,
  depositWorld,
  fillPool,
  ownerOf,
  rateOf,
  usd,
  usdt,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import {
  bitcoinPayee,
  currencyIs,
  fairFee,
  fund,
  type Members,
  type PostOptions,
  payoutWorld,
  postPayout,
  refusedPayout,
  stopPayouts,
} from "../../../test/support/payout-world.ts";
import type { JsonObject, JsonValue } from "../../kernel/json.ts";
import type { CurrencyId } from "../../kernel/money.ts";
import { systemRandom } from "../../kernel/system-random.ts";
import { Unavailable } from "../../kernel/unavailable.ts";
import { walletType } from "../../wallets/wallet.ts";

/*
 * Every row of the interface's "Create payout" over the real server and database: status, code and place, and that the
 * refused request changed nothing, its key included.
 */

const database = useDatabase();
const world = depositWorld(database);
const payouts = payoutWorld(world);
const matic = "1146" as CurrencyId;
const dai = "2068" as CurrencyId;
const attribute = (name: string): string => `/data/attributes/${name}`;
const walletPointer = "/data/relationships/wallet";
const currencyPointer = "/data/relationships/currency";

let ether: Wallet;
let bitcoin: Wallet;
let tether: Wallet;
let merchant: Wallet;
let stranger: Wallet;
beforeAll(async () => {
  ether = await arrangeWallet(world);
  const { accountId } = ether;
  bitcoin = await arrangeWallet(world, { accountId, currency: btc });
  tether = await arrangeWallet(world, { accountId, currency: usdt });
  merchant = await arrangeWallet(world, {
    ...{ accountId, type: walletType.merchant, currency: usd },
  });
  stranger = await arrangeWallet(world);
  for (const wallet of [ether, bitcoin, tether, stranger]) await fund(world, wallet, "10");
  await fund(world, merchant, "10000");
});
beforeEach(() => {
  payouts.fees.answer = fairFee;
  world.rates.clear();
  world.rates.set("1002 840", rateOf("2000"));
});

const refused = (wallet: Wallet, options: PostOptions = {}) =>
  refusedPayout(payouts, wallet, options);
const withAttributes = (wallet: Wallet, attributes: Members) => refused(wallet, { attributes });
const bitcoinPayout = (attributes: Members = {}): PostOptions => ({
  attributes: { amount: "1", fee_amount: "0.000002", address: bitcoinPayee, ...attributes },
  relationships: currencyIs(btc),
});
const tetherPayout = (attributes: Members = {}): PostOptions => ({
  attributes: { amount: "1", ...attributes },
  relationships: currencyIs(usdt),
});

describe("1007: invalid value", () => {
  test.each<[string, Members]>([
    ["amount", { amount: undefined }],
    ["amount", { amount: "" }],
    ["amount", { amount: "much" }],
    ["amount", { amount: "0.1000000000000000001" }],
    ["amount", { amount: "1".repeat(37) }],
    ["amount", { amount: ["1"] }],
    ["fee_amount", { fee_amount: undefined }],
    ["fee_amount", { fee_amount: "" }],
    ["fee_amount", { fee_amount: "little" }],
    ["fee_amount", { fee_amount: "-1" }],
    ["fee_amount", { fee_amount: "0.0000000000000000001" }],
    ["fee_amount", { fee_amount: "1".repeat(37) }],
    ["address", { address: undefined }],
    ["address", { address: "" }],
    ["address", { address: null }],
    ["address", { address: "x".repeat(129) }],
    ["address", { address: ["0x"] }],
    ["label", { label: "x".repeat(33) }],
    ["label", { label: "\u0000" }],
    ["tracking_id", { tracking_id: "x".repeat(129) }],
    ["confirmations_needed", { confirmations_needed: -1 }],
    ["confirmations_needed", { confirmations_needed: 101 }],
    ["confirmations_needed", { confirmations_needed: "some" }],
    ["callback_url", { callback_url: "shop.example" }],
    ["callback_url", { callback_url: "http://shop.example/" }],
    ["callback_url", { callback_url: "https://127.0.0.1/" }],
    ["callback_url", { callback_url: `https://shop.example/${"p".repeat(236)}` }],
    ["is_fee_included", { is_fee_included: "maybe" }],
    ["force_blockchain", { force_blockchain: true }],
    ["tag", { tag: "7" }],
    ["tag", { tag: "x".repeat(65) }],
    ["tag_type", { tag_type: "0" }],
    ["tag_type", { tag_type: "1".repeat(65) }],
    ["target_deposit", { address: undefined, target_deposit: "nobody" }],
    [
      "target_deposit",
      { address: undefined, target_deposit: "8e03978e-40d5-43e8-bc93-6894a57f9324" },
    ],
    ["target_deposit", { target_deposit: "8e03978e-40d5-43e8-bc93-6894a57f9324" }],
    ["target_wallet", { target_wallet: "1" }],
    ["target_wallet", { address: undefined, target_wallet: "nobody" }],
    ["target_wallet", { address: undefined, target_wallet: "999999999" }],
    ["travel_rule_info", { travel_rule_info: undefined }],
    ["travel_rule_info", { travel_rule_info: null }],
    ["travel_rule_info", { travel_rule_info: "me" }],
  ])("%s: %j", async (field, attributes) => {
    expect(await withAttributes(ether, attributes)).toEqual(["400", `1007 ${attribute(field)}`]);
  });

  const persons = `${attribute("travel_rule_info")}/beneficiary/beneficiaryPersons`;
  const natural = (members: JsonObject): JsonObject => ({
    beneficiary: {
      beneficiaryPersons: [
        {
          naturalPerson: {
            name: [{ nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] }],
            geographicAddress: [
              { country: "DE", addressLine: ["Unter den Linden 1"], addressType: "HOME" },
            ],
            ...members,
          },
        },
      ],
    },
  });
  test.each<[string, JsonValue]>([
    [`${attribute("travel_rule_info")}/beneficiary`, {}],
    [persons, { beneficiary: { beneficiaryPersons: [] } }],
    [`${persons}/0`, { beneficiary: { beneficiaryPersons: [{}] } }],
    [`${persons}/0/naturalPerson/name`, natural({ name: [] })],
    [
      `${persons}/0/naturalPerson/name/0/nameIdentifier/0/secondaryIdentifier`,
      natural({ name: [{ nameIdentifier: [{ primaryIdentifier: "Doe" }] }] }),
    ],
    [`${persons}/0/naturalPerson/geographicAddress`, natural({ geographicAddress: [] })],
    [
      `${persons}/0/naturalPerson/geographicAddress/0/country`,
      natural({
        geographicAddress: [{ country: "QQ", addressLine: ["1"], addressType: "HOME" }],
      }),
    ],
    [
      `${persons}/0/naturalPerson/geographicAddress/0/addressType`,
      natural({ geographicAddress: [{ addressLine: ["1"], addressType: "CAVE" }] }),
    ],
  ])("travel_rule_info at the very member: %s", async (pointer, travel_rule_info) => {
    expect(await withAttributes(ether, { travel_rule_info })).toEqual(["400", `1007 ${pointer}`]);
  });

  test("a wallet that is missing, unknown, another account's or not granted: one answer for all", async () => {
    for (const walletId of [stranger.walletId, "999999999", "0", "-1", "abc", "1e3", ""]) {
      expect(await refused({ ...ether, walletId })).toEqual(["400", `1007 ${walletPointer}`]);
    }
    expect(await refused(ether, { relationships: { wallet: undefined } })).toEqual([
      "400",
      `1007 ${walletPointer}`,
    ]);
    const as = { ...ownerOf(ether.accountId), memberId: "9", wallets: new Map() };
    expect(await refused(ether, { as })).toEqual(["400", `1007 ${walletPointer}`]);
  });

  test("a currency that is missing, none, fiat, or not the wallet's", async () => {
    for (const currency of ["777777", "ETH", "840", "1000"]) {
      expect(await refused(ether, { relationships: currencyIs(currency) })).toEqual([
        "400",
        `1007 ${currencyPointer}`,
      ]);
    }
    expect(await refused(ether, { relationships: { currency: undefined } })).toEqual([
      "400",
      `1007 ${currencyPointer}`,
    ]);
    const swap = await arrangeWallet(world, {
      ...{ accountId: ether.accountId, type: walletType.swap, currency: usdt },
    });
    expect(await refused(swap)).toEqual(["400", `1007 ${currencyPointer}`]);
  });

  test("a target wallet is named where it was given, and is one of the account that the caller may view", async () => {
    const relationships = { target_wallet: { data: { type: "wallet", id: stranger.walletId } } };
    expect(await refused(ether, { attributes: { address: undefined }, relationships })).toEqual([
      "400",
      "1007 /data/relationships/target_wallet",
    ]);
    const as: Principal = {
      ...{ ...ownerOf(ether.accountId), memberId: "9" },
      wallets: new Map([[ether.walletId, { mayPay: true }]]),
    };
    const attributes = { address: undefined, target_wallet: merchant.walletId };
    expect(await refused(ether, { as, attributes })).toEqual([
      "400",
      `1007 ${attribute("target_wallet")}`,
    ]);
  });

  test("a target wallet that its attribute and its relationship name differently: nobody guesses where the money goes", async () => {
    const relationships = { target_wallet: { data: { type: "wallet", id: merchant.walletId } } };
    const attributes = { address: undefined, target_wallet: ether.walletId };
    expect(await refused(ether, { attributes, relationships })).toEqual([
      "400",
      `1007 ${attribute("target_wallet")}`,
    ]);
  });

  test("a target wallet that does not take the currency, is not active or is for NFTs; and never on the chain", async () => {
    const { accountId } = ether;
    const nft = await arrangeWallet(world, { accountId, type: walletType.nft });
    const asleep = await arrangeWallet(world, { accountId });
    await database.sql("update wallet set status = 1 where id = $1", [asleep.walletId]);
    for (const target of [bitcoin, nft, asleep]) {
      const attributes = { address: undefined, target_wallet: target.walletId };
      expect(await withAttributes(ether, attributes)).toEqual([
        "400",
        `1007 ${attribute("target_wallet")}`,
      ]);
    }
    const attributes = {
      ...{ address: undefined, target_wallet: ether.walletId, force_blockchain: true },
    };
    expect(await withAttributes(merchant, attributes)).toEqual([
      "400",
      `1007 ${attribute("force_blockchain")}`,
    ]);
  });

  test("a target deposit that is paid in another currency, or in none yet", async () => {
    const other = await arrangeDeposit(world, bitcoin);
    const open = await arrangeDeposit(world, merchant, { currency: btc });
    await database.sql("update deposit set currency = null, address = null where id = $1", [
      open.id,
    ]);
    for (const { paymentPageId } of [other, open]) {
      const attributes = { address: undefined, target_deposit: paymentPageId };
      expect(await withAttributes(ether, attributes)).toEqual([
        "400",
        `1007 ${attribute("target_deposit")}`,
      ]);
    }
  });

  test("several at once, sorted by pointer, those of the document with those of its values", async () => {
    const attributes = {
      ...{ label: "x".repeat(33), amount: "0.1000000000000000001", tag: "1" },
      ...{ travel_rule_info: {}, callback_url: "https://10.0.0.1/" },
    };
    expect(await withAttributes(ether, attributes)).toEqual([
      "400",
      ...["amount", "callback_url", "label", "tag", "travel_rule_info/beneficiary"].map(
        (field) => `1007 ${attribute(field)}`,
      ),
    ]);
    const nothing = { data: { type: "payout", attributes: {} } };
    const headers = { "idempotency-key": systemRandom.uuid() };
    const answer = await payouts.api.ask("POST", "/payout/", {
      ...{ body: nothing, headers, as: ownerOf(ether.accountId) },
    });
    expect(faults(answer)).toEqual([
      "400",
      ...["address", "amount", "travel_rule_info"].map((field) => `1007 ${attribute(field)}`),
      ...[`1007 ${currencyPointer}`, `1007 ${walletPointer}`],
    ]);
  });
});

describe("rows of the wallet", () => {
  test.each([1, 2])("3008: a wallet of status %i", async (status) => {
    const wallet = await arrangeWallet(world);
    await database.sql("update wallet set status = $2 where id = $1", [wallet.walletId, status]);
    await fund(world, wallet, "1");
    expect(await refused(wallet)).toEqual(["400", `3008 ${walletPointer}`]);
  });

  test("3021: a wallet that waits for its activation transfer", async () => {
    const wallet = await arrangeWallet(world);
    await database.sql("update wallet set needs_activation = true where id = $1", [
      wallet.walletId,
    ]);
    await fund(world, wallet, "1");
    expect(await refused(wallet)).toEqual(["400", `3021 ${walletPointer}`]);
  });

  test.each([walletType.custody, walletType.nft])("3022: a wallet of type %i", async (type) => {
    const wallet = await arrangeWallet(world, { type });
    await fund(world, wallet, "1");
    expect(await refused(wallet)).toEqual(["400", `3022 ${walletPointer}`]);
  });

  test("4002: a wallet that the caller may view but not pay from; 403 for the Read only role", async () => {
    const granted = new Map([[ether.walletId, { mayPay: false }]]);
    const as: Principal = { ...ownerOf(ether.accountId), memberId: "9", wallets: granted };
    expect(await refused(ether, { as })).toEqual(["400", `4002 ${walletPointer}`]);
    const reader: Principal = { ...as, role: "read_only", wallets: "all" };
    expect(await refused(ether, { as: reader })).toEqual(["403", "permission_denied"]);
  });

  test("3019: payouts blocked for the wallet, stopped altogether or on the chain, or of an account that is not ready", async () => {
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "1");
    await database.sql("update wallet set payouts_blocked = true where id = $1", [wallet.walletId]);
    expect(await refused(wallet)).toEqual(["403", `3019 ${walletPointer}`]);
    const as: Principal = { ...ownerOf(ether.accountId), memberId: "9", accountIsReady: false };
    expect(await refused(ether, { as })).toEqual(["403", `3019 ${walletPointer}`]);
    for (const scope of ["all", "chain/ETH"]) {
      await stop(scope, false);
      expect(await refused(ether)).toEqual(["403", "3019"]);
      await resume();
    }
    await stop("chain/BTC", false);
    created(await postPayout(payouts, ether));
    await resume();
  });
});

const stop = (scope: string, byReconciliation: boolean) =>
  stopPayouts(database, scope, byReconciliation);
const resume = () => database.sql("delete from payout_stop");

describe("rows of the receiver", () => {
  test("7001: what is no address of the chain, or is of another", async () => {
    const addresses = [
      ...["nobody", bitcoinPayee, "0x8ba1f109551bd432803012645ac136ddd64dba7"],
      ...[
        "0x8Ba1f109551bD432803012645Ac136ddd64DBA72",
        "0x0000000000000000000000000000000000000000",
      ],
    ];
    for (const address of addresses) {
      expect(await withAttributes(ether, { address })).toEqual([
        "400",
        `7001 ${attribute("address")}`,
      ]);
    }
  });

  test("7001: an address of ours that nobody is credited for: in the pool, or the operator's own", async () => {
    await fillPool(world, "evm", "", 1);
    const [pooled] = await database.sql<{ address: string }>(
      "select address from address where deposit_id is null and keyspace = 'evm'",
    );
    await database.sql(
      `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, created_at)
       values ('evm', '0x00000000000000000000000000000000000abcde', '', '', 'hot', 0, '2026-01-01Z')`,
    );
    for (const address of [pooled!.address, "0x00000000000000000000000000000000000abcde"]) {
      expect(await withAttributes(ether, { address })).toEqual([
        "400",
        `7001 ${attribute("address")}`,
      ]);
    }
  });

  test("7001: an address outside the book of an account that pays to its book only", async () => {
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "1");
    await database.sql("update account set pays_book_only = true where id = $1", [
      wallet.accountId,
    ]);
    expect(await refused(wallet)).toEqual(["400", `7001 ${attribute("address")}`]);
    await database.sql(
      `insert into address_book (account_id, chain, address, created_at)
       values ($1::bigint, 'BTC', '0x8ba1f109551bD432803012645Ac136ddd64DBA72', '2026-01-01Z'),
         ($2::bigint, 'ETH', '0x8ba1f109551bD432803012645Ac136ddd64DBA72', '2026-01-01Z')`,
      [wallet.accountId, stranger.accountId],
    );
    expect(await refused(wallet)).toEqual(["400", `7001 ${attribute("address")}`]);
    await database.sql("update address_book set chain = 'ETH' where account_id = $1", [
      wallet.accountId,
    ]);
    created(await postPayout(payouts, wallet));
  });

  test("4007: an address, deposit or the id of the paying wallet itself, on a chain outside the list", async () => {
    const wallet = await arrangeWallet(world, { currency: matic });
    await fund(world, wallet, "1");
    await fillPool(world, "evm", "", 1);
    const own = await arrangeDeposit(world, { ...wallet, currency: ether.currency });
    await database.sql("update deposit set currency = '1146', chain = 'MATIC' where id = $1", [
      own.id,
    ]);
    const pay = (attributes: Members) =>
      refused(wallet, { attributes, relationships: currencyIs(matic) });
    expect(await pay({ address: own.address })).toEqual(["400", `4007 ${attribute("address")}`]);
    expect(await pay({ address: undefined, target_deposit: own.paymentPageId })).toEqual([
      "400",
      `4007 ${attribute("target_deposit")}`,
    ]);
    expect(await pay({ address: undefined, target_wallet: wallet.walletId })).toEqual([
      "400",
      `4007 ${attribute("target_wallet")}`,
    ]);
  });
});

describe("rows of the amounts", () => {
  test("4008: more than the wallet has, with the fee, with the commission, or while there is a deficit", async () => {
    const at = ["400", `4008 ${attribute("amount")}`];
    const wallet = await arrangeWallet(world);
    expect(await refused(wallet)).toEqual(at);
    await fund(world, wallet, "0.1");
    expect(await refused(wallet)).toEqual(at);
    await fund(world, wallet, "0.000000000000000199");
    expect(await refused(wallet)).toEqual(at);
    await fund(world, wallet, "0.000000000000000001");
    await database.sql(
      `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
       values ($1, '1002', 'payout', 0, 1, 0)`,
      [wallet.accountId],
    );
    expect(await refused(wallet)).toEqual(at);
    await database.sql("delete from commission_terms");
    await database.sql("update wallet_balance set deficit = 1 where wallet_id = $1", [
      wallet.walletId,
    ]);
    expect(await refused(wallet)).toEqual(at);
    await database.sql("update wallet_balance set deficit = 0 where wallet_id = $1", [
      wallet.walletId,
    ]);
    created(await postPayout(payouts, wallet));
    expect(await withAttributes(merchant, { amount: "5.01" })).toEqual(at);
  });

  test("4009: below half of low and above three times high; the bounds themselves are allowed", async () => {
    const at = ["400", `4009 ${attribute("fee_amount")}`];
    const fee = (units: number): Members => ({
      fee_amount: `0.${String(units).padStart(18, "0")}`,
    });
    expect(await withAttributes(ether, fee(49))).toEqual(at);
    expect(await withAttributes(ether, fee(1201))).toEqual(at);
    expect(await withAttributes(ether, { fee_amount: "0" })).toEqual(at);
    for (const units of [50, 1200]) {
      created(await postPayout(payouts, ether, { attributes: fee(units) }));
    }
    payouts.fees.answer = { ...fairFee, low: 101n };
    expect(await withAttributes(ether, fee(50))).toEqual(at);
  });

  test("4010: the fee cannot be part of a token's amount", async () => {
    expect(await refused(tether, tetherPayout({ is_fee_included: true }))).toEqual([
      "400",
      `4010 ${attribute("is_fee_included")}`,
    ]);
  });

  test.each([
    ["amount", { amount: "0" }],
    ["amount", { amount: "0.000" }],
    ["amount", { amount: "-0.1" }],
    ["amount", { amount: -1 }],
    ["amount", { amount: 0 }],
  ])("4011: %s %j", async (_field, attributes) => {
    expect(await withAttributes(ether, attributes)).toEqual(["400", `4011 ${attribute("amount")}`]);
  });

  test("4012: a tracking id that a payout of the wallet has, or once had", async () => {
    const attributes = { tracking_id: "order 1" };
    const first = created(await postPayout(payouts, ether, { attributes }));
    const at = ["400", `4012 ${attribute("tracking_id")}`];
    expect(await withAttributes(ether, attributes)).toEqual(at);
    await database.sql("update payout set status = 3, stage = 'cancelled' where id = $1", [
      first.id,
    ]);
    expect(await withAttributes(ether, attributes)).toEqual(at);
    created(await postPayout(payouts, stranger, { attributes }));
    const other = { ...attributes, amount: "0.01" };
    created(await postPayout(payouts, merchant, { attributes: other }));
    for (const tracking_id of ["", null, undefined, ""]) {
      created(await postPayout(payouts, ether, { attributes: { tracking_id } }));
    }
  });

  test("4013: below the minimal transfer amount, or what the network relays", async () => {
    const at = ["400", `4013 ${attribute("amount")}`];
    expect(await withAttributes(ether, { amount: "0.000009999999999999" })).toEqual(at);
    created(await postPayout(payouts, ether, { attributes: { amount: "0.00001" } }));
    payouts.fees.answer = { ...fairFee, dust: 10n ** 17n + 1n };
    expect(await refused(ether)).toEqual(at);
  });

  test("4016: the fee cannot be part of an amount of the listed coins", async () => {
    expect(await withAttributes(ether, { is_fee_included: true })).toEqual([
      "400",
      `4016 ${attribute("is_fee_included")}`,
    ]);
    created(await postPayout(payouts, bitcoin, bitcoinPayout({ is_fee_included: true })));
  });

  test("4019: an included fee that leaves nothing", async () => {
    const at = ["400", `4019 ${attribute("fee_amount")}`];
    payouts.fees.answer = { ...fairFee, high: 1_000_000n };
    for (const fee_amount of ["0.01", "0.011"]) {
      const attributes = { is_fee_included: true, amount: "0.01", fee_amount };
      expect(await refused(bitcoin, bitcoinPayout(attributes))).toEqual(at);
    }
  });
});

describe("rows of the currency", () => {
  test.each([
    ["6002", "is_disabled"],
    ["6015", "is_unavailable"],
    ["6017", "is_unpaid"],
  ])("%s: %s", async (code, column) => {
    const wallet = await arrangeWallet(world, { currency: dai });
    await fund(world, wallet, "1");
    await database.sql(`insert into currency_state (currency, ${column}) values ('2068', true)`);
    expect(
      await refused(wallet, { attributes: { amount: "1" }, relationships: currencyIs(dai) }),
    ).toEqual(["400", `${code} ${currencyPointer}`]);
    await database.sql("delete from currency_state");
  });

  test("6015: blocked for the account, or on a chain that is not followed here", async () => {
    const wallet = await arrangeWallet(world, { currency: dai });
    await fund(world, wallet, "1");
    const options = { attributes: { amount: "1" }, relationships: currencyIs(dai) };
    await database.sql(
      "insert into account_currency_block (account_id, currency) values ($1, '2068')",
      [wallet.accountId],
    );
    expect(await refused(wallet, options)).toEqual(["400", `6015 ${currencyPointer}`]);
    const tron = {
      attributes: { amount: "1", fee_amount: "1" },
      relationships: currencyIs("1026"),
    };
    expect(await refused(merchant, tron)).toEqual(["400", `6015 ${currencyPointer}`]);
    // Its own code comes before that the wallet pays in another currency.
    expect(await refused(ether, tron)).toEqual(["400", `6015 ${currencyPointer}`]);
  });

  test("503/4018: no fresh quote, no fresh price, or paused by the comparison with the chain", async () => {
    payouts.fees.answer = null;
    expect(await refused(ether)).toEqual(["503", "4018"]);
    payouts.fees.answer = fairFee;
    world.rates.clear();
    expect(await withAttributes(merchant, { amount: "0.01" })).toEqual(["503", "4018"]);
    for (const scope of ["all", "chain/ETH"]) {
      await stop(scope, true);
      expect(await refused(ether)).toEqual(["503", "4018"]);
      await resume();
    }
  });

  test("500 node_unavailable: the node answered with an error", async () => {
    payouts.fees.answer = new Unavailable("ETH", "execution reverted");
    expect(await refused(ether)).toEqual(["500", "node_unavailable"]);
  });
});
