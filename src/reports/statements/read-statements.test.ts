import { beforeEach, describe, expect, it } from "vitest";
import {
  arrangeWallet,
  eth,
  ownerOf,
  rateOf,
  units,
  usdt,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { payoutApi } from "../../../test/support/payout-api.ts";
import { currencyIs, fairFee, fund } from "../../../test/support/payout-world.ts";
import { half, reverted, sent, useUndoneRefunds } from "../../../test/support/undone-refunds.ts";
import type { Payout } from "../../payouts/payout.ts";
import { readStatements, type Statement } from "./read-statements.ts";

/*
 * Statements of payouts on a chain, of refunds, of tokens' fees and after reorgs. The test plays the chain's part, one month after the
 * other. Every statement is also compared with the ledger's balance.
 */

const { site, paid, refunded, applyOutcome, cancel } = useUndoneRefunds();
const { database, world } = site;
const { make, learn, payouts } = payoutApi(world, { tokenFees: "wallet" });
const month = 31 * 24 * 3600;
const fee = 200n;
const block = { height: 7, hash: "0xblock" };
beforeEach(() => {
  payouts.fees.answer = fairFee;
});

const names = [
  ...["opening", "payments", "incoming", "refunds", "payouts", "fees", "adjustments", "closing"],
] as const;

/** The wallet's months, oldest first; only amounts other than zero. */
async function statementsOf({ accountId, walletId }: Wallet) {
  const rows = await readStatements(
    world.context,
    ownerOf(accountId),
    new Map([["wallet", walletId]]),
  );
  for (const row of rows)
    expect(
      row.opening +
        row.payments +
        row.incoming -
        row.refunds -
        row.payouts -
        row.fees +
        row.adjustments,
    ).toBe(row.closing);
  const [balance] = await database.sql<{ units: bigint }>(
    "select available + held - deficit as units from wallet_balance where wallet_id = $1",
    [walletId],
  );
  expect(rows.at(-1)?.closing).toBe(balance?.units);
  return rows.map(amountsOf);
}

function amountsOf(row: Statement): Readonly<Record<string, bigint>> {
  const all = names.map((name) => [name, row[name as keyof Statement] as bigint] as const);
  return Object.fromEntries(all.filter(([, amount]) => amount !== 0n));
}

const include = (payout: Payout) => learn(payout.id, { stage: "included", txid: "0xpaid", block });

describe("statements of payouts on a chain", () => {
  it("count a payout in the month of its block, and undo it in the month of a reorg", async () => {
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "1");
    const payout = await make(wallet);
    const whole = units("1", eth);
    const amount = units("0.1", eth);
    expect(await statementsOf(wallet)).toEqual([{ adjustments: whole, closing: whole }]);
    world.clock.advance(month);
    await include(payout);
    const rest = whole - amount - fee;
    const paidOut = { opening: whole, payouts: amount, fees: fee, closing: rest };
    expect((await statementsOf(wallet)).slice(1)).toEqual([paidOut]);
    world.clock.advance(month);
    await learn(payout.id, { stage: "sending", block: null });
    const undone = { opening: rest, payouts: -amount, fees: -fee, closing: whole };
    expect((await statementsOf(wallet)).slice(1)).toEqual([paidOut, undone]);
    world.clock.advance(month);
    await include(payout);
    expect((await statementsOf(wallet)).slice(1)).toEqual([paidOut, undone, paidOut]);
  });

  it("count only the fee of a payout whose transaction was reverted", async () => {
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "1");
    const payout = await make(wallet);
    world.clock.advance(month);
    await learn(payout.id, { stage: "failed", txid: "0xreverted", block });
    const whole = units("1", eth);
    expect((await statementsOf(wallet)).slice(1)).toEqual([
      { opening: whole, fees: fee, closing: whole - fee },
    ]);
  });

  it("charge a token's network fee to the wallet of the coin", async () => {
    const coins = await arrangeWallet(world);
    const tokens = await arrangeWallet(world, { accountId: coins.accountId, currency: usdt });
    await fund(world, coins, "1");
    await fund(world, tokens, "50");
    const payout = await make(tokens, {
      attributes: { amount: "20" },
      relationships: currencyIs(usdt),
    });
    world.clock.advance(month);
    await include(payout);
    expect((await statementsOf(tokens)).slice(1)).toEqual([
      { opening: 50_000_000n, payouts: 20_000_000n, closing: 30_000_000n },
    ]);
    const whole = units("1", eth);
    expect((await statementsOf(coins)).slice(1)).toEqual([
      { opening: whole, fees: fee, closing: whole - fee },
    ]);
  });
});

describe("the fiat value of a fee that another wallet pays", () => {
  it("is the coin's price when the account committed to the payout", async () => {
    const coins = await arrangeWallet(world);
    const tokens = await arrangeWallet(world, { accountId: coins.accountId, currency: usdt });
    await fund(world, coins, "1");
    await fund(world, tokens, "50");
    const amount = units("0.0000171", eth);
    payouts.fees.answer = { ...fairFee, low: amount, medium: amount, high: amount };
    world.rates.set("1002 840", rateOf("2500"));
    const payout = await make(tokens, {
      attributes: { amount: "20", fee_amount: "0.0000171" },
      relationships: currencyIs(usdt),
    });
    world.rates.set("1002 840", rateOf("3000"));
    await include(payout);
    const [row] = await readStatements(
      world.context,
      ownerOf(coins.accountId),
      new Map([["wallet", coins.walletId]]),
    );
    // 0.04275 USD.
    const inFiat = row?.fiat.map(({ currency, feeParts }) => [currency.alpha, feeParts]);
    expect([inFiat, row?.unvalued]).toEqual([[["USD", 4_275_000_000n]], 0]);
  });
});

describe("statements of refunds", () => {
  it("count a payment of which a part was refunded at its value, whatever the refund is charged", async () => {
    const deposit = await site.invoice({ rate: rateOf("2500") });
    await site.pay(deposit, "0.05");
    world.rates.set("1002 840", rateOf("3000"));
    const payout = await refunded(deposit, { attributes: { action: "partial" } });
    expect(payout.chargedUnits).toBe(3_000n);
    const credited = { payments: 12_500n, adjustments: 500n, closing: 13_000n };
    expect(await statementsOf(site.shop)).toEqual([credited]);
    world.clock.advance(month);
    await applyOutcome(payout, sent);
    await applyOutcome(payout, { stage: "included", block });
    const paidOut = { opening: 13_000n, refunds: 2_500n, adjustments: -500n, closing: 10_000n };
    expect(await statementsOf(site.shop)).toEqual([credited, paidOut]);
  });

  it("count payment, refund and fee in the month of its block, and leave a failed refund's fee as a deficit", async () => {
    // 250 USD are paid for 100, and refunded in full. The fee of 200 wei is less than a cent; burnt alone, it costs one.
    const payout = await refunded(await paid("0.1"));
    await applyOutcome(payout, sent);
    world.clock.advance(month);
    await applyOutcome(payout, { stage: "included", block });
    const paidBack = { payments: 25_000n, refunds: 25_000n, fees: 0n };
    expect(sumsOf(await statementsOf(site.shop))).toEqual(paidBack);
    world.clock.advance(month);
    await applyOutcome(payout, { stage: "sending", block: null });
    world.clock.advance(month);
    // The payment is on hold again, so the wallet has nothing but the fee that it owes.
    await applyOutcome(payout, reverted);
    const rows = await statementsOf(site.shop);
    expect(sumsOf(rows)).toEqual({ payments: 0n, refunds: 0n, fees: 1n });
    expect(rows.at(-1)?.["closing"]).toBe(-1n);
  });
});

describe("a closed month", () => {
  /** What happens in a month does not change the months before it; returns the month. */
  async function expectClosed(wallet: Wallet, change: () => Promise<unknown>) {
    const closed = await statementsOf(wallet);
    world.clock.advance(month);
    await change();
    const rows = await statementsOf(wallet);
    expect(rows.slice(0, closed.length)).toEqual(closed);
    return rows.at(-1);
  }

  const keepsItsPrice = { rate: rateOf("2500") };
  it.each([
    {
      of: "dollars",
      terms: keepsItsPrice,
      kept: { payments: 12_500n, fees: 5_000n, adjustments: 500n, closing: 8_000n },
    },
    {
      of: "dollars",
      terms: {},
      kept: { payments: 15_000n, fees: 5_000n, closing: 10_000n },
    },
    {
      of: "ether",
      terms: {},
      kept: { payments: units("0.05", eth), fees: units("0.02", eth), closing: units("0.03", eth) },
    },
  ])(
    "keeps the commission of a payment whose partial refund is canceled later: $of, $terms",
    async (given) => {
      const { kept, terms } = given;
      const ether = { accountId: site.shop.accountId, type: 1, currency: eth } as const;
      const wallet = given.of === "ether" ? await arrangeWallet(world, ether) : site.shop;
      const requested = given.of === "ether" ? "0.04" : "100";
      const deposit = await site.invoice({ ...terms, commission: half, requested }, wallet);
      await site.pay(deposit, "0.05");
      world.rates.set("1002 840", rateOf("3000"));
      const payout = await refunded(deposit, { attributes: { action: "partial" } });
      expect(await statementsOf(wallet)).toEqual([kept]);
      const undone = await expectClosed(wallet, () => cancel(payout));
      expect(undone).toEqual(undoneOf(kept));
    },
  );

  it("keeps a payout that a reorg removes and whose transaction is then reverted", async () => {
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "1");
    const payout = await make(wallet);
    await include(payout);
    const whole = units("1", eth);
    const amount = units("0.1", eth);
    const removed = await expectClosed(wallet, async () => {
      await learn(payout.id, { stage: "sending", block: null });
      await learn(payout.id, { stage: "failed", txid: "0xreverted", block });
    });
    expect(removed).toEqual({
      opening: whole - amount - fee,
      payouts: -amount,
      closing: whole - fee,
    });
  });
});

/** The month in which everything of the month before is undone. */
function undoneOf({ closing, ...amounts }: Readonly<Record<string, bigint>>) {
  const negative = Object.entries(amounts).map(([name, amount]) => [name, -amount] as const);
  return { opening: closing, ...Object.fromEntries(negative) };
}

function sumsOf(rows: Awaited<ReturnType<typeof statementsOf>>) {
  const sum = (of: string): bigint => rows.reduce((all, row) => all + (row[of] ?? 0n), 0n);
  return { payments: sum("payments"), refunds: sum("refunds"), fees: sum("fees") };
}
