import { afterEach, beforeEach, expect, test } from "vitest";
import { actOnOwnAccount } from "../../src/accounts/operator-act.ts";
import { releaseTransfer } from "../../src/deposits/resolve/release-transfer.ts";
import type { ScreeningQuestion, ScreeningResult } from "../../src/deposits/screening/provider.ts";
import { screenTransfers } from "../../src/deposits/screening/screen-transfers.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { expectBooksToBalance, ledgerSums } from "../support/check-books.ts";
import { useDatabase } from "../support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
  ownerOf,
  payment,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
  type ToldChain,
  tellChain,
  units,
  usdt,
} from "../support/deposit-world.ts";

/*
 * Screening of payments. The service that is asked is the test: it says what it thinks of each amount, and may not answer.
 * Ether needs 3 confirmations here. After each test the books are held against the transfers.
 */

const database = useDatabase();
const world = depositWorld(database, { isScreened: true });
let chain: ToldChain;
let asked: ScreeningQuestion[] = [];
const verdicts = new Map<string, ScreeningResult | "silent">();
beforeEach(async () => {
  chain = await tellChain(world, "ETH");
  asked = [];
  verdicts.clear();
});
afterEach(() => expectBooksToBalance(database));

const provider = {
  name: "test",
  screen: (request: ScreeningQuestion): Promise<ScreeningResult> => {
    asked.push(request);
    const verdict = verdicts.get(request.amount) ?? { risk: 5, verdict: "green" };
    return verdict === "silent"
      ? Promise.reject(new Unavailable("screening", "no answer", null))
      : Promise.resolve(verdict);
  },
};
const screen = (): Promise<void> =>
  screenTransfers({ ...world.context, provider }, new AbortController().signal);
const red: ScreeningResult = { risk: 91, verdict: "red" };
const amount = (text: string): string => `${text}.${"0".repeat(18)}`;

test("nothing is credited or told before screening has answered, then everything that was reached is", async () => {
  const wallet = await arrangeWallet(world);
  const deposit = await arrangeDeposit(world, wallet, { confirmationsNeeded: 0 });
  await chain.append([payment({ deposit, amount: "1", txid: "0x1" })]);
  await chain.grow(3);
  expect(await readBalance(world, wallet)).toMatchObject({
    available: 0n,
    pending: units("1", eth),
  });
  expect((await readTransfers(world, deposit))[0]).toMatchObject({ status: 1, riskStatus: 2 });
  expect(await readEvents(world, deposit)).toEqual([]);
  await screen();
  expect(asked).toEqual([
    {
      direction: "deposit",
      chain: "ETH",
      currency: "ETH",
      amount: amount("1"),
      address: deposit.address,
      from: ["payer"],
      txid: "0x1",
    },
  ]);
  expect((await readTransfers(world, deposit))[0]).toMatchObject({
    status: 2,
    risk: 5,
    riskStatus: 1,
    disposition: "credited",
  });
  expect(await readBalance(world, wallet)).toMatchObject({
    available: units("1", eth),
    pending: 0n,
  });
  expect(await readEvents(world, deposit)).toEqual(["confirmed", "settled"]);
  await screen();
  expect(asked).toHaveLength(1);
});

test("a red payment is held at -2, counts for nothing, and an Owner lets it pass", async () => {
  const wallet = await arrangeWallet(world);
  const deposit = await arrangeDeposit(world, wallet);
  verdicts.set(amount("66"), red);
  await chain.append([payment({ deposit, amount: "66" })]);
  await screen();
  await chain.grow(4);
  const [held] = await readTransfers(world, deposit);
  expect(held).toMatchObject({
    status: -2,
    disposition: "blocked",
    reason: "screening",
    risk: 91,
    riskStatus: 3,
    message: "Held by screening, risk 91 of 100",
    userMessage: "This payment is under review",
  });
  expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: 0n });
  expect(await ledgerSums(database, "blocked/1002")).toEqual([
    { name: "blocked/1002", units: -units("66", eth) },
  ]);
  expect((await readDeposit(world, deposit)).sums.targetPaid).toBe(0n);
  expect(await readEvents(world, deposit)).toEqual(["blocked"]);

  const owner = ownerOf(wallet.accountId);
  expect(
    await releaseTransfer(world.context, actOnOwnAccount(ownerOf("999999"), "checked"), held!.id),
  ).toBeNull();
  const released = await releaseTransfer(world.context, actOnOwnAccount(owner, "checked"), held!.id);
  expect(released).toMatchObject({
    status: 2,
    riskStatus: 3,
    disposition: "credited",
    message: null,
  });
  expect(await readBalance(world, wallet)).toMatchObject({ available: units("66", eth) });
  expect(await readEvents(world, deposit)).toEqual(["blocked", "confirmed"]);
  await expect(releaseTransfer(world.context, actOnOwnAccount(owner, "checked"), held!.id)).rejects.toThrow(
    /invalidValue/,
  );
});

test("released before it is deep enough, it is credited when it is", async () => {
  const wallet = await arrangeWallet(world);
  const deposit = await arrangeDeposit(world, wallet);
  verdicts.set(amount("67"), red);
  await chain.append([payment({ deposit, amount: "67" })]);
  await screen();
  const [held] = await readTransfers(world, deposit);
  await releaseTransfer(world.context, actOnOwnAccount(ownerOf(wallet.accountId), "checked"), held!.id);
  expect(await readBalance(world, wallet)).toMatchObject({
    pending: units("67", eth),
    available: 0n,
  });
  await chain.grow(2);
  expect(await readBalance(world, wallet)).toMatchObject({
    available: units("67", eth),
    pending: 0n,
  });
});

test("a blocked payment of an invoice does not make it Paid; released in time it does", async () => {
  const wallet = await arrangeWallet(world, { type: 1, currency: eth });
  const deposit = await arrangeDeposit(world, wallet, { requested: "68" });
  verdicts.set(amount("68"), red);
  await chain.append([payment({ deposit, amount: "68" })]);
  await screen();
  await chain.grow(2);
  expect((await readDeposit(world, deposit)).status).toBe(2);
  const [held] = await readTransfers(world, deposit);
  await releaseTransfer(world.context, actOnOwnAccount(ownerOf(wallet.accountId), "checked"), held!.id);
  expect((await readDeposit(world, deposit)).status).toBe(3);
  expect(await readEvents(world, deposit)).toEqual(["blocked", "confirmed", "status"]);
});

test("a blocked payment that a conflict takes away is told, since its block was", async () => {
  const deposit = await arrangeDeposit(world, await arrangeWallet(world));
  verdicts.set(amount("69"), red);
  await chain.append([payment({ deposit, amount: "69", txid: "0xred" })]);
  await screen();
  await chain.orphan();
  await chain.conflict("0xred");
  expect((await readTransfers(world, deposit))[0]!.status).toBe(-3);
  expect(await readEvents(world, deposit)).toEqual(["blocked", "cancelled"]);
});

test("what it does not answer for stays queued, holds up nothing else, and is asked again", async () => {
  const wallet = await arrangeWallet(world);
  const stuck = await arrangeDeposit(world, wallet);
  const fine = await arrangeDeposit(world, wallet);
  verdicts.set(amount("3"), "silent");
  const silent = Array.from({ length: 45 }, () => payment({ deposit: stuck, amount: "3" }));
  await chain.append([...silent, payment({ deposit: fine, amount: "4" })]);
  await chain.grow(2);
  await expect(screen()).rejects.toThrow("no answer");
  expect(await readEvents(world, fine)).toEqual(["confirmed"]);
  expect(await readEvents(world, stuck)).toEqual([]);
  verdicts.clear();
  await screen();
  expect(await readEvents(world, stuck)).toHaveLength(45);
  expect(await readBalance(world, wallet)).toMatchObject({ available: units("139", eth) });
});

test("dust and other assets are not worth a question", async () => {
  const deposit = await arrangeDeposit(world, await arrangeWallet(world));
  await chain.append([
    payment({ deposit, amount: "0.000001" }),
    payment({ deposit, amount: "7", currency: usdt }),
    payment({ deposit, amount: "7", unlisted: "0xcafe" }),
  ]);
  await chain.grow(2);
  await screen();
  expect(asked).toEqual([]);
  expect((await readTransfers(world, deposit)).map(({ riskStatus }) => riskStatus)).toEqual([
    4, 4, 4,
  ]);
});
