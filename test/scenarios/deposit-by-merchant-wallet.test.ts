import { describe, expect, it } from "vitest";
import { pricePending } from "../../src/deposits/payments/price-pending.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  btc,
  eth,
  payment,
  rateOf,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
  units,
} from "../support/deposit-world.ts";
import { dollars, useMerchantDeposits } from "../support/use-merchant-deposits.ts";

/* Deposits of Merchant wallets: amounts in dollars paid in ether or bitcoin, with a locked rate. */

const site = useMerchantDeposits();
const { world, shop, pay, announced } = site;

describe("a Merchant deposit, end to end", () => {
  it("values a payment at the locked rate; the operator bears the difference, and the books stay balanced", async () => {
    const wallet = await shop();
    const deposit = await arrangeDeposit(world, wallet, {
      currency: eth,
      requested: "100.00",
      rate: rateOf("2500"),
    });
    world.rates.set("1002 840", rateOf("1000"));
    world.clock.advance(899);
    await site.chain.append([payment({ deposit, amount: "0.04" })]);
    expect(await readBalance(world, wallet)).toMatchObject({
      pending: dollars("100"),
      available: 0n,
    });
    await site.chain.grow(2);
    expect(await announced(deposit)).toEqual({
      status: "3",
      credited: dollars("100"),
      money: ["credited"],
    });
    expect(await readBalance(world, wallet)).toMatchObject({
      available: dollars("100"),
      pending: 0n,
    });
    expect(await readEvents(world, deposit)).toEqual(["confirmed", "status"]);
  });

  it("values a payment after the lock at the current price", async () => {
    const deposit = await arrangeDeposit(world, await shop(), {
      currency: eth,
      requested: "100.00",
      rate: rateOf("2500"),
    });
    world.clock.advance(901);
    await pay(deposit, "0.04");
    expect(await announced(deposit)).toEqual({ status: "2", credited: 0n, money: ["pending"] });
    await pay(deposit, "0.01");
    expect(await announced(deposit)).toMatchObject({ status: "3", credited: dollars("100") });
  });

  it("rounds a payment's value down, and keeps a payment whose value is still zero", async () => {
    const wallet = await shop();
    const deposit = await arrangeDeposit(world, wallet, { currency: eth, rate: rateOf("2000") });
    await pay(deposit, "0.000011999");
    await pay(deposit, "0.00001");
    expect((await readTransfers(world, deposit)).map(({ targetUnits }) => targetUnits)).toEqual([
      2n,
      2n,
    ]);
    world.rates.set("1002 840", rateOf("1"));
    await pay(deposit, "0.00999");
    expect((await readTransfers(world, deposit))[2]).toMatchObject({
      targetUnits: 0n,
      disposition: "credited",
    });
    expect((await readDeposit(world, deposit)).sums).toMatchObject({ enrolled: 4n });
  });

  it("credits what rounding took from several payments once it adds up to a whole unit", async () => {
    const wallet = await shop();
    const deposit = await arrangeDeposit(world, wallet, {
      currency: eth,
      requested: "10.01",
      rate: rateOf("2500"),
    });
    await pay(deposit, "0.002002");
    expect(await announced(deposit)).toEqual({ status: "2", credited: 0n, money: ["pending"] });
    await pay(deposit, "0.002002");
    expect((await readTransfers(world, deposit)).map(({ targetUnits }) => targetUnits)).toEqual([
      500n,
      501n,
    ]);
    expect(await announced(deposit)).toEqual({
      status: "3",
      credited: dollars("10.01"),
      money: ["credited", "credited"],
    });
    expect(await readBalance(world, wallet)).toMatchObject({ available: dollars("10.01") });
  });

  it("does not count a payer who pays the exact remainder as overpaying, although rounding reduced both parts", async () => {
    const wallet = await shop();
    const deposit = await arrangeDeposit(world, wallet, {
      currency: btc,
      requested: "100.01",
      rate: rateOf("60000"),
    });
    const bitcoin = await announceChain(world, "BTC");
    // Worth 60.0198 and 40.0002 dollars; after the first the page requests the worth of 40.00, rounded up to a satoshi.
    for (const amount of ["0.00100033", "0.00066667"]) {
      await bitcoin.append([payment({ deposit, amount })]);
      await bitcoin.grow(1);
    }
    expect(await announced(deposit)).toEqual({
      status: "3",
      credited: dollars("100.01"),
      money: ["credited", "credited"],
    });
  });

  it("leaves the commission unchanged when rounding is made up", async () => {
    const wallet = await shop();
    const deposit = await arrangeDeposit(world, wallet, {
      currency: eth,
      requested: "10.01",
      rate: rateOf("2500"),
      commission: { ratePpm: 10_000, fixedUnits: 0n, minimumUnits: 0n },
    });
    await pay(deposit, "0.002002");
    await pay(deposit, "0.002002");
    expect(
      (await readTransfers(world, deposit)).map(
        ({ targetCommissionUnits }) => targetCommissionUnits,
      ),
    ).toEqual([5n, 5n]);
    expect((await readDeposit(world, deposit)).sums).toMatchObject({
      targetPaid: dollars("10.01"),
      enrolled: dollars("9.91"),
      commission: dollars("0.10"),
    });
  });

  it("does not count the requested amount as an overpayment if the payment currency has no smaller unit", async () => {
    const wallet = await arrangeWallet(world, { type: 1, currency: eth });
    const terms = { currency: btc, requested: "0.010000000000000001", rate: rateOf("20") };
    const [exact, over] = [
      await arrangeDeposit(world, wallet, terms),
      await arrangeDeposit(world, wallet, terms),
    ];
    const bitcoin = await announceChain(world, "BTC");
    await bitcoin.append([
      payment({ deposit: exact, amount: "0.00050001" }),
      payment({ deposit: over, amount: "0.00050002" }),
    ]);
    await bitcoin.grow(1);
    expect(await announced(exact)).toEqual({
      status: "3",
      credited: units("0.0100002", eth),
      money: ["credited"],
    });
    expect(await announced(over)).toMatchObject({ status: "5 overpaid", credited: 0n });
  });

  it("keeps a payment unpriced and uncredited without a price, and values it once there is one", async () => {
    const wallet = await shop();
    const deposit = await arrangeDeposit(world, wallet, { currency: eth });
    const other = await arrangeDeposit(world, wallet, { currency: btc });
    world.rates.clear();
    await pay(deposit, "0.05");
    expect(await readBalance(world, wallet)).toMatchObject({ pending: 0n, available: 0n });
    expect((await readDeposit(world, deposit)).sums).toMatchObject({
      targetPaidPending: 0n,
      sourcePaidPending: units("0.05", eth),
    });
    const bitcoin = await announceChain(world, "BTC");
    await bitcoin.append([payment({ deposit: other, amount: "0.001" })]);
    await pricePending(world.context);
    expect(await readEvents(world, deposit)).toEqual([]);

    world.rates.set("1002 840", rateOf("3000"));
    await pricePending(world.context);
    expect(await announced(deposit)).toEqual({
      status: "2",
      credited: dollars("150"),
      money: ["credited"],
    });
    expect(await readEvents(world, deposit)).toEqual(["confirmed"]);
    expect(await readBalance(world, wallet)).toMatchObject({
      available: dollars("150"),
      pending: 0n,
    });
    expect((await readTransfers(world, other))[0]!.rate).toBeNull();
  });

  it("values a payment again at inclusion if it waited more than two hours for its block", async () => {
    const bitcoin = await announceChain(world, "BTC");
    const wallet = await shop();
    const make = () =>
      arrangeDeposit(world, wallet, { currency: btc, requested: "100.00", rate: rateOf("100000") });
    const [quick, slow] = [await make(), await make()];
    const hits = [quick, slow].map((deposit) => payment({ deposit, amount: "0.001" }));
    await bitcoin.see(hits);
    world.rates.set("1000 840", rateOf("50000"));
    world.clock.advance(7_200);
    await bitcoin.append([hits[0]!]);
    world.clock.advance(1);
    await bitcoin.append([hits[1]!]);
    await bitcoin.grow(2);
    expect(await announced(quick)).toMatchObject({ status: "3", credited: dollars("100") });
    expect(await announced(slow)).toMatchObject({ status: "2", money: ["pending"] });
    expect((await readDeposit(world, slow)).sums.targetPaid).toBe(dollars("50"));
  });

  it("keeps a reported payment's value through a reorg, however long ago it was first seen", async () => {
    const deposit = await arrangeDeposit(world, await shop(), {
      currency: eth,
      requested: "100.00",
      rate: rateOf("2000"),
    });
    const hit = payment({ deposit, amount: "0.05" });
    await site.chain.append([hit]);
    await site.chain.grow(2);
    world.clock.advance(10_000);
    world.rates.set("1002 840", rateOf("1"));
    for (let block = 0; block < 3; block += 1) await site.chain.orphan();
    expect(await announced(deposit)).toMatchObject({
      status: "2",
      credited: 0n,
      money: ["pending"],
    });
    await site.chain.append([hit]);
    await site.chain.grow(2);
    expect(await announced(deposit)).toMatchObject({ status: "3", credited: dollars("100") });
    expect(await readEvents(world, deposit)).toEqual([
      ...["confirmed", "status", "reversed", "status", "confirmed", "status"],
    ]);
  });

  it("values commission in the payment currency at the payment's rate", async () => {
    const wallet = await shop();
    const deposit = await arrangeDeposit(world, wallet, {
      currency: eth,
      requested: "100.00",
      rate: rateOf("2000"),
      commission: { ratePpm: 10_000, fixedUnits: 0n, minimumUnits: 0n },
    });
    await pay(deposit, "0.05");
    expect((await readDeposit(world, deposit)).sums).toMatchObject({
      targetPaid: dollars("100"),
      enrolled: dollars("99"),
      commission: dollars("1"),
      sourceCommission: units("0.0005", eth),
    });
    expect(await readBalance(world, wallet)).toMatchObject({ available: dollars("99") });
  });

  it("needs no rate for a wallet in its own payment currency", async () => {
    world.rates.clear();
    const wallet = await arrangeWallet(world, { type: 1, currency: eth });
    const deposit = await arrangeDeposit(world, wallet, { requested: "1" });
    await pay(deposit, "1");
    expect(await announced(deposit)).toMatchObject({ status: "3", credited: units("1", eth) });
  });

  it("adds up partial payments, and holds the credit until the amount is reached", async () => {
    const wallet = await shop();
    const deposit = await arrangeDeposit(world, wallet, {
      currency: eth,
      requested: "100.00",
      inaccuracy: "1.00",
      rate: rateOf("2000"),
    });
    await pay(deposit, "0.03");
    expect(await readBalance(world, wallet)).toMatchObject({
      pending: dollars("60"),
      available: 0n,
    });
    expect(await readEvents(world, deposit)).toEqual(["confirmed"]);
    await pay(deposit, "0.0195");
    expect(await announced(deposit)).toEqual({
      status: "3",
      credited: dollars("99"),
      money: ["credited", "credited"],
    });
  });
});
