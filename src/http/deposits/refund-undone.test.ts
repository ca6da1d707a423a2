import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  eth,
  ownerOf,
  payment,
  rateOf,
  readBalance,
  readDeposit,
  readEvents,
  readTransfers,
  units,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { payingBack, type SendOptions } from "../../../test/support/paying-back.ts";
import { fairFee, payoutSeal } from "../../../test/support/payout-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { screenTransfers } from "../../deposits/screening/screen-transfers.ts";
import { systemAccount, walletAccount } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";
import { changePayouts } from "../../payouts/change-payouts.ts";
import type { Payout } from "../../payouts/payout.ts";
import { approvalMessage } from "../../signer/intent.ts";
import { payoutRoutes } from "../payouts/payout.ts";
import { transferRoutes } from "./transfer.ts";

/*
 * Refunds whose payout is canceled or fails: the payment is on hold again, unchanged. With the real routes and database; the test
 * plays the chain's part for the payout. 100 USD are requested and 0.1 ETH paid, worth 250 USD, of which half is commission. ETH
 * needs 3 confirmations here. After each test the books are checked against transfers and payouts.
 */

const database = useDatabase();
const world = depositWorld(database);
const { resolve, returned, payoutOf, payouts } = payingBack(world);
const withdrawFromSpend = () => Promise.resolve(true);
const payInternally = () => Promise.reject(new Error("no payout stays inside the service here"));
const acting = {
  seal: payoutSeal,
  approve: approvalMessage,
  payInternally,
  withdrawFromSpend,
  approverMinAgeSeconds: 0,
};
const api = apiServer(
  [...payoutRoutes({ ...world.context, ...acting }), ...transferRoutes(world.context)],
  { clock: world.clock },
);
const half = { ratePpm: 500_000, fixedUnits: 0n, minimumUnits: 0n };
let chain: AnnouncingChain;
let shop: Wallet;

beforeEach(async () => {
  chain = await announceChain(world, "ETH");
  payouts.fees.answer = fairFee;
  world.rates.clear();
  world.rates.set("1002 840", rateOf("2500"));
  shop = await arrangeWallet(world, { type: 1, currency: usd });
});
afterEach(() => expectBooksToBalance(database));

async function paid(...amounts: readonly string[]): Promise<Deposit> {
  const deposit = await arrangeDeposit(world, shop, {
    currency: eth,
    requested: "100",
    commission: half,
  });
  await payMore(deposit, ...amounts);
  return deposit;
}

async function payMore(deposit: Deposit, ...amounts: readonly string[]): Promise<void> {
  for (const amount of amounts) {
    await chain.append([payment({ deposit, amount })]);
    world.clock.advance(1);
  }
  await chain.grow(3);
  world.clock.advance(1);
}

async function refunded(deposit: Deposit, options: SendOptions = {}): Promise<Payout> {
  const answer = await resolve(deposit, options);
  expect(answer.status, answer.text).toBe(200);
  world.clock.advance(1);
  return payoutOf(answer, shop.accountId);
}

const accept = (deposit: Deposit) => resolve(deposit, { attributes: { action: "accept" } });

async function cancel({ id }: Payout, as: Principal = ownerOf(shop.accountId)): Promise<void> {
  const answer = await api.ask("POST", `/payout/${id}/cancel/`, { as });
  expect(answer.status, answer.text).toBe(200);
  world.clock.advance(1);
}

/** Applies an outcome of a payout that a chain or the signer's journal reports. */
async function applyOutcome({ id }: Payout, facts: Partial<Payout>): Promise<void> {
  await database.db.transaction((tx) =>
    changePayouts(
      tx,
      world.context,
      [id],
      (payout) => ({ ...payout, ...facts }),
      world.clock.now(),
    ),
  );
  world.clock.advance(1);
}

const sent = { stage: "sending", txid: "0xpaid", block: null } as const;
const reverted = { stage: "failed", block: { height: 7, hash: "0xblock" } } as const;

/** Everything that a deposit's transfers show about amounts and status. */
async function shown(deposit: Deposit) {
  const all = await Promise.all(
    (await readTransfers(world, deposit)).map(async ({ id }) => {
      const as = ownerOf(deposit.accountId);
      const { one, status, text } = await api.ask("GET", `/transfer/${id}/`, { as });
      expect(status, text).toBe(200);
      return one.attributes;
    }),
  );
  return all.map((attributes) => ({
    status: attributes["status"],
    amount: attributes["amount"],
    cleared: attributes["amount_cleared"],
    commission: attributes["commission"],
    message: attributes["message"],
    user: attributes["user_message"],
  }));
}

/** The state that must be equal before a refund and after it was undone. */
async function picture(deposit: Deposit) {
  const { status, statusReason, sums, assets } = await readDeposit(world, deposit);
  return {
    status,
    statusReason,
    sums,
    assets,
    transfers: await shown(deposit),
    balance: await readBalance(world, shop),
  };
}

describe("a refund whose payout is canceled", () => {
  it("returns the payment to Unresolved, with its commission, and credits the wallet nothing", async () => {
    const deposit = await paid("0.1");
    const before = await picture(deposit);
    expect(before).toMatchObject({ status: 5, statusReason: "overpaid" });
    const payout = await refunded(deposit);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 4 });
    world.rates.set("1002 840", rateOf("3000"));
    await cancel(payout);
    expect(await picture(deposit)).toEqual(before);
    expect(before.transfers).toMatchObject([
      {
        cleared: "0.050000000000000000",
        commission: "0.050000000000000000",
        message: "On hold: overpaid",
      },
    ]);
  });

  it("can be accepted afterwards and credits what the first acceptance would have", async () => {
    const deposit = await paid("0.1");
    await cancel(await refunded(deposit));
    expect((await accept(deposit)).status).toBe(200);
    expect(await readBalance(world, shop)).toMatchObject({ available: 12_500n, deficit: 0n });
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
      ...ownerOf(shop.accountId),
      memberId: "5",
      role: "withdrawals_with_approval",
    };
    for (const by of [asker, { ...ownerOf(shop.accountId), role: "admin" as const }]) {
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
    await payMore(deposit, "0.02");
    expect((await accept(deposit)).status).toBe(200);
    world.clock.advance(1);
    await cancel(payout);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    expect(await readBalance(world, shop)).toMatchObject({ available: 7_500n });
    expect((await accept(deposit)).status).toBe(200);
    expect(await readBalance(world, shop)).toMatchObject({ available: 15_000n });
  });

  it("keeps a payment credited that was accepted before the refund is undone and repeated", async () => {
    const deposit = await paid("0.03", "0.03");
    const first = await refunded(deposit);
    await payMore(deposit, "0.03");
    expect((await accept(deposit)).status).toBe(200);
    world.clock.advance(1);
    await cancel(first);
    const second = await refunded(deposit);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 3 });
    expect(await readBalance(world, shop)).toMatchObject({ available: 3_750n });
    await cancel(second);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    expect(await readBalance(world, shop)).toMatchObject({ available: 3_750n });
  });

  it("is reported in the feed and by a callback of the deposit's status", async () => {
    const deposit = await paid("0.1");
    await cancel(await refunded(deposit));
    expect(await readEvents(world, deposit)).toEqual([
      ...["confirmed", "status", "status", "refund_undone (feed)", "status"],
    ]);
  });

  it("follows a payment that a reorg removes and restores", async () => {
    const deposit = await arrangeDeposit(world, shop, {
      currency: eth,
      requested: "100",
      commission: half,
    });
    const hit = payment({ deposit, amount: "0.1" });
    await chain.append([hit]);
    await chain.grow(3);
    const before = await picture(deposit);
    const payout = await refunded(deposit);
    for (let block = 0; block < 4; block += 1) await chain.orphan();
    await cancel(payout);
    expect(await readBalance(world, shop)).toMatchObject({ available: 0n, deficit: 0n });
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 2 });
    await chain.append([hit]);
    await chain.grow(3);
    world.clock.advance(1);
    expect(await picture(deposit)).toEqual({ ...before, transfers: await shown(deposit) });
    expect((await accept(deposit)).status).toBe(200);
    expect(await readBalance(world, shop)).toMatchObject({ available: 12_500n });
  });

  it("cancels the payout and restores the payment in one transaction", async () => {
    const deposit = await paid("0.1");
    const payout = await refunded(deposit);
    // The row for the undone refund cannot be written, so the payout must not be canceled either.
    await database.sql(
      "alter table transfer add constraint refusing check (refund_undone_at is null) not valid",
    );
    try {
      const as = ownerOf(shop.accountId);
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
    const as = ownerOf(shop.accountId);
    const payout = await refunded(deposit);
    const asked = Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0 ? api.ask("POST", `/payout/${payout.id}/cancel/`, { as }) : resolve(deposit),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const live = await database.sql(
      "select id from payout where wallet_id = $1 and stage <> 'cancelled'",
      [shop.walletId],
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
    expect(await readBalance(world, shop)).toMatchObject({ available: 5_000n });
    await cancel(payout);
    expect(await picture(deposit)).toEqual(before);
    expect((await accept(deposit)).status).toBe(200);
    expect(await readBalance(world, shop)).toMatchObject({ available: 12_500n });
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
    expect(await readBalance(world, shop)).toMatchObject({ available: 5_000n });
  });
});

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
    expect(await readBalance(world, shop)).toMatchObject({ available: 12_475n, deficit: 0n });
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
    expect(await readBalance(world, shop)).toMatchObject({ available: 0n, deficit: 0n });
  });

  it("is restored with the kept part at the locked price", async () => {
    const deposit = await arrangeDeposit(world, shop, {
      currency: eth,
      requested: "100",
      commission: half,
      rate: rateOf("2500"),
    });
    await payMore(deposit, "0.1");
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
    expect(await readBalance(world, shop)).toMatchObject({ available: 0n, deficit: 12_500n });
  });

  it("stays undone when the payout comes back after the payment was refunded again", async () => {
    const deposit = await paid("0.1");
    const first = await refunded(deposit);
    await applyOutcome(first, sent);
    await applyOutcome(first, { stage: "failed", txid: null });
    const second = await refunded(deposit);
    await applyOutcome(first, sent);
    expect(await readBalance(world, shop)).toMatchObject({ available: 0n, deficit: 25_000n });
    expect((await shown(deposit))[0]!.message).toBe(`Refunded by payout ${second.id}`);
    await cancel(second);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    expect(await readBalance(world, shop)).toMatchObject({ available: 0n, deficit: 25_000n });
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
            accountId: shop.accountId,
            cause: "test-float",
            postings: [
              {
                debit: systemAccount("equity", usd),
                credit: walletAccount(shop.walletId, "available"),
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
    expect(await readBalance(world, shop)).toMatchObject({ available: 0n, deficit: 0n });
  });
});

describe("the return of a payment that screening holds", () => {
  it("is blocked again when its payout is canceled, and credits nothing", async () => {
    const wallet = await arrangeWallet(world, { accountId: shop.accountId });
    const deposit = await arrangeDeposit(world, wallet, { commission: half });
    const hit = payment({ deposit, amount: "0.5" });
    await chain.append([hit]);
    await database.sql(
      "update transfer set risk_status = 2, is_confirmed = false where deposit_id = $1",
      [deposit.id],
    );
    const provider = {
      name: "test",
      screen: () => Promise.resolve({ risk: 91, verdict: "red" as const }),
    };
    await screenTransfers({ ...world.context, provider }, new AbortController().signal);
    await chain.grow(3);
    const [transfer] = await database.sql<{ id: string }>(
      "select id from transfer where deposit_id = $1",
      [deposit.id],
    );
    const before = await shown(deposit);
    expect(before).toMatchObject([{ status: -2 }]);
    const answer = await returned(
      { accountId: shop.accountId, id: transfer!.id },
      {
        attributes: { address: "0x52908400098527886E0F7030069857D2E4169EE7" },
      },
    );
    expect(answer.status, answer.text).toBe(200);
    expect((await shown(deposit))[0]).toMatchObject({ cleared: "0.000000000000000000" });
    await cancel(await payoutOf(answer, shop.accountId));
    expect(await shown(deposit)).toEqual(before);
    expect(await readBalance(world, wallet)).toEqual({ available: 0n, pending: 0n, deficit: 0n });

    const released = await api.ask("POST", `/transfer/${transfer!.id}/release/`, {
      as: ownerOf(shop.accountId),
      body: { data: { type: "transfer", attributes: { reason: "The payer is known" } } },
    });
    expect(released.status, released.text).toBe(200);
    expect(await readBalance(world, wallet)).toMatchObject({ available: units("0.25", eth) });
    expect(await readEvents(world, deposit)).toEqual([
      ...["blocked", "refund_undone (feed)", "confirmed"],
    ]);
  });
});
