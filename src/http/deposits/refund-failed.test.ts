import { describe, expect, it } from "vitest";
import {
  arrangeDeposit,
  eth,
  rateOf,
  readBalance,
  readDeposit,
  usd,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { fairFee } from "../../../test/support/payout-world.ts";
import { half, reverted, sent, useUndoneRefunds } from "../../../test/support/undone-refunds.ts";
import { systemAccount, walletAccount } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";

/*
 * Refunds whose payout fails on the chain, and those that a reorg brings back, with the real routes and database; the test plays the
 * chain's part for the payout. 100 USD are requested and 0.1 ETH paid, worth 250 USD, of which half is commission. After each test the
 * books are checked.
 */

const undone = useUndoneRefunds();
const { site, paid, refunded, accept, cancel, applyOutcome, shown, picture } = undone;
const { database, world, resolve, payouts } = site;

describe("a refund whose payout fails on the chain", () => {
  it("returns the payment to Unresolved when a conflicting transaction spent its inputs", async () => {
    const deposit = await paid("0.1");
    const before = await picture(deposit);
    const payout = await refunded(deposit);
    await applyOutcome(payout, sent);
    await applyOutcome(payout, { stage: "failed", txid: null });
    expect(await picture(deposit)).toEqual(before);
  });

  it("charges the wallet only the burned fee when the transaction reverted", async () => {
    const deposit = await paid("0.1");
    const before = await picture(deposit);
    payouts.fees.answer = { ...fairFee, low: 10n ** 14n, medium: 10n ** 14n, high: 10n ** 14n };
    const payout = await refunded(deposit, { attributes: { fee_amount: "0.0001" } });
    await applyOutcome(payout, sent);
    await applyOutcome(payout, reverted);
    expect(await picture(deposit)).toEqual({
      ...before,
      balance: { available: 0n, pending: 0n, deficit: 25n },
    });
    expect((await accept(deposit)).status).toBe(200);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 12_475n, deficit: 0n });
  });

  it("is restored when a reorg brings the payout back", async () => {
    const deposit = await paid("0.1");
    const payout = await refunded(deposit);
    const [before] = await shown(deposit);
    await applyOutcome(payout, sent);
    await applyOutcome(payout, reverted);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    await applyOutcome(payout, sent);
    expect(await readDeposit(world, deposit)).toMatchObject({
      status: 4,
      statusReason: "refunded",
    });
    expect(await shown(deposit)).toEqual([before]);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 0n, deficit: 0n });
  });

  it("is restored with the kept part at the locked price", async () => {
    const deposit = await arrangeDeposit(world, site.shop, {
      currency: eth,
      requested: "100",
      commission: half,
      rate: rateOf("2500"),
    });
    await site.pay(deposit, "0.1");
    const payout = await refunded(deposit, { attributes: { action: "partial" } });
    const before = await picture(deposit);
    await applyOutcome(payout, sent);
    await applyOutcome(payout, { stage: "failed", txid: null });
    await applyOutcome(payout, sent);
    expect(await picture(deposit)).toEqual(before);
  });

  it("is charged to the wallet when the payout comes back after the payment was accepted", async () => {
    const deposit = await paid("0.1");
    const payout = await refunded(deposit);
    await applyOutcome(payout, sent);
    await applyOutcome(payout, { stage: "failed", txid: null });
    expect((await accept(deposit)).status).toBe(200);
    world.clock.advance(1);
    await applyOutcome(payout, sent);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 3 });
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 0n, deficit: 12_500n });
  });

  it("stays undone when the payout comes back after the payment was refunded again", async () => {
    const deposit = await paid("0.1");
    const first = await refunded(deposit);
    await applyOutcome(first, sent);
    await applyOutcome(first, { stage: "failed", txid: null });
    const second = await refunded(deposit);
    await applyOutcome(first, sent);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 0n, deficit: 25_000n });
    expect((await shown(deposit))[0]!.message).toBe(`Refunded by payout ${second.id}`);
    await cancel(second);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 0n, deficit: 25_000n });
  });
});

describe("a refund from a wallet with a deficit", () => {
  it("is rejected after its payout reverted, until the wallet has repaid the burned fee", async () => {
    const deposit = await paid("0.1");
    payouts.fees.answer = { ...fairFee, low: 10n ** 14n, medium: 10n ** 14n, high: 10n ** 14n };
    const attributes = { fee_amount: "0.0001" };
    const payout = await refunded(deposit, { attributes });
    await applyOutcome(payout, sent);
    await applyOutcome(payout, reverted);
    expect(faults(await resolve(deposit, { attributes }))).toEqual(["400", "4008"]);
    await database.db.transaction((tx) =>
      post(
        tx,
        [
          {
            accountId: site.shop.accountId,
            cause: "test-float",
            postings: [
              {
                debit: systemAccount("equity", usd),
                credit: walletAccount(site.shop.walletId, "available"),
                currency: usd,
                units: 25n,
              },
            ],
          },
        ],
        world.clock.now(),
      ),
    );
    await refunded(deposit, { attributes });
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 0n, deficit: 0n });
  });
});
