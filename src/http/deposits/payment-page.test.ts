import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { depositApi, makeDeposit } from "../../../test/support/deposit-api.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeWallet,
  depositWorld,
  fillPool,
  ownerOf,
  payment,
  rateOf,
  readDeposit,
  readEvents,
  readTransfers,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import {
  evmChainId,
  outcomeOf,
  type PageAnswer,
  paymentPages,
} from "../../../test/support/payment-pages.ts";
import { databaseDigest } from "../../../test/support/whole-api.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { CheckoutState } from "../../deposits/checkout/checkout-state.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";

/*
 * Tests payment pages with the real server, routes and database. The store requests USD; ETH needs 3 confirmations, BTC 2. The test
 * controls prices, blocks and time.
 */

const database = useDatabase();
const world = depositWorld(database);
const pages = paymentPages(world);
const deposits = depositApi(world);
let ethereum: AnnouncingChain;
let bitcoin: AnnouncingChain;
let shop: Wallet;

beforeEach(async () => {
  world.clock.advance(10);
  ethereum = await announceChain(world, "ETH");
  bitcoin = await announceChain(world, "BTC");
  await ethereum.catchUp();
  await bitcoin.catchUp();
  world.rates.clear();
  for (const [id, price] of [
    ["1002", "2000"],
    ["1000", "100000"],
    ["2015", "1"],
  ] as const)
    world.rates.set(`${id} 840`, rateOf(price));
  shop = await arrangeWallet(world, { type: 1, currency: usd });
  await fillPool(world, "evm", "", 3);
  await fillPool(world, "BTC", "bech32", 3);
  await fillPool(world, "BTC", "legacy", 3);
});

type Members = Readonly<Record<string, JsonValue>>;

const invoice = (attributes: Members = {}, currency?: string): Promise<Deposit> =>
  makeDeposit(deposits, world, shop, { target_amount_requested: "100", ...attributes }, currency);

const pathOf = ({ paymentPageId }: Deposit, rest = ""): string => `/pay/${paymentPageId}/${rest}`;
const choose = (deposit: Deposit, currency: string, more: Members = {}) =>
  pages.post(pathOf(deposit, "choose/"), { currency, ...more });

/** Sends a request that must be rejected and change nothing; returns its status and error codes. */
async function refused(ask: () => Promise<PageAnswer>): Promise<string> {
  const before = await databaseDigest(database);
  const answer = await ask();
  expect(await databaseDigest(database)).toEqual(before);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  return outcomeOf(answer);
}

function choiceOf(state: CheckoutState, code: string) {
  return present(
    state.choices?.find((choice) => choice.code === code),
    `the choice ${code}`,
  );
}

describe("the choice of currency", () => {
  it("offers every payable currency at the current rate, rounded up", async () => {
    const state = await pages.stateOf(await invoice());
    expect(state).toMatchObject({
      stage: "choose",
      payment: null,
      arrivals: [],
      price: { amount: "100.00", code: "USD", precision: 2 },
    });
    expect(choiceOf(state, "BTC")).toEqual({
      currency: "1000",
      code: "BTC",
      name: "Bitcoin",
      chain: "BTC",
      chainName: "Bitcoin",
      isSimulated: false,
      amount: "0.00100000",
      minimum: "0.00001000",
      unavailable: null,
    });
    expect(choiceOf(state, "ETH")).toMatchObject({
      amount: "0.050000000000000000",
      isSimulated: true,
    });
    expect(choiceOf(state, "USDT-ETH")).toMatchObject({ amount: "100.000000", chain: "ETH" });
    expect(choiceOf(state, "DAI-ETH")).toMatchObject({ amount: null, unavailable: "no_rate" });
    const chains = new Set(state.choices?.map(({ chain }) => chain));
    expect(chains).toEqual(new Set(["BTC", "ETH"]));
    expect(state.choices?.slice(0, 2).map(({ code }) => code)).toEqual(["BTC", "ETH"]);
    world.rates.set("1000 840", rateOf("99999.99"));
    expect(choiceOf(await pages.stateOf(await invoice()), "BTC").amount).toBe("0.00100001");
  });

  it("sets currency, address, rate, rate lock and amount, and sends no callback", async () => {
    const deposit = await invoice({ callback_url: "https://shop.example/" });
    const { status, state } = await choose(deposit, "1002");
    expect(status).toBe(200);
    const chosen = await readDeposit(world, deposit);
    expect(chosen).toMatchObject({ currency: "1002", rate: rateOf("2000"), addressType: "" });
    expect(state).toMatchObject({
      stage: "waiting",
      choices: null,
      payment: {
        code: "ETH",
        address: chosen.address,
        addressType: "",
        tag: null,
        requested: "0.050000000000000000",
        missing: "0.050000000000000000",
        rate: { value: "2000", isExpired: false },
        uri: `ethereum:${String(chosen.address)}@${evmChainId}?value=50000000000000000`,
        evm: { chainId: evmChainId, token: null, units: "50000000000000000" },
      },
    });
    expect(state.payment?.qr.length).toBeGreaterThan(20);
    const seen = await deposits.ask("GET", `/deposit/${deposit.id}/`, {
      as: ownerOfShop(),
    });
    expect(seen.one.attributes).toMatchObject({
      address: chosen.address,
      rate_requested: "2000",
      source_amount_requested: "0.050000000000000000",
      destination: { address: chosen.address, address_type: null },
    });
    expect(await readEvents(world, deposit)).toEqual([]);
    await ethereum.append([payment({ deposit: chosen, amount: "0.05" })]);
    await ethereum.grow(3);
    expect((await readDeposit(world, deposit)).status).toBe(3);
  });

  it("accepts an address type with the currency", async () => {
    const { state } = await choose(await invoice(), "1000", { addressType: "legacy" });
    expect(state.payment).toMatchObject({ addressType: "legacy", code: "BTC" });
    expect(state.payment?.address).toContain("legacy");
    expect((await choose(await invoice(), "1000")).state.payment?.addressType).toBe("bech32");
  });

  it("applies the commission of the chosen currency", async () => {
    const deposit = await invoice();
    await database.sql(
      `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
       values ($1, '1002', 'deposit', 10000, 0, 0)`,
      [shop.accountId],
    );
    await choose(deposit, "1002");
    expect((await readDeposit(world, deposit)).commissionTerms.ratePpm).toBe(10_000);
  });

  it("accepts one of 50 concurrent choices, with one address for all pages", async () => {
    await fillPool(world, "evm", "", 60);
    const deposit = await invoice();
    const choices = Array.from({ length: 50 }, (_, index) =>
      choose(deposit, index % 2 === 0 ? "1002" : "1000"),
    );
    const answers = await Promise.all(choices);
    const outcomes = answers.map(outcomeOf);
    expect(outcomes.filter((text) => text === "200")).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(["200", "409 currency_chosen"]));
    const rows = await database.sql("select 1 from address where deposit_id = $1", [deposit.id]);
    expect(rows).toHaveLength(1);
    const { payment: paid } = await pages.stateOf(deposit);
    expect(paid).toEqual(answers.find(({ status }) => status === 200)?.state.payment);
  });

  it("is final", async () => {
    const deposit = await invoice();
    await choose(deposit, "1002");
    for (const currency of ["1002", "1000", "nothing"])
      expect(await refused(() => choose(deposit, currency))).toBe("409 currency_chosen");
    const created = await invoice({}, "1000");
    expect(await refused(() => choose(created, "1002"))).toBe("409 currency_chosen");
  });

  it("rejects currencies that cannot be paid", async () => {
    const deposit = await invoice();
    const chooseRejected = (currency: string, more: Members = {}) =>
      refused(() => choose(deposit, currency, more));
    expect(await chooseRejected("99")).toBe("400 1007 /currency");
    expect(await chooseRejected("840")).toBe("400 1007 /currency");
    expect(await chooseRejected("1003")).toBe("400 6015 /currency");
    expect(await chooseRejected("2068")).toBe("400 5006");
    expect(await chooseRejected("1002", { addressType: "round" })).toBe("400 1007 /addressType");
    expect(await chooseRejected("1000", { addressType: "round" })).toBe("400 1007 /addressType");
    await database.sql(
      "insert into currency_state (currency, is_disabled, is_unavailable, is_unpaid) values ('2014', true, false, false)",
    );
    expect(await chooseRejected("2014")).toBe("400 6002 /currency");
    expect((await pages.stateOf(deposit)).choices?.map(({ code }) => code)).not.toContain(
      "USDC-ETH",
    );
    await database.sql("insert into account_currency_block values ($1, '1000')", [shop.accountId]);
    expect(await chooseRejected("1000")).toBe("400 6015 /currency");
    const small = await invoice({ target_amount_requested: "0.01" });
    world.rates.set("1002 840", rateOf("200000000000000000"));
    expect(choiceOf(await pages.stateOf(small), "ETH").unavailable).toBe("below_minimum");
    expect(await refused(() => choose(small, "1002"))).toBe("400 4013 /currency");
    await database.sql("update wallet set status = 1 where id = $1", [shop.walletId]);
    expect(await refused(() => choose(small, "2015"))).toBe("400 3008");
  });

  it("does not offer a chain whose follower lags behind", async () => {
    const deposit = await invoice();
    world.clock.advance(121);
    await bitcoin.catchUp();
    expect(choiceOf(await pages.stateOf(deposit), "ETH").unavailable).toBe("paused");
    expect(await refused(() => choose(deposit, "1002"))).toBe("400 6015 /currency");
    expect((await choose(deposit, "1000")).status).toBe(200);
  });

  it("stays open when no address is available", async () => {
    const deposit = await invoice();
    await database.sql("delete from address where deposit_id is null");
    expect(await refused(() => choose(deposit, "1002"))).toBe("400 5005");
    await fillPool(world, "evm", "", 1);
    expect((await choose(deposit, "1002")).status).toBe(200);
  });

  it("is rejected for a canceled or expired deposit", async () => {
    const canceled = await invoice();
    await deposits.ask("POST", `/deposit/${canceled.id}/cancel/`, { as: ownerOfShop() });
    expect(await refused(() => choose(canceled, "1002"))).toBe("409 deposit_ended");
    expect(await pages.stateOf(canceled)).toMatchObject({ stage: "cancelled", choices: null });
    const timed = await invoice({ time_limit: 60 });
    world.clock.advance(60);
    expect(await refused(() => choose(timed, "1002"))).toBe("409 deposit_ended");
    expect((await pages.stateOf(timed)).stage).toBe("expired");
  });

  it("shows no amounts if the payer decides the amount", async () => {
    const deposit = await invoice({ target_amount_requested: "" });
    expect(choiceOf(await pages.stateOf(deposit), "BTC")).toMatchObject({ amount: null });
    const { state } = await choose(deposit, "1000");
    expect(state).toMatchObject({
      stage: "waiting",
      price: null,
      payment: { requested: null, missing: null, rate: null, evm: null },
    });
    expect(state.payment?.uri).toBe(`bitcoin:${String(state.payment?.address)}`);
  });
});

describe("the locked rate", () => {
  async function waiting(): Promise<Deposit> {
    const deposit = await invoice({ inaccuracy: "1" });
    await choose(deposit, "1002");
    return readDeposit(world, deposit);
  }
  const quote = (deposit: Deposit, body: JsonValue = {}) =>
    pages.post(pathOf(deposit, "quote/"), body);

  it("is renewed after its expiry, once, and not before", async () => {
    const deposit = await waiting();
    expect(await refused(() => quote(deposit))).toBe("409 rate_in_force");
    world.clock.advance(900);
    expect((await pages.stateOf(deposit)).payment?.rate?.isExpired).toBe(true);
    world.rates.set("1002 840", rateOf("1600"));
    const answers = await Promise.all([quote(deposit), quote(deposit), quote(deposit)]);
    expect(answers.map(outcomeOf).toSorted()).toEqual([
      "200",
      "409 rate_in_force",
      "409 rate_in_force",
    ]);
    expect((await pages.stateOf(deposit)).payment).toMatchObject({
      requested: "0.062500000000000000",
      missing: "0.062500000000000000",
      rate: { value: "1600", isExpired: false },
      address: deposit.address,
    });
    expect(await readEvents(world, deposit)).toEqual([]);
  });

  it("applies to the remaining amount when renewed; received payments keep their value", async () => {
    const deposit = await waiting();
    await ethereum.append([payment({ deposit, amount: "0.02" })]);
    const partial = await pages.stateOf(deposit);
    expect(partial).toMatchObject({
      stage: "partial",
      payment: { pending: "0.020000000000000000", missing: "0.030000000000000000" },
    });
    expect(partial.payment?.uri).toContain("?value=30000000000000000");
    world.clock.advance(901);
    world.rates.set("1002 840", rateOf("1000"));
    expect((await quote(deposit)).state.payment).toMatchObject({
      requested: "0.080000000000000000",
      missing: "0.060000000000000000",
    });
    await ethereum.append([payment({ deposit, amount: "0.06" })]);
    expect((await pages.stateOf(deposit)).stage).toBe("seen");
    await ethereum.grow(3);
    expect(await pages.stateOf(deposit)).toMatchObject({
      stage: "paid",
      payment: { missing: "0.000000000000000000", uri: "", qr: [] },
    });
    expect((await readDeposit(world, deposit)).sums.targetPaid).toBe(10_000n);
  });

  it("applies to a payment sent under it, even if detected after the renewal", async () => {
    const deposit = await waiting();
    world.clock.advance(899);
    const created = world.clock.now();
    world.clock.advance(30);
    world.rates.set("1002 840", rateOf("1000"));
    expect((await quote(deposit)).status).toBe(200);
    await ethereum.append([payment({ deposit, amount: "0.05" })], { time: created });
    const [transfer] = await readTransfers(world, deposit);
    expect(transfer).toMatchObject({ rate: rateOf("2000"), targetUnits: 10_000n });
  });

  it("is not renewed for deposits that are paid, ended, expired or without a rate", async () => {
    const paid = await waiting();
    await ethereum.append([payment({ deposit: paid, amount: "0.0498" })]);
    world.clock.advance(901);
    expect(await refused(() => quote(paid))).toBe("409 deposit_ended");
    await ethereum.grow(3);
    expect(await refused(() => quote(paid))).toBe("409 deposit_ended");
    const open = await invoice({ target_amount_requested: "" }, "1002");
    expect(await refused(() => quote(open))).toBe("409 rate_in_force");
    const undecided = await invoice();
    expect(await refused(() => quote(undecided))).toBe("409 rate_in_force");
    const late = await invoice({ time_limit: 901 }, "1002");
    world.clock.advance(901);
    expect(await refused(() => quote(late))).toBe("409 deposit_ended");
    const priceless = await invoice({}, "1002");
    world.clock.advance(901);
    world.rates.clear();
    expect(await refused(() => quote(priceless))).toBe("400 5006");
    expect(await refused(() => quote(priceless, { rate: "1" }))).toBe("400 1007 /rate");
  });
});

function ownerOfShop(): Principal {
  return ownerOf(shop.accountId);
}
