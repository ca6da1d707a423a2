import { describe, expect, it } from "vitest";
import {
  arrangeDeposit,
  arrangeWallet,
  eth,
  ownerOf,
  payment,
  rateOf,
  readBalance,
  readDeposit,
  readEvents,
  units,
} from "../../../test/support/deposit-world.ts";
import { half, sent, useUndoneRefunds } from "../../../test/support/undone-refunds.ts";
import type { Principal } from "../../accounts/principal.ts";
import { readResolution } from "../../deposits/resolve/read-resolution.ts";
import { screenTransfers } from "../../deposits/screening/screen-transfers.ts";

/*
 * Refunds whose payout is canceled: the payment is on hold again, unchanged. With the real routes and database. 100 USD are requested
 * and 0.1 ETH paid, worth 250 USD, of which half is commission. After each test the books are checked.
 */

const undone = useUndoneRefunds();
const { site, api, paid, refunded, accept, cancel, applyOutcome, shown, picture } = undone;
const { database, world, resolve, returned, payoutOf } = site;

describe("a refund whose payout is canceled", () => {
  it("returns the payment to Unresolved, with its commission, and credits the wallet nothing", async () => {
    const deposit = await paid("0.1");
    const before = await picture(deposit);
    expect(before).toMatchObject({ status: 5, statusReason: "overpaid" });
    const payout = await refunded(deposit);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 4 });
    const decided = () => readResolution(world.context, ownerOf(deposit.accountId), deposit.id);
    expect(await decided()).toMatchObject({ refundedUnits: 25_000n, keptUnits: 0n });
    world.rates.set("1002 840", rateOf("3000"));
    await cancel(payout);
    expect(await decided()).toMatchObject({ refundedUnits: 0n, keptUnits: 0n });
    expect(await picture(deposit)).toEqual(before);
    expect(before.transfers).toMatchObject([
      {
        cleared: "0.050000000000000000",
        commission: "0.050000000000000000",
        message: "On hold: overpaid",
      },
    ]);
  });

  it("has no commission while the payment counts as refunded in full", async () => {
    const deposit = await paid("0.1");
    const as = ownerOf(deposit.accountId);
    const found = async (commission: string) => {
      const query = `filter[op_id]=${deposit.id}&filter[op_type]=1&filter[commission]=${commission}`;
      return (await api.ask("GET", `/transfer/?${query}`, { as })).resources.length;
    };
    const counts = async () => [await found("0.05"), await found("0")];
    expect(await counts()).toEqual([1, 0]);
    const payout = await refunded(deposit);
    expect(await counts()).toEqual([0, 1]);
    // As earlier releases stored it.
    await database.sql(
      "update transfer set commission_units = 5 * 10::numeric ^ 16 where deposit_id = $1",
      [deposit.id],
    );
    expect(await counts()).toEqual([0, 1]);
    await cancel(payout);
    expect(await counts()).toEqual([1, 0]);
  });

  it("can be accepted afterwards and credits what the first acceptance would have", async () => {
    const deposit = await paid("0.1");
    await cancel(await refunded(deposit));
    expect((await accept(deposit)).status).toBe(200);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 12_500n, deficit: 0n });
    expect(await readDeposit(world, deposit)).toMatchObject({
      status: 3,
      sums: { enrolled: 12_500n, commission: 12_500n },
    });
  });

  it("can be refunded again, repeatedly", async () => {
    const deposit = await paid("0.1");
    const before = await picture(deposit);
    for (let round = 0; round < 3; round += 1) {
      const payout = await refunded(deposit);
      expect((await shown(deposit))[0]!.message).toBe(`Refunded by payout ${payout.id}`);
      await cancel(payout);
      expect(await picture(deposit)).toEqual(before);
    }
  });

  it("is undone by its creator's cancellation and by a rejection", async () => {
    const asker: Principal = {
      ...ownerOf(site.shop.accountId),
      memberId: "5",
      role: "withdrawals_with_approval",
    };
    for (const by of [asker, { ...ownerOf(site.shop.accountId), role: "admin" as const }]) {
      const deposit = await paid("0.1");
      const before = await picture(deposit);
      const payout = await refunded(deposit, { as: asker });
      expect(payout).toMatchObject({ stage: "waiting" });
      await cancel(payout, by);
      expect(await picture(deposit)).toEqual(before);
    }
  });

  it("returns a second payment and leaves the first one credited", async () => {
    const deposit = await paid("0.04", "0.06");
    const before = await picture(deposit);
    expect(before).toMatchObject({ status: 5, balance: { available: 5_000n } });
    const payout = await refunded(deposit);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 3 });
    await cancel(payout);
    expect(await picture(deposit)).toEqual(before);
  });

  it("stays on hold when other payments are accepted in between", async () => {
    const deposit = await paid("0.04", "0.06");
    const payout = await refunded(deposit);
    await site.pay(deposit, "0.02");
    expect((await accept(deposit)).status).toBe(200);
    world.clock.advance(1);
    await cancel(payout);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 7_500n });
    expect((await accept(deposit)).status).toBe(200);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 15_000n });
  });

  it("keeps a payment credited that was accepted before the refund is undone and repeated", async () => {
    const deposit = await paid("0.03", "0.03");
    const first = await refunded(deposit);
    await site.pay(deposit, "0.03");
    expect((await accept(deposit)).status).toBe(200);
    world.clock.advance(1);
    await cancel(first);
    const second = await refunded(deposit);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 3 });
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 3_750n });
    await cancel(second);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 3_750n });
  });

  it("is reported in the feed and by a callback of the deposit's status", async () => {
    const deposit = await paid("0.1");
    await cancel(await refunded(deposit));
    expect(await readEvents(world, deposit)).toEqual([
      ...["confirmed", "status", "status", "refund_undone (feed)", "status"],
    ]);
  });

  it("follows a payment that a reorg removes and restores", async () => {
    const deposit = await arrangeDeposit(world, site.shop, {
      currency: eth,
      requested: "100",
      commission: half,
    });
    const hit = payment({ deposit, amount: "0.1" });
    await site.chain.append([hit]);
    await site.chain.grow(3);
    const before = await picture(deposit);
    const payout = await refunded(deposit);
    for (let block = 0; block < 4; block += 1) await site.chain.orphan();
    await cancel(payout);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 0n, deficit: 0n });
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 2 });
    await site.chain.append([hit]);
    await site.chain.grow(3);
    world.clock.advance(1);
    expect(await picture(deposit)).toEqual({ ...before, transfers: await shown(deposit) });
    expect((await accept(deposit)).status).toBe(200);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 12_500n });
  });

  it("cancels the payout and restores the payment in one transaction", async () => {
    const deposit = await paid("0.1");
    const payout = await refunded(deposit);
    // The row for the undone refund cannot be written, so the payout must not be canceled either.
    await database.sql(
      "alter table transfer add constraint refusing check (refund_undone_at is null) not valid",
    );
    try {
      const as = ownerOf(site.shop.accountId);
      expect((await api.ask("POST", `/payout/${payout.id}/cancel/`, { as })).status).toBe(500);
    } finally {
      await database.sql("alter table transfer drop constraint refusing");
    }
    const [row] = await database.sql("select stage from payout where id = $1", [payout.id]);
    expect(row).toEqual({ stage: "held" });
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 4 });
    await cancel(payout);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
  });

  it("is undone once under concurrent cancellations and refunds", async () => {
    const deposit = await paid("0.1");
    const as = ownerOf(site.shop.accountId);
    const payout = await refunded(deposit);
    const requests = Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0 ? api.ask("POST", `/payout/${payout.id}/cancel/`, { as }) : resolve(deposit),
    );
    const answers = await Promise.all(requests);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const live = await database.sql(
      "select id from payout where wallet_id = $1 and stage <> 'cancelled'",
      [site.shop.walletId],
    );
    const { status } = await readDeposit(world, deposit);
    expect([live.length, status]).toEqual(live.length === 0 ? [0, 5] : [1, 4]);
  });
});

describe("a partial refund that is undone", () => {
  const part = { attributes: { action: "partial" } };

  it("returns the whole payment to Unresolved and reverses what was credited", async () => {
    const deposit = await paid("0.1");
    const before = await picture(deposit);
    const payout = await refunded(deposit, part);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 5_000n });
    await cancel(payout);
    expect(await picture(deposit)).toEqual(before);
    expect((await accept(deposit)).status).toBe(200);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 12_500n });
  });

  it("restores the first value when the price had moved before the decision", async () => {
    const deposit = await paid("0.1");
    const before = await picture(deposit);
    world.rates.set("1002 840", rateOf("3000"));
    const payout = await refunded(deposit, part);
    await cancel(payout);
    expect(await picture(deposit)).toEqual(before);
  });

  it("can be split again", async () => {
    const deposit = await paid("0.06", "0.04");
    const before = await picture(deposit);
    await cancel(await refunded(deposit, part));
    expect(await picture(deposit)).toEqual(before);
    const payout = await refunded(deposit, part);
    const { status, sums } = await readDeposit(world, deposit);
    expect([status, sums.enrolled, sums.commission]).toEqual([3, 5_000n, 5_000n]);
    await applyOutcome(payout, sent);
    await applyOutcome(payout, { stage: "included", block: { height: 7, hash: "0xblock" } });
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 5_000n });
  });
});

describe("the return of a payment that screening holds", () => {
  it("is blocked again when its payout is canceled, and credits nothing", async () => {
    const wallet = await arrangeWallet(world, { accountId: site.shop.accountId });
    const deposit = await arrangeDeposit(world, wallet, { commission: half });
    const hit = payment({ deposit, amount: "0.5" });
    await site.chain.append([hit]);
    await database.sql(
      "update transfer set risk_status = 2, is_confirmed = false where deposit_id = $1",
      [deposit.id],
    );
    const provider = {
      name: "test",
      screen: () => Promise.resolve({ risk: 91, verdict: "red" as const }),
    };
    await screenTransfers({ ...world.context, provider }, new AbortController().signal);
    await site.chain.grow(3);
    const [transfer] = await database.sql<{ id: string }>(
      "select id from transfer where deposit_id = $1",
      [deposit.id],
    );
    const before = await shown(deposit);
    expect(before).toMatchObject([{ status: -2 }]);
    const answer = await returned(
      { accountId: site.shop.accountId, id: transfer!.id },
      {
        attributes: { address: "0x52908400098527886E0F7030069857D2E4169EE7" },
      },
    );
    expect(answer.status, answer.text).toBe(200);
    expect((await shown(deposit))[0]).toMatchObject({ cleared: "0.000000000000000000" });
    await cancel(await payoutOf(answer, site.shop.accountId));
    expect(await shown(deposit)).toEqual(before);
    expect(await readBalance(world, wallet)).toEqual({ available: 0n, pending: 0n, deficit: 0n });

    const released = await api.ask("POST", `/transfer/${transfer!.id}/release/`, {
      as: ownerOf(site.shop.accountId),
      body: { data: { type: "transfer", attributes: { reason: "The payer is known" } } },
    });
    expect(released.status, released.text).toBe(200);
    expect(await readBalance(world, wallet)).toMatchObject({ available: units("0.25", eth) });
    expect(await readEvents(world, deposit)).toEqual([
      ...["blocked", "refund_undone (feed)", "confirmed"],
    ]);
  });
});
