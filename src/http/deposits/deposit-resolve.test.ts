import { beforeEach, describe, expect, it } from "vitest";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  btc,
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
  usdt,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { useEtherShop } from "../../../test/support/ether-shop.ts";
import { faults } from "../../../test/support/faults.ts";
import type { SendOptions } from "../../../test/support/paying-back.ts";
import {
  bitcoinPayee,
  fairFee,
  payee,
  payoutDigest,
  stopPayouts,
} from "../../../test/support/payout-world.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { cancelDeposit } from "../../deposits/payments/change-deposit.ts";
import { systemAccount, walletAccount } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";

/*
 * Refunds of Unresolved deposits with the real routes and database: either one transaction turns the funds on hold into a payout,
 * or nothing changes. The wallets are empty otherwise, so each refund must pay for itself. ETH needs 3 confirmations here. After
 * each test the books are checked against transfers and payouts.
 */

const site = useEtherShop({ price: "2500.37" });
const { database, world, resolve, payoutOf, payouts, invoice, pay } = site;
const fee = 200n;
beforeEach(async () => {
  await database.sql("delete from payout_limit");
  await database.sql("delete from payout_stop");
  await database.sql("delete from commission_terms");
});

async function overpaid(options: Parameters<typeof invoice>[0] = {}): Promise<Deposit> {
  const deposit = await invoice(options);
  await pay(deposit, "0.0512345");
  expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
  return deposit;
}

async function heldOf({ walletId }: Wallet) {
  const [row] = await database.sql<{ available: bigint; held: bigint }>(
    "select available, held from wallet_balance where wallet_id = $1",
    [walletId],
  );
  return row;
}

describe("a refund", () => {
  it("refunds all funds on hold from an empty wallet at the current rate, minus the fee", async () => {
    const deposit = await overpaid();
    world.rates.set("1002 840", rateOf("2613.91"));
    const answer = await resolve(deposit, {
      attributes: { callback_url: "https://shop.example/p" },
    });
    expect([answer.status, answer.one.id, answer.one.attributes["status"]]).toEqual([
      ...[200, deposit.id, 4],
    ]);
    const payout = await payoutOf(answer, site.shop.accountId);
    const waited = units("0.0512345", eth);
    // 0.0512345 ETH at 2613.91, rounded up.
    expect(payout).toMatchObject({
      units: waited - fee,
      paidUnits: waited - fee,
      feeUnits: fee,
      isFeeIncluded: false,
      chargedUnits: 13_393n,
      address: payee,
      stage: "held",
      status: 2,
      walletId: site.shop.walletId,
      commissionUnits: 0n,
      callbackUrl: "https://shop.example/p",
    });
    expect(await heldOf(site.shop)).toEqual({ available: 0n, held: 13_393n });
    expect(await readDeposit(world, deposit)).toMatchObject({
      status: 4,
      statusReason: "refunded",
    });
    expect(await readTransfers(world, deposit)).toMatchObject([
      { disposition: "refunded", status: 2, message: `Refunded by payout ${payout.id}` },
    ]);
    expect(await readEvents(world, deposit)).toEqual(["confirmed", "status", "status"]);
  });

  it("charges no commission", async () => {
    await database.sql(
      `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
       values ($1, $2, 'payout', 10000, 5, 0)`,
      [site.shop.accountId, eth],
    );
    const commission = { ratePpm: 10_000, fixedUnits: 0n, minimumUnits: 0n };
    const deposit = await overpaid({ commission });
    const payout = await payoutOf(await resolve(deposit), site.shop.accountId);
    expect(payout).toMatchObject({ commissionUnits: 0n, units: units("0.0512345", eth) - fee });
  });

  it("deducts the fee of a bitcoin refund and charges a token refund's fee to the operator", async () => {
    world.rates.set("1000 840", rateOf("100000"));
    world.rates.set("2015 840", rateOf("1"));
    const bitcoin = await announceChain(world, "BTC");
    const ofBitcoin = await invoice({ currency: btc });
    await bitcoin.append([payment({ deposit: ofBitcoin, amount: "0.002" })]);
    await bitcoin.grow(3);
    const ofTether = await invoice({ currency: usdt });
    await pay(ofTether, "150.5");
    const paidInBitcoin = await resolve(ofBitcoin, {
      attributes: { address: bitcoinPayee, fee_amount: "0.000002" },
    });
    expect(await payoutOf(paidInBitcoin, site.shop.accountId)).toMatchObject({
      units: 200_000n,
      paidUnits: 199_800n,
      isFeeIncluded: true,
      chargedUnits: 20_000n,
    });
    expect(await payoutOf(await resolve(ofTether), site.shop.accountId)).toMatchObject({
      units: 150_500_000n,
      paidUnits: 150_500_000n,
      feeWalletId: null,
      chargedUnits: 15_050n,
    });
  });

  it("splits the payout's charge over several payments without rounding loss", async () => {
    const deposit = await invoice();
    await pay(deposit, "0.0133333", "0.0133334", "0.0177777");
    const payout = await payoutOf(await resolve(deposit), site.shop.accountId);
    const transfers = await readTransfers(world, deposit);
    expect(transfers.map(({ disposition }) => disposition)).toEqual([
      ...["refunded", "refunded", "refunded"],
    ]);
    const credited = transfers.reduce((sum, { refund }) => sum + refund!.targetUnits, 0n);
    expect(credited).toBe(payout.chargedUnits);
    expect(await heldOf(site.shop)).toEqual({ available: 0n, held: payout.chargedUnits });
  });

  it("refunds only the second payment and keeps the deposit Paid", async () => {
    const deposit = await invoice({ inaccuracy: "1" });
    await pay(deposit, "0.04", "0.01");
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    const answer = await resolve(deposit);
    expect(answer.one.attributes["status"]).toBe(3);
    expect(await payoutOf(answer, site.shop.accountId)).toMatchObject({
      units: units("0.01", eth) - fee,
    });
    const dispositions = (await readTransfers(world, deposit)).map(
      ({ disposition }) => disposition,
    );
    expect(dispositions).toEqual(["credited", "refunded"]);
  });

  it("ends a canceled or expired deposit as Canceled; later payments are on hold again", async () => {
    const canceled = await invoice();
    await pay(canceled, "0.01");
    await cancelDeposit(world.context, ownerOf(site.shop.accountId), canceled.id);
    world.clock.advance(1);
    expect((await resolve(canceled)).one.attributes["status"]).toBe(4);
    const late = await invoice({ timeLimit: 60 });
    world.clock.advance(61);
    await pay(late, "0.04");
    expect((await resolve(late)).one.attributes["status"]).toBe(4);
    for (const deposit of [canceled, late]) {
      await pay(deposit, "0.04");
      expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    }
  });

  it("settles the deposit while the payout of a member without approval rights waits", async () => {
    const deposit = await overpaid();
    const as = { ...ownerOf(site.shop.accountId), role: "withdrawals_with_approval" as const };
    const answer = await resolve(deposit, { as });
    expect(answer.one.attributes["status"]).toBe(4);
    expect(await payoutOf(answer, site.shop.accountId)).toMatchObject({
      status: 1,
      stage: "waiting",
    });
  });

  it("waits for approval above a payout limit", async () => {
    await database.sql(
      `insert into payout_limit (account_id, currency, span, units) values ($1, $2, 'transaction', 1)`,
      [site.shop.accountId, eth],
    );
    const answer = await resolve(await overpaid());
    expect(await payoutOf(answer, site.shop.accountId)).toMatchObject({
      status: 1,
      stage: "waiting",
    });
  });

  it("stays off-chain without a fee for an address of this service", async () => {
    const other = await arrangeWallet(world);
    const target = await arrangeDeposit(world, other);
    const deposit = await overpaid();
    const answer = await resolve(deposit, {
      attributes: { address: target.address, fee_amount: undefined },
    });
    expect(await payoutOf(answer, site.shop.accountId)).toMatchObject({
      stage: "internal",
      units: units("0.0512345", eth),
      feeUnits: 0n,
    });
    expect(await heldOf(other)).toMatchObject({ available: units("0.0512345", eth) });
  });
});

describe("a rejected refund", () => {
  const attribute = (name: string): string => `/data/attributes/${name}`;
  const refusals: readonly (readonly [string, SendOptions, readonly string[]])[] = [
    ["has no key", { key: null }, ["428", "1003 idempotency-key"]],
    ["has a malformed key", { key: "abc" }, ["400", "1007 idempotency-key"]],
    [
      "has no travel-rule data, no address and a malformed fee",
      { attributes: { travel_rule_info: undefined, address: "", fee_amount: "x" } },
      [
        "400",
        ...["address", "fee_amount", "travel_rule_info"].map((name) => `1007 ${attribute(name)}`),
      ],
    ],
    [
      "has no fee",
      { attributes: { fee_amount: undefined } },
      ["400", `1007 ${attribute("fee_amount")}`],
    ],
    [
      "has a fee below the minimum",
      { attributes: { fee_amount: "0.000000000000000049" } },
      ["400", `4009 ${attribute("fee_amount")}`],
    ],
    [
      "has a fee above the refunded amount",
      { attributes: { fee_amount: "1" } },
      ["400", `4019 ${attribute("fee_amount")}`],
    ],
    [
      "has a malformed address",
      { attributes: { address: "0x12" } },
      ["400", `7001 ${attribute("address")}`],
    ],
    [
      "has a tag where the chain has none",
      { attributes: { tag: "7" } },
      ["400", `1007 ${attribute("tag")}`],
    ],
    [
      "has a callback URL with a private address",
      { attributes: { callback_url: "https://127.0.0.1/" } },
      ["400", `1007 ${attribute("callback_url")}`],
    ],
  ];

  it.each(refusals)("reports the error if the request %s", async (_name, options, expected) => {
    const deposit = await overpaid();
    await expectRefused(deposit, options, expected);
  });

  it("returns 403 for Read only, 4002 without the right to pay, and 5001 or 404 without access", async () => {
    const deposit = await overpaid();
    const owner = ownerOf(site.shop.accountId);
    const rights = new Map([[site.shop.walletId, { mayPay: false }]]);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    await expectRefused(deposit, { as: { ...owner, role: "read_only" } }, [
      "403",
      "permission_denied",
    ]);
    await expectRefused(deposit, { as: { ...owner, wallets: rights } }, ["400", "4002"]);
    await expectRefused(deposit, { as: { ...owner, wallets: new Map() } }, ["400", "5001"]);
    await expectRefused(deposit, { as: stranger }, ["404", "404"]);
  });

  it("rejects refunds while payouts are stopped, without a price or fee quote, and to unknown addresses", async () => {
    const deposit = await overpaid();
    payouts.fees.answer = null;
    await expectRefused(deposit, {}, ["503", "4018"]);
    payouts.fees.answer = fairFee;
    world.rates.clear();
    await expectRefused(deposit, {}, ["503", "4018"]);
    world.rates.set("1002 840", rateOf("2500"));
    await database.sql("update account set pays_book_only = true where id = $1", [
      site.shop.accountId,
    ]);
    await expectRefused(deposit, {}, ["400", `7001 ${attribute("address")}`]);
    await stopPayouts(database, "chain/ETH", false);
    await database.sql("update account set pays_book_only = false where id = $1", [
      site.shop.accountId,
    ]);
    await expectRefused(deposit, {}, ["403", "3019"]);
  });

  it("rejects a refund from a wallet with a deficit", async () => {
    const deposit = await overpaid();
    const debit = walletAccount(site.shop.walletId, "available");
    const posting = { debit, credit: systemAccount("equity", usd), currency: usd, units: 1n };
    await database.db.transaction((tx) =>
      post(tx, [{ ...site.shop, cause: "test-loss", postings: [posting] }], world.clock.now()),
    );
    await expectRefused(deposit, {}, ["400", "4008"]);
  });

  it("rejects a refund before all payments are final", async () => {
    const deposit = await invoice({ confirmationsNeeded: 1 });
    await site.chain.append([payment({ deposit, amount: "0.05" })]);
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 5 });
    await expectRefused(deposit, {}, ["400", "1007"]);
    await site.chain.grow(3);
    world.clock.advance(1);
    expect((await resolve(deposit)).status).toBe(200);
  });

  it("rejects a refund of a deposit that is not Unresolved", async () => {
    const deposit = await invoice();
    await expectRefused(deposit, {}, ["400", "1007"]);
  });

  async function expectRefused(
    deposit: Deposit,
    options: SendOptions,
    expected: readonly string[],
  ) {
    const key = systemRandom.uuid();
    const before = [await payoutDigest(database), await readDeposit(world, deposit)];
    const answer = await resolve(deposit, { key, ...options });
    expect(faults(answer)).toEqual(expected);
    expect([await payoutDigest(database), await readDeposit(world, deposit)]).toEqual(before);
    expect(await database.sql("select from payout_key where key = $1", [key])).toEqual([]);
  }
});

describe("a repeated refund", () => {
  it("returns 409 with the payout's id for the same key and body only", async () => {
    const [deposit, other] = [await overpaid(), await overpaid()];
    const key = systemRandom.uuid();
    const first = await resolve(deposit, { key });
    const payout = await payoutOf(first, site.shop.accountId);
    const again = await resolve(deposit, { key });
    expect(faults(again)).toEqual(["409", "1004 idempotency-key"]);
    expect(again.errors[0]!.meta).toEqual({ payout_id: payout.id });
    for (const answer of [
      await resolve(other, { key }),
      await resolve(deposit, { key, attributes: { tag: "1" } }),
    ]) {
      expect(faults(answer)).toEqual(["409", "1004 idempotency-key"]);
      expect(answer.errors[0]!.meta).toBeUndefined();
    }
  });

  it("creates one of two concurrent refunds and does not refund accepted payments", async () => {
    const deposit = await overpaid();
    const answers = await Promise.all(Array.from({ length: 12 }, () => resolve(deposit)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status !== 200) expect(faults(answer)).toEqual(["400", "1007"]);
    }
    expect(
      await database.sql("select from payout where wallet_id = $1", [site.shop.walletId]),
    ).toHaveLength(1);
  });
});

describe("a reorg after a refund", () => {
  it("keeps a refund through a reorg that removes and restores its payment", async () => {
    const deposit = await invoice();
    const paid = payment({ deposit, amount: "0.05", txid: "0xgone" });
    await site.chain.append([paid]);
    await site.chain.grow(3);
    world.clock.advance(1);
    const payout = await payoutOf(await resolve(deposit), site.shop.accountId);
    for (let block = 0; block < 4; block += 1) await site.chain.orphan();
    expect(await readBalance(world, site.shop)).toMatchObject({
      available: 0n,
      deficit: payout.chargedUnits,
    });
    expect(await readDeposit(world, deposit)).toMatchObject({ status: 4 });
    await expectBooksToBalance(database);
    await site.chain.append([paid]);
    await site.chain.grow(3);
    expect(await readBalance(world, site.shop)).toMatchObject({ available: 0n, deficit: 0n });
    expect(await readDeposit(world, deposit)).toMatchObject({
      status: 4,
      statusReason: "refunded",
    });
    expect(await readTransfers(world, deposit)).toMatchObject([
      { disposition: "refunded", status: 2 },
    ]);
  });
});
