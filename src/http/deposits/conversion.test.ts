/*
 * Conversions through the whole API, at prices that the tests change: no sequence of payments gains value from the operator,
 * except by holding a currency while its price moves.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import { dollar, ether, usdc, useConversions } from "../../../test/support/conversion-site.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { announceChain, payment } from "../../../test/support/deposit-world.ts";
import { takenFee } from "../../../test/support/fee-node.ts";
import { receiver } from "../../../test/support/payout-world.ts";
import { databaseDigest, useWholeApi } from "../../../test/support/whole-api.ts";
import { payAll } from "../../../test/support/whole-payments.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { readDepositRow } from "../../deposits/deposit-list.store.ts";
import { changePayouts } from "../../payouts/change-payouts.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";

const api = useWholeApi(useDatabase());
const site = useConversions(api);
const { merchant, enterprise } = walletType;

beforeEach(() =>
  site.quote({ ETH: ["2500", "2502"], USDC: ["0.9995", "1.0005"], EUR: ["1.1", "1.1"] }),
);

describe("a conversion between wallets", () => {
  it("charges the ask, rounded up, and credits the bid, rounded down", async () => {
    const dollars = await site.wallet(merchant, dollar, "1000");
    const ethers = await site.wallet(enterprise, ether);
    const paid = await site.payWallet(dollars, ether, "0.100001", ethers);
    expect(paid.one.attributes["rate_requested"]).toBe("2502.00000000");
    // 0.100001 x 2502 = 250.202502
    expect(await site.available(dollars)).toBe(100_000n - 25_021n);
    await site.payWallet(ethers, ether, "0.100001", dollars);
    // 0.100001 x 2500 = 250.0025
    expect(await site.available(dollars)).toBe(100_000n - 25_021n + 25_000n);
  });

  it("combines both sides of both currencies in a cross rate", async () => {
    const coins = await site.wallet(merchant, usdc, "3000");
    const ethers = await site.wallet(enterprise, ether);
    await site.payWallet(coins, ether, "1", ethers);
    // 2502 / 0.9995
    expect(await site.available(coins)).toBe(3_000_000_000n - 2_503_251_626n);
    const other = await site.wallet(merchant, usdc);
    await site.payWallet(ethers, ether, "1", other);
    // 2500 / 1.0005
    expect(await site.available(other)).toBe(2_498_750_624n);
  });

  it("loses value in a closed loop of dollars, USD Coin, ether and dollars", async () => {
    const dollars = await site.wallet(merchant, dollar, "2500");
    const coins = await site.wallet(merchant, usdc);
    let before = await site.available(dollars);
    for (let loop = 0; loop < 20; loop += 1) {
      const incoming = await site.payWallet(dollars, usdc, "2400", coins);
      expect(incoming.status).toBe(201);
      // All the coins that this amount buys at the ask, with a negligible remainder.
      const back = await site.payWallet(coins, ether, "0.958", dollars);
      expect(back.status).toBe(201);
      const after = await site.available(dollars);
      expect(after, `cents after loop ${loop}`).toBeLessThan(before);
      before = after;
      const rest = await site.available(coins);
      await site.payWallet(coins, usdc, decimal(rest, 6), dollars);
      before = await site.available(dollars);
      expect(before, `cents with what was left of loop ${loop}`).toBeLessThan(250_000n);
    }
  });

  it("is calculated at the ask", async () => {
    const dollars = await site.wallet(merchant, dollar, "250.1");
    const body = {
      data: {
        type: "payout-calculation",
        attributes: { amount: "0.1", to_address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72" },
        relationships: {
          wallet: { data: { type: "wallet", id: dollars } },
          currency: { data: { type: "currency", id: ether } },
        },
      },
    };
    const answer = await site.post("/payout/calculate/", body);
    expect([answer.status, answer.errors[0]?.code]).toEqual([400, "4008"]);
  });
});

describe("a payment to a deposit inside the service", () => {
  it("is worth the current bid, whatever rate the deposit has locked", async () => {
    const dollars = await site.wallet(merchant, dollar, "2500");
    const invoices: string[] = [];
    for (let number = 0; number < 5; number += 1)
      invoices.push(await site.invoice(dollars, { target_amount_requested: "100" }));
    await site.quote({ ETH: ["2450", "2450"] });
    for (const id of invoices) await site.payDeposit(dollars, id, "0.04");
    // Charged 98.00 and credited 98.00, five times: no wallet gains value.
    expect((await site.available(dollars)) + (await unresolvedOf(dollars))).toBeLessThanOrEqual(
      250_000n,
    );
    const { one } = await site.get(`/deposit/${invoices[0] ?? ""}/`);
    expect(one.attributes).toMatchObject({ target_paid: "98.00", status: 2 });
  });

  it("in ether of another account is worth the current bid", async () => {
    const dollars = await site.wallet(merchant, dollar);
    const ethers = await site.wallet(enterprise, ether, "1");
    const id = await site.invoice(dollars, { target_amount_requested: "100" });
    await site.quote({ ETH: ["2000", "2000"] });
    await site.payDeposit(ethers, id, "0.04");
    const { one } = await site.get(`/deposit/${id}/`);
    expect(one.attributes).toMatchObject({ target_paid: "80.00", status: 2 });
  });

  it("is rejected with 4018 without a fresh price", async () => {
    const dollars = await site.wallet(merchant, dollar);
    const ethers = await site.wallet(enterprise, ether, "1");
    const id = await site.invoice(dollars, { target_amount_requested: "100" });
    api.clock.advance(2);
    await api.database.sql("delete from rate_quote where symbol = 'ETH'");
    const answer = await site.payDeposit(ethers, id, "0.04");
    expect([answer.status, answer.errors[0]?.code]).toEqual([503, "4018"]);
    expect(await site.available(ethers)).toBe(10n ** 18n);
  });
});

describe("a payout from a Merchant wallet that waits for a decision", () => {
  const clerk = async () => {
    const { accountId } = site.tenant().owner;
    return api.tokenOf(await api.arrangeMember({ accountId, role: "withdrawals_with_approval" }));
  };
  const charged = async (walletId: string) => {
    const [row] = await api.database.sql<{ available: bigint; held: bigint }>(
      "select available, held from wallet_balance where wallet_id = $1",
      [walletId],
    );
    return row;
  };

  it("is charged at the current ask when it is approved after 15 minutes", async () => {
    const dollars = await site.wallet(merchant, dollar, "1000");
    const { one } = await site.payOut(dollars, "0.1", await clerk());
    const before = await charged(dollars);
    await site.quote({ ETH: ["2800", "2802"] });
    expect((await site.get(`/payout/${one.id}/approval/`)).one.attributes).toMatchObject({
      charged_on_decision: "250.33",
    });
    await site.pass(901);
    expect((await site.get(`/payout/${one.id}/approval/`)).one.attributes).toMatchObject({
      charged: "250.33",
      charged_on_decision: "280.35",
      rate_on_decision: "2802.00000000",
    });
    const approved = await site.post(`/payout/${one.id}/approve/`);
    expect(approved.one.attributes["rate_requested"]).toBe("2802.00000000");
    expect(before).toEqual({ available: 74_967n, held: 25_033n });
    expect(await charged(dollars)).toEqual({ available: 71_965n, held: 28_035n });
  });

  it("keeps its charge when it is approved within 15 minutes", async () => {
    const dollars = await site.wallet(merchant, dollar, "1000");
    const { one } = await site.payOut(dollars, "0.1", await clerk());
    await site.quote({ ETH: ["2800", "2802"] });
    await site.post(`/payout/${one.id}/approve/`);
    expect(await charged(dollars)).toEqual({ available: 74_967n, held: 25_033n });
  });

  it("refunds the difference to the wallet when the price fell", async () => {
    const dollars = await site.wallet(merchant, dollar, "1000");
    const { one } = await site.payOut(dollars, "0.1", await clerk());
    await site.pass(901);
    await site.quote({ ETH: ["2000", "2002"] });
    await site.post(`/payout/${one.id}/approve/`);
    expect(await charged(dollars)).toEqual({ available: 79_969n, held: 20_031n });
  });

  it("is not approved (4008), with nothing changed, when the balance does not cover the current price", async () => {
    const dollars = await site.wallet(merchant, dollar, "260");
    const { one } = await site.payOut(dollars, "0.1", await clerk());
    await site.pass(901);
    await site.quote({ ETH: ["2800", "2802"] });
    const before = await databaseDigest(api.database);
    const refused = await site.post(`/payout/${one.id}/approve/`);
    expect([refused.status, refused.errors[0]?.code]).toEqual([400, "4008"]);
    expect(await databaseDigest(api.database)).toEqual(before);
  });

  it("that stays inside the service is charged and credited at the price at its approval", async () => {
    const dollars = await site.wallet(merchant, dollar, "1000");
    const ethers = await site.wallet(enterprise, ether);
    const { one } = await site.payWallet(dollars, ether, "0.1", ethers, await clerk());
    await site.quote({ ETH: ["2800", "2802"] });
    await site.post(`/payout/${one.id}/approve/`);
    expect(await charged(dollars)).toEqual({ available: 71_980n, held: 0n });
    expect(await site.available(ethers)).toBe(10n ** 17n);
  });

  it("is charged at the current ask when it is released after 15 minutes", async () => {
    const dollars = await site.wallet(merchant, dollar, "1000");
    const { one } = await site.payOut(dollars, "0.1");
    await block(one.id);
    await site.pass(901);
    await site.quote({ ETH: ["2800", "2802"] });
    const [transfer] = await api.database.sql<{ id: string }>(
      "select id from transfer where payout_id = $1",
      [one.id],
    );
    const released = await site.post(`/transfer/${transfer?.id ?? ""}/release/`, {
      data: { type: "transfer", attributes: { reason: "The payee is known" } },
    });
    expect(released.status).toBe(200);
    expect(await charged(dollars)).toEqual({ available: 71_965n, held: 28_035n });
  });

  it("is charged once when two members approve it concurrently", async () => {
    const dollars = await site.wallet(merchant, dollar, "1000");
    const { one } = await site.payOut(dollars, "0.1", await clerk());
    await site.pass(901);
    await site.quote({ ETH: ["2800", "2802"] });
    const { accountId } = site.tenant().owner;
    const other = await api.tokenOf(await api.arrangeMember({ accountId, role: "admin" }));
    const answers = await Promise.all(
      [site.token(), other].map((as) => site.post(`/payout/${one.id}/approve/`, undefined, as)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await charged(dollars)).toEqual({ available: 71_965n, held: 28_035n });
  });
});

describe("a payment on hold", () => {
  /** A deposit of 100 dollars with a payment of 0.07 ether, worth 175 dollars at its rate lock. */
  const overpaid = async (wallet: string) => {
    const id = await site.invoice(wallet, { target_amount_requested: "100" });
    const { accountId } = site.tenant();
    await payAll(api, "ETH", [{ accountId, id, amount: "0.07" }]);
    return id;
  };
  const resolve = (id: string, attributes: JsonObject, headers = {}) =>
    api.ask({
      method: "POST",
      path: `/deposit/${id}/resolve/`,
      as: site.token(),
      body: { data: { type: "deposit", attributes } },
      headers,
    });

  it("is accepted at its rate lock until that expires", async () => {
    const dollars = await site.wallet(merchant, dollar);
    const id = await overpaid(dollars);
    await site.quote({ ETH: ["2000", "2002"] });
    expect((await site.get(`/deposit/${id}/resolution/`)).one.attributes).toMatchObject({
      accept_amount: "175.00",
      rate: null,
    });
    expect((await resolve(id, { action: "accept" })).status).toBe(200);
    expect(await site.available(dollars)).toBe(17_500n);
  });

  it("is accepted at the current bid after its rate lock expired, and the deposit becomes Paid", async () => {
    const dollars = await site.wallet(merchant, dollar);
    const id = await overpaid(dollars);
    await site.pass(901);
    await site.quote({ ETH: ["1000", "1002"] });
    expect((await site.get(`/deposit/${id}/resolution/`)).one.attributes).toMatchObject({
      accept_amount: "70.00",
      rate: "1000.00000000",
    });
    const { one } = await resolve(id, { action: "accept" });
    expect(one.attributes).toMatchObject({ status: 3, target_paid: "70.00" });
    expect(await site.available(dollars)).toBe(7_000n);
    await expectBooksToBalance(api.database);
  });

  it("keeps its new value and its deposit's status through a reorg", async () => {
    const dollars = await site.wallet(merchant, dollar);
    const id = await site.invoice(dollars, { target_amount_requested: "100" });
    const { accountId } = site.tenant();
    const chain = await announceChain(api.world(), "ETH");
    const deposit = present(await readDepositRow(api.database.db, accountId, id), "the deposit");
    const paid = payment({ deposit, amount: "0.07" });
    await chain.append([paid]);
    await chain.grow(1);
    await site.pass(901);
    await site.quote({ ETH: ["1000", "1002"] });
    await resolve(id, { action: "accept" });
    await chain.orphan();
    await chain.orphan();
    expect(await site.available(dollars)).toBe(0n);
    await chain.append([paid]);
    await chain.grow(2);
    expect(await site.available(dollars)).toBe(7_000n);
    expect((await site.get(`/deposit/${id}/`)).one.attributes).toMatchObject({ status: 3 });
    await expectBooksToBalance(api.database);
  });

  it("is not accepted after its rate lock expired while there is no fresh price", async () => {
    const dollars = await site.wallet(merchant, dollar);
    const id = await overpaid(dollars);
    await site.pass(901);
    await api.database.sql("delete from rate_quote where symbol = 'ETH'");
    const refused = await resolve(id, { action: "accept" });
    expect([refused.status, refused.errors[0]?.code]).toEqual([400, "5006"]);
    expect((await site.get(`/deposit/${id}/resolution/`)).one.attributes).toMatchObject({
      accept_amount: null,
    });
  });

  it("is accepted at the current bid at once if an off-chain payer sent it, since no lock valued it", async () => {
    const dollars = await site.wallet(merchant, dollar);
    const ethers = await site.wallet(enterprise, ether, "1");
    const id = await site.invoice(dollars, { target_amount_requested: "100" });
    await site.payDeposit(ethers, id, "0.07");
    await site.quote({ ETH: ["2000", "2002"] });
    await resolve(id, { action: "accept" });
    expect(await site.available(dollars)).toBe(14_000n);
  });

  it("is partially accepted at the current bid after its rate lock expired", async () => {
    const dollars = await site.wallet(merchant, dollar);
    const id = await overpaid(dollars);
    await site.pass(901);
    await site.quote({ ETH: ["2000", "2002"] });
    const answer = await resolve(
      id,
      {
        action: "partial",
        address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
        fee_amount: takenFee,
        travel_rule_info: receiver,
      },
      { "idempotency-key": systemRandom.uuid() },
    );
    expect(answer.status, answer.text).toBe(200);
    // 100 dollars are 0.05 ether now; 0.02 ether are refunded.
    expect(await site.available(dollars)).toBe(10_000n);
    const [payout] = await api.database.sql<{ readonly id: string }>(
      "select id, units from payout order by id desc limit 1",
    );
    expect(payout).toMatchObject({ units: 19_950_000_000_000_000n });
    // The refund's payout names the deposit.
    const paidBack = await site.get(
      `/payout/${present(payout, "the refund's payout").id}/approval/`,
    );
    expect(paidBack.one.attributes["refunded_deposit"]).toBe(id);
  });
});

/** Changes a transfer the way screening does. */
async function block(payoutId: string): Promise<void> {
  const { context } = api.world();
  await api.database.db.transaction((tx) =>
    changePayouts(
      tx,
      context,
      [payoutId],
      (payout) => ({ ...payout, stage: "blocked" }),
      api.clock.now(),
    ),
  );
}

/** The funds on hold in a wallet's deposits, in cents. */
async function unresolvedOf(walletId: string): Promise<bigint> {
  const [row] = await api.database.sql<{ units: bigint }>(
    `select coalesce(sum(target_units), 0) as units from transfer
     where wallet_id = $1 and disposition in ('pending', 'unresolved')`,
    [walletId],
  );
  return row?.units ?? 0n;
}

function decimal(units: bigint, exp: number): string {
  const digits = units.toString().padStart(exp + 1, "0");
  return `${digits.slice(0, -exp)}.${digits.slice(-exp)}`;
}
