import { describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  eth,
  ownerOf,
  payment,
  rateOf,
  readBalance,
  readDeposit,
  readTransfers,
  units,
} from "../../../test/support/deposit-world.ts";
import { useEtherShop } from "../../../test/support/ether-shop.ts";
import { faults } from "../../../test/support/faults.ts";
import { arrangeNotified } from "../../../test/support/notice-readers.ts";
import { payee, payoutDigest } from "../../../test/support/payout-world.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { depositResolutionRoutes } from "./deposit-resolution.ts";
import { depositResolveRoutes } from "./deposit-resolve.ts";

/*
 * Partial acceptance of an Unresolved deposit and its quote, with the real routes and database and an empty wallet. ETH needs 3
 * confirmations here. After each test the books are checked against transfers and payouts.
 */

const site = useEtherShop();
const { database, world, resolve, payoutOf, payouts } = site;
const api = apiServer(
  [
    ...depositResolveRoutes({ deposits: world.context, payouts: payouts.context }),
    ...depositResolutionRoutes(world.context),
  ],
  { clock: world.clock },
);
const fee = 200n;
/** Of 100 USD, in ether at 2500. */
async function paid(
  amounts: readonly string[],
  options: Parameters<typeof site.invoice>[0] = {},
): Promise<Deposit> {
  const deposit = await site.invoice(options);
  await site.pay(deposit, ...amounts);
  return deposit;
}

const partial = (attributes: JsonObject = {}) => ({
  attributes: { action: "partial", ...attributes },
});

/** What the deposit's resolution states. */
async function decided(deposit: Deposit): Promise<JsonObject> {
  const answer = await api.ask("GET", `/deposit/${deposit.id}/resolution/`, {
    as: ownerOf(deposit.accountId),
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.one.attributes;
}

function quote(deposit: Deposit, attributes: JsonObject, as = ownerOf(deposit.accountId)) {
  return api.ask("POST", `/deposit/${deposit.id}/resolve/calculate/`, {
    body: {
      data: { type: "payout-calculation", attributes: { to_address: payee, ...attributes } },
    },
    as,
  });
}

describe("a partial acceptance", () => {
  it("notifies members of the amount that was kept", async () => {
    const deposit = await paid(["0.05"], { rate: rateOf("2500") });
    await arrangeNotified({ database, clock: world.clock }, ["paid"], {
      accountId: site.shop.accountId,
    });
    expect((await resolve(deposit, partial())).status).toBe(200);
    const notices = await database.sql<{ line: string }>(
      "select content->>'line' as line from notice",
    );
    expect(notices).toEqual([{ line: `100.00 USD for deposit ${deposit.id}` }]);
  });

  it("keeps the requested amount and refunds the rest at the current rate", async () => {
    const deposit = await paid(["0.05"], { rate: rateOf("2500") });
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    world.rates.set("1002 840", rateOf("3000"));
    const answer = await resolve(deposit, partial());
    expect([answer.status, answer.one.attributes["status"]], answer.text).toEqual([200, 3]);
    const payout = await payoutOf(answer, site.shop.accountId);
    expect(payout).toMatchObject({ units: units("0.01", eth) - fee, chargedUnits: 3_000n });
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 10_000n });
    expect(await readTransfers(world, deposit)).toMatchObject([
      {
        disposition: "credited",
        status: 2,
        message: `Partially refunded by payout ${payout.id}`,
        refund: { payoutId: payout.id, units: units("0.01", eth), targetUnits: 3_000n },
      },
    ]);
    expect((await readDeposit(world, deposit)).sums).toMatchObject({
      targetPaid: 12_500n,
      enrolled: 10_000n,
    });
    expect(await decided(deposit)).toMatchObject({
      refunded_amount: "25.00",
      kept_amount: "100.00",
    });
  });

  it("charges commission only on the kept part", async () => {
    const commission = { ratePpm: 10_000, fixedUnits: 0n, minimumUnits: 0n };
    const deposit = await paid(["0.05"], { commission });
    await resolve(deposit, partial());
    expect((await readDeposit(world, deposit)).sums).toMatchObject({
      enrolled: 9_900n,
      commission: 100n,
      sourceCommission: units("0.0004", eth),
    });
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 9_900n });
  });

  it("splits several payments by value and keeps the chosen amount", async () => {
    const deposit = await paid(["0.03", "0.03"]);
    const answer = await resolve(deposit, partial({ amount: "75" }));
    expect(await payoutOf(answer, site.shop.accountId)).toMatchObject({
      units: units("0.03", eth) - fee,
    });
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 7_500n });
    expect(answer.one.attributes["status"]).toBe(3);
  });

  it("keeps the missing amount of a late payment", async () => {
    const deposit = await arrangeDeposit(world, site.shop, {
      currency: eth,
      requested: "100",
      timeLimit: 60,
    });
    world.clock.advance(61);
    await site.chain.append([payment({ deposit, amount: "0.05" })]);
    await site.chain.grow(3);
    world.clock.advance(1);
    const answer = await resolve(deposit, partial());
    expect(answer.one.attributes["status"]).toBe(3);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 10_000n });
  });

  it("stays decided through a reorg that removes and restores the payment", async () => {
    const deposit = await arrangeDeposit(world, site.shop, { currency: eth, requested: "100" });
    const hit = payment({ deposit, amount: "0.05", txid: "0xpart" });
    await site.chain.append([hit]);
    await site.chain.grow(3);
    world.clock.advance(1);
    await resolve(deposit, partial());
    for (let block = 0; block < 4; block += 1) await site.chain.orphan();
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 0n, deficit: 2_500n });
    await expectBooksToBalance(database);
    world.clock.advance(1);
    await site.chain.append([hit]);
    await site.chain.grow(3);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 10_000n, deficit: 0n });
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 3 });
  });
});

describe("what was refunded and kept", () => {
  it("is nothing while the funds are on hold", async () => {
    expect(await decided(await paid(["0.05"]))).toMatchObject({
      refunded_amount: "0.00",
      kept_amount: "0.00",
    });
  });

  it("is the whole amount after a full refund", async () => {
    const deposit = await paid(["0.05"]);
    await resolve(deposit);
    expect(await decided(deposit)).toMatchObject({
      refunded_amount: "125.00",
      kept_amount: "0.00",
    });
  });
});

describe("what is on hold and missing", () => {
  it.each([
    ["of an overpayment is the requested amount", ["0.05"], "125.00", "100.00"],
    ["of a Paid deposit that is paid again is nothing", ["0.04", "0.02"], "50.00", "0.00"],
    ["of a Paid deposit is nothing", ["0.04"], null, "0.00"],
  ] as const)("%s", async (_name, amounts, held, missing) => {
    expect(await decided(await paid(amounts))).toMatchObject({
      held_amount: held,
      missing_amount: missing,
    });
  });

  it("count what was kept, and not what was refunded", async () => {
    const deposit = await paid(["0.05"]);
    await resolve(deposit);
    await site.pay(deposit, "0.06");
    expect(await decided(deposit)).toMatchObject({
      held_amount: "150.00",
      missing_amount: "100.00",
    });
    expect((await resolve(deposit, { attributes: { action: "accept" } })).status).toBe(200);
    world.clock.advance(1);
    await site.pay(deposit, "0.04");
    expect(await decided(deposit)).toMatchObject({
      held_amount: "100.00",
      missing_amount: "0.00",
    });
  });

  it("are valued at the current rate once the payment's own has expired", async () => {
    const deposit = await paid(["0.05"], { rate: rateOf("2500") });
    world.rates.set("1002 840", rateOf("3000"));
    expect(await decided(deposit)).toMatchObject({ held_amount: "125.00" });
    world.clock.advance(900);
    expect(await decided(deposit)).toMatchObject({
      held_amount: "150.00",
      missing_amount: "100.00",
    });
  });
});

describe("a rejected partial acceptance", () => {
  const amount = "/data/attributes/amount";
  it.each([
    ["nothing is left to refund", ["0.05"], { amount: "125" }, ["400", "1007"]],
    ["the kept amount is zero", ["0.05"], { amount: "0" }, ["400", "1007"]],
    [
      "the kept amount has more than two decimals",
      ["0.05"],
      { amount: "1.001" },
      ["400", `1007 ${amount}`],
    ],
    ["the requested amount was already received", ["0.04", "0.01"], {}, ["400", "1007"]],
    [
      "the refund is less than the fee",
      ["0.05"],
      { fee_amount: "0.5" },
      ["400", "4019 /data/attributes/fee_amount"],
    ],
    ["the deposit is not Unresolved", ["0.04"], {}, ["400", "1007"]],
  ] as const)("is rejected when %s", async (_name, amounts, attributes, expected) => {
    const deposit = await paid(amounts);
    const before = [await payoutDigest(database), await readDeposit(world, deposit)];
    expect(faults(await resolve(deposit, partial(attributes)))).toEqual(expected);
    expect([await payoutDigest(database), await readDeposit(world, deposit)]).toEqual(before);
  });

  it("rejects Read only members and callers who may not view the deposit", async () => {
    const deposit = await paid(["0.05"]);
    const mine = ownerOf(site.shop.accountId);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    expect(
      faults(await resolve(deposit, { ...partial(), as: { ...mine, role: "read_only" } })),
    ).toEqual([...["403", "permission_denied"]]);
    expect((await resolve(deposit, { ...partial(), as: stranger })).status).toBe(404);
    expect((await quote(deposit, { action: "partial" }, stranger)).status).toBe(404);
    const none = { ...mine, wallets: new Map<string, { mayPay: boolean }>() };
    expect(faults(await quote(deposit, { action: "partial" }, none))).toEqual(["400", "5001"]);
  });
});

describe("a refund quote", () => {
  it("quotes the full amount and the rest from an empty wallet, and changes nothing", async () => {
    const deposit = await paid(["0.05"]);
    const whole = await quote(deposit, { action: "refund" });
    expect([whole.status, whole.document["meta"]], whole.text).toEqual([
      200,
      {
        amount: "0.050000000000000000",
        currency: "1002",
        needs_travel_rule: true,
        travel_rule_from: null,
      },
    ]);
    expect(whole.one.attributes["fee"]).toMatchObject({ medium: "0.000000000000000200" });
    const rest = await quote(deposit, { action: "partial" });
    expect(rest.document["meta"]).toMatchObject({ amount: "0.010000000000000000" });
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
  });

  it("rejects with pointers into its own request", async () => {
    const deposit = await paid(["0.05"]);
    expect(faults(await quote(deposit, { action: "refund", to_address: "0x12" }))).toEqual([
      ...["400", "7001 /data/attributes/to_address"],
    ]);
    expect(faults(await quote(deposit, { action: "accept" }))).toEqual([
      ...["400", "1007 /data/attributes/action"],
    ]);
    const fine = await paid(["0.04"]);
    expect(faults(await quote(fine, { action: "refund" }))).toEqual(["400", "1007"]);
  });
});
