import { describe, expect, it } from "vitest";
import {
  acceptDeposit,
  cancelDeposit,
  changeDeposit,
} from "../../src/deposits/payments/change-deposit.ts";
import {
  arrangeDeposit,
  eth,
  ownerOf,
  payment,
  rateOf,
  readBalance,
  readDeposit,
  readEvents,
} from "../support/deposit-world.ts";
import { dollars, useMerchantDeposits } from "../support/use-merchant-deposits.ts";

/* What users decide about overpaid, late and canceled Merchant deposits, and what reorgs leave of it. */

const site = useMerchantDeposits();
const { world, shop, pay, announced } = site;
const patch = { label: undefined, trackingId: undefined, timeLimit: undefined };

describe("what users decide about a Merchant deposit", () => {
  it("holds the whole amount of an overpaid deposit until it is accepted", async () => {
    const wallet = await shop();
    const deposit = await arrangeDeposit(world, wallet, {
      currency: eth,
      requested: "100.00",
      rate: rateOf("2000"),
    });
    await pay(deposit, "0.06");
    expect(await announced(deposit)).toEqual({
      status: "5 overpaid",
      credited: 0n,
      money: ["unresolved overpaid"],
    });
    expect((await readDeposit(world, deposit)).sums.targetPaid).toBe(dollars("120"));
    expect(await readBalance(world, wallet)).toMatchObject({ pending: 0n, available: 0n });
    await acceptDeposit(world.context, ownerOf(wallet.accountId), deposit.id);
    expect(await announced(deposit)).toEqual({
      status: "3",
      credited: dollars("120"),
      money: ["credited"],
    });
    expect(await readEvents(world, deposit)).toEqual(["confirmed", "status", "status"]);
  });

  it("puts only a second payment on hold, and leaves the deposit Paid after a reorg removes it", async () => {
    const deposit = await arrangeDeposit(world, await shop(), {
      currency: eth,
      requested: "100.00",
      rate: rateOf("2000"),
    });
    await pay(deposit, "0.05");
    await pay(deposit, "0.05");
    expect(await announced(deposit)).toEqual({
      status: "5 second_payment",
      credited: dollars("100"),
      money: ["credited", "unresolved second_payment"],
    });
    for (let block = 0; block < 3; block += 1) await site.chain.orphan();
    expect(await announced(deposit)).toEqual({
      status: "3",
      credited: dollars("100"),
      money: ["credited", "pending"],
    });
  });

  it("ends in the same state after a reorg below an accepted deposit", async () => {
    const wallet = await shop();
    const deposit = await arrangeDeposit(world, wallet, {
      currency: eth,
      requested: "100.00",
      rate: rateOf("2000"),
    });
    const hit = payment({ deposit, amount: "0.06" });
    await site.chain.append([hit]);
    await site.chain.grow(2);
    await acceptDeposit(world.context, ownerOf(wallet.accountId), deposit.id);
    for (let block = 0; block < 3; block += 1) await site.chain.orphan();
    expect(await announced(deposit)).toEqual({ status: "2", credited: 0n, money: ["pending"] });
    world.clock.advance(60);
    await site.chain.append([hit]);
    await site.chain.grow(2);
    expect(await announced(deposit)).toEqual({
      status: "3",
      credited: dollars("120"),
      money: ["credited"],
    });
  });

  it("ends a canceled deposit as Canceled without money, and as Unresolved with money, also while that is pending", async () => {
    const wallet = await shop();
    const owner = ownerOf(wallet.accountId);
    const make = () =>
      arrangeDeposit(world, wallet, { currency: eth, requested: "100.00", rate: rateOf("2000") });
    const [empty, pending, part] = [await make(), await make(), await make()];
    await pay(part, "0.01");
    await site.chain.append([payment({ deposit: pending, amount: "0.05" })]);
    for (const { id } of [empty, pending, part]) await cancelDeposit(world.context, owner, id);
    world.clock.advance(1);
    expect(await announced(empty)).toMatchObject({ status: "4 cancelled" });
    expect(await announced(pending)).toMatchObject({ status: "5 cancelled", money: ["pending"] });
    expect(await announced(part)).toMatchObject({
      status: "5 cancelled",
      money: ["unresolved cancelled"],
    });
    await site.chain.grow(2);
    expect(await announced(pending)).toMatchObject({
      money: ["unresolved cancelled"],
      credited: 0n,
    });
    await acceptDeposit(world.context, owner, pending.id);
    expect(await announced(pending)).toMatchObject({ status: "3", credited: dollars("100") });
    await pay(empty, "0.05");
    expect(await announced(empty)).toMatchObject({ status: "5 cancelled", credited: 0n });
  });

  it("changes and reports nothing when a deposit is canceled twice or after its end", async () => {
    const wallet = await shop();
    const owner = ownerOf(wallet.accountId);
    const deposit = await arrangeDeposit(world, wallet, { currency: eth });
    await cancelDeposit(world.context, owner, deposit.id);
    const canceled = await readDeposit(world, deposit);
    world.clock.advance(5);
    await cancelDeposit(world.context, owner, deposit.id);
    expect(await readDeposit(world, deposit)).toEqual(canceled);
    expect(await readEvents(world, deposit)).toEqual(["status"]);
  });

  it("changes nothing else with a label, and counts a new time limit from now", async () => {
    const wallet = await shop();
    const owner = ownerOf(wallet.accountId);
    const deposit = await arrangeDeposit(world, wallet, { currency: eth, timeLimit: 60 });
    world.clock.advance(30);
    await changeDeposit(world.context, owner, deposit.id, { ...patch, label: "Till 4" });
    expect(await readDeposit(world, deposit)).toEqual({
      ...deposit,
      label: "Till 4",
      updatedAt: world.clock.now(),
    });
    const changed = await changeDeposit(world.context, owner, deposit.id, {
      ...patch,
      timeLimit: 600,
    });
    expect(changed).toMatchObject({
      timeLimit: 600,
      invoiceUpdatedAt: world.clock.now(),
      expiresAt: world.clock.now() + 600_000_000,
    });
  });
});
