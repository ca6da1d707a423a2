import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { actOnOwnAccount } from "../../src/accounts/operator-act.ts";
import { releaseTransfer } from "../../src/deposits/resolve/release-transfer.ts";
import type { ScreeningQuestion, ScreeningResult } from "../../src/deposits/screening/provider.ts";
import { screenTransfers } from "../../src/deposits/screening/screen-transfers.ts";
import { screeningJobs } from "../../src/main/build/screening-jobs.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { expectBooksToBalance, ledgerSums } from "../support/check-books.ts";
import { useDatabase } from "../support/database.ts";
import {
  type AnnouncingChain,
  announceChain,
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
  units,
  usdt,
} from "../support/deposit-world.ts";

/*
 * Screening of payments. The test acts as the screening provider: it returns a verdict for each amount, or no answer. Ether needs
 * 3 confirmations here. After each test the books are compared with the transfers.
 */

const database = useDatabase();
const world = depositWorld(database, { isScreened: true });
let chain: AnnouncingChain;
let requests: ScreeningQuestion[] = [];
const verdicts = new Map<string, ScreeningResult | "silent">();
beforeEach(async () => {
  chain = await announceChain(world, "ETH");
  requests = [];
  verdicts.clear();
});
afterEach(() => expectBooksToBalance(database));

const provider = {
  name: "test",
  screen: (request: ScreeningQuestion): Promise<ScreeningResult> => {
    requests.push(request);
    const verdict = verdicts.get(request.amount) ?? { risk: 5, verdict: "green" };
    return verdict === "silent"
      ? Promise.reject(new Unavailable("screening", "no answer", null))
      : Promise.resolve(verdict);
  },
};
const screen = (): Promise<void> =>
  screenTransfers({ ...world.context, provider }, new AbortController().signal);
const red: ScreeningResult = { risk: 91, verdict: "red" };
/** The human status, as lists filter by it. */
const states = async (id: string): Promise<readonly string[]> => {
  const rows = await database.sql<{ state: string }>("select state from deposit where id = $1", [
    id,
  ]);
  return rows.map(({ state }) => state);
};
const amount = (text: string): string => `${text}.${"0".repeat(18)}`;

describe("screening of deposits", () => {
  it("credits and reports nothing before screening has answered, and then everything that was reached", async () => {
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
    expect(requests).toEqual([
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
    expect(requests).toHaveLength(1);
  });

  it("holds a red payment at -2 without counting it, until an Owner releases it", async () => {
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
      message: "Held by screening (risk 91 of 100)",
      userMessage: "This payment is under review",
    });
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n, pending: 0n });
    expect(await ledgerSums(database, "blocked/1002")).toEqual([
      { name: "blocked/1002", units: -units("66", eth) },
    ]);
    expect((await readDeposit(world, deposit)).sums.targetPaid).toBe(0n);
    expect(await readEvents(world, deposit)).toEqual(["blocked"]);
    expect(await states(deposit.id)).toEqual(["on_hold"]);

    const owner = ownerOf(wallet.accountId);
    expect(
      await releaseTransfer(world.context, actOnOwnAccount(ownerOf("999999"), "checked"), held!.id),
    ).toBeNull();
    const released = await releaseTransfer(
      world.context,
      actOnOwnAccount(owner, "checked"),
      held!.id,
    );
    expect(released).toMatchObject({
      status: 2,
      riskStatus: 3,
      disposition: "credited",
      message: null,
    });
    expect(await readBalance(world, wallet)).toMatchObject({ available: units("66", eth) });
    expect(await states(deposit.id)).toEqual(["paid"]);
    expect(await readEvents(world, deposit)).toEqual(["blocked", "confirmed"]);
    await expect(
      releaseTransfer(world.context, actOnOwnAccount(owner, "checked"), held!.id),
    ).rejects.toThrow(/invalidValue/);
  });

  it("credits a payment released before its confirmations once it has them", async () => {
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    verdicts.set(amount("67"), red);
    await chain.append([payment({ deposit, amount: "67" })]);
    await screen();
    const [held] = await readTransfers(world, deposit);
    await releaseTransfer(
      world.context,
      actOnOwnAccount(ownerOf(wallet.accountId), "checked"),
      held!.id,
    );
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

  it("does not make an invoice Paid with a blocked payment, but does if it is released in time", async () => {
    const wallet = await arrangeWallet(world, { type: 1, currency: eth });
    const deposit = await arrangeDeposit(world, wallet, { requested: "68" });
    verdicts.set(amount("68"), red);
    await chain.append([payment({ deposit, amount: "68" })]);
    await screen();
    await chain.grow(2);
    expect((await readDeposit(world, deposit)).status).toBe(2);
    expect(await states(deposit.id)).toEqual(["on_hold"]);
    // Deposits of earlier versions are counted by the migration.
    await database.sql("update deposit set state = 'new', blocked_payments = 0 where id = $1", [
      deposit.id,
    ]);
    const migration = readFileSync("db/migrations/0077_blocked_payments.sql", "utf8");
    await database.sql(migration.split(";").find((text) => text.includes("update deposit")) ?? "");
    expect(await states(deposit.id)).toEqual(["on_hold"]);
    const [held] = await readTransfers(world, deposit);
    await releaseTransfer(
      world.context,
      actOnOwnAccount(ownerOf(wallet.accountId), "checked"),
      held!.id,
    );
    expect((await readDeposit(world, deposit)).status).toBe(3);
    expect(await states(deposit.id)).toEqual(["paid"]);
    expect(await readEvents(world, deposit)).toEqual(["blocked", "confirmed", "status"]);
  });

  it("reports that a conflict removed a blocked payment, because its block was reported", async () => {
    const deposit = await arrangeDeposit(world, await arrangeWallet(world));
    verdicts.set(amount("69"), red);
    await chain.append([payment({ deposit, amount: "69", txid: "0xred" })]);
    await screen();
    await chain.orphan();
    await chain.conflict("0xred");
    expect((await readTransfers(world, deposit))[0]!.status).toBe(-3);
    expect(await readEvents(world, deposit)).toEqual(["blocked", "cancelled"]);
    expect(await states(deposit.id)).toEqual(["new"]);
  });

  it("keeps unanswered payments in the queue, holds up nothing else, and asks again", async () => {
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

  it("credits what is queued after screening was removed from the configuration", async () => {
    const wallet = await arrangeWallet(world);
    const deposit = await arrangeDeposit(world, wallet);
    await chain.append([payment({ deposit, amount: "5" })]);
    await chain.grow(2);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n });
    const { signal } = new AbortController();
    for (const { run } of screeningJobs(world.context, null)) await run(signal);
    expect((await readTransfers(world, deposit))[0]).toMatchObject({
      status: 2,
      risk: null,
      riskStatus: 4,
      disposition: "credited",
    });
    expect(await readBalance(world, wallet)).toMatchObject({ available: units("5", eth) });
    expect(await readEvents(world, deposit)).toEqual(["confirmed"]);
    expect(requests).toEqual([]);
  });

  it("does not screen dust and other assets", async () => {
    const deposit = await arrangeDeposit(world, await arrangeWallet(world));
    await chain.append([
      payment({ deposit, amount: "0.000001" }),
      payment({ deposit, amount: "7", currency: usdt }),
      payment({ deposit, amount: "7", unlisted: "0xcafe" }),
    ]);
    await chain.grow(2);
    await screen();
    expect(requests).toEqual([]);
    expect((await readTransfers(world, deposit)).map(({ riskStatus }) => riskStatus)).toEqual([
      4, 4, 4,
    ]);
  });
});
