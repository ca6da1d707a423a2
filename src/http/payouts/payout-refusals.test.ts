import { describe, expect, it } from "vitest";
import { created } from "../../../test/support/deposit-api.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  fillPool,
  ownerOf,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import {
  bitcoinPayee,
  currencyIs,
  fairFee,
  fund,
  type Members,
  postPayout,
} from "../../../test/support/payout-world.ts";
import {
  attribute,
  bitcoinPayout,
  currencyPointer,
  tetherPayout,
  usePayoutRefusals,
  walletPointer,
} from "../../../test/support/use-payout-refusals.ts";
import type { Principal } from "../../accounts/principal.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { FeesTooHigh, type ReceiverState } from "../../chains/paying-port.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";

/*
 * The rows of the interface's "Create payout" with their own codes, over the real server and database: status, code
 * and pointer; the rejected request changes nothing and does not use its key. 1007 is in
 * payout-invalid-value.test.ts.
 */

const { database, world, payouts, wallets, refused, withAttributes, stop, resume } =
  usePayoutRefusals();
const matic = "1146" as CurrencyId;
const dai = "2068" as CurrencyId;

describe("wallet", () => {
  it.each([1, 2])("returns 3008 for a wallet of status %i", async (status) => {
    const wallet = await arrangeWallet(world);
    await database.sql("update wallet set status = $2 where id = $1", [wallet.walletId, status]);
    await fund(world, wallet, "1");
    expect(await refused(wallet)).toEqual(["400", `3008 ${walletPointer}`]);
  });

  it("returns 3021 for a wallet awaiting its activation transfer", async () => {
    const wallet = await arrangeWallet(world);
    await database.sql("update wallet set needs_activation = true where id = $1", [
      wallet.walletId,
    ]);
    await fund(world, wallet, "1");
    expect(await refused(wallet)).toEqual(["400", `3021 ${walletPointer}`]);
  });

  it.each([walletType.custody, walletType.nft])(
    "returns 3022 for a wallet of type %i",
    async (type) => {
      const wallet = await arrangeWallet(world, { type });
      await fund(world, wallet, "1");
      expect(await refused(wallet)).toEqual(["400", `3022 ${walletPointer}`]);
    },
  );

  it("returns 4002 for a wallet that the caller may view but not pay from, and 403 for the Read only role", async () => {
    const granted = new Map([[wallets.ether.walletId, { mayPay: false }]]);
    const as: Principal = { ...ownerOf(wallets.ether.accountId), memberId: "9", wallets: granted };
    expect(await refused(wallets.ether, { as })).toEqual(["400", `4002 ${walletPointer}`]);
    const reader: Principal = { ...as, role: "read_only", wallets: "all" };
    expect(await refused(wallets.ether, { as: reader })).toEqual(["403", "permission_denied"]);
  });

  it("returns 4002 for an own wallet that the caller may not view, and nothing else about it", async () => {
    const wallet = await arrangeWallet(world, { accountId: wallets.ether.accountId });
    const as: Principal = { ...ownerOf(wallet.accountId), memberId: "9", wallets: new Map() };
    const { errors } = await postPayout(payouts, wallet, { as });
    expect(errors).toMatchObject([{ code: "4002", source: { pointer: walletPointer } }]);
    await database.sql(
      "update wallet set status = 1, needs_activation = true, payouts_blocked = true where id = $1",
      [wallet.walletId],
    );
    const again = await postPayout(payouts, wallet, { as, attributes: { amount: "1000" } });
    expect(again.errors.map(({ code, detail }) => [code, detail])).toEqual(
      errors.map(({ code, detail }) => [code, detail]),
    );
    expect(await refused(wallet, { as, attributes: { label: "x".repeat(33) } })).toEqual([
      "400",
      `1007 ${attribute("label")}`,
    ]);
  });

  it("returns 3019 if payouts of the wallet, the chain or the service are paused, or the account is not ready", async () => {
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "1");
    await database.sql("update wallet set payouts_blocked = true where id = $1", [wallet.walletId]);
    expect(await refused(wallet)).toEqual(["403", `3019 ${walletPointer}`]);
    const as: Principal = {
      ...ownerOf(wallets.ether.accountId),
      memberId: "9",
      accountIsReady: false,
    };
    expect(await refused(wallets.ether, { as })).toEqual(["403", `3019 ${walletPointer}`]);
    for (const scope of ["all", "chain/ETH"]) {
      await stop(scope, false);
      expect(await refused(wallets.ether)).toEqual(["403", "3019"]);
      await resume();
    }
    await stop("chain/BTC", false);
    created(await postPayout(payouts, wallets.ether));
    await resume();
  });
});

describe("receiver", () => {
  it("returns 7001 for an address that is invalid or of another chain", async () => {
    const addresses = [
      ...["nobody", bitcoinPayee, "0x8ba1f109551bd432803012645ac136ddd64dba7"],
      ...[
        "0x8Ba1f109551bD432803012645Ac136ddd64DBA72",
        "0x0000000000000000000000000000000000000000",
      ],
    ];
    for (const address of addresses) {
      expect(await withAttributes(wallets.ether, { address })).toEqual([
        "400",
        `7001 ${attribute("address")}`,
      ]);
    }
  });

  it("returns 7001 for a receiver that cannot be paid, 1007 for a missing tag, 4013 below what creates its account", async () => {
    const unit = 10n ** 17n;
    const cases: readonly (readonly [ReceiverState, string])[] = [
      [
        { kind: "impossible", member: "address", reason: "It has no trust line." },
        `7001 ${attribute("address")}`,
      ],
      [
        { kind: "impossible", member: "tag", reason: "It requires a tag." },
        `1007 ${attribute("tag")}`,
      ],
      [{ kind: "needsActivation", minimumUnits: unit + 1n }, `4013 ${attribute("amount")}`],
    ];
    for (const [receiver, expected] of cases) {
      payouts.fees.receiver = receiver;
      expect(await withAttributes(wallets.ether, { amount: "0.1" })).toEqual(["400", expected]);
      // The fee comes first in the interface's table.
      if (receiver.kind === "impossible" && receiver.member === "address")
        expect(await withAttributes(wallets.ether, { amount: "0.1", fee_amount: "1" })).toEqual([
          "400",
          `4009 ${attribute("fee_amount")}`,
        ]);
    }
    payouts.fees.receiver = { kind: "needsActivation", minimumUnits: unit };
    created(await postPayout(payouts, wallets.ether, { attributes: { amount: "0.1" } }));
    payouts.fees.receiver = { kind: "ready" };
  });

  it("returns 7001 for our addresses that credit no one: in the pool, or the operator's own", async () => {
    await fillPool(world, "evm", "", 1);
    const [pooled] = await database.sql<{ address: string }>(
      "select address from address where deposit_id is null and keyspace = 'evm'",
    );
    await database.sql(
      `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, created_at)
       values ('evm', '0x00000000000000000000000000000000000abcde', '', '', 'hot', 0, '2026-01-01Z')`,
    );
    for (const address of [pooled!.address, "0x00000000000000000000000000000000000abcde"]) {
      expect(await withAttributes(wallets.ether, { address })).toEqual([
        "400",
        `7001 ${attribute("address")}`,
      ]);
    }
  });

  it("returns 7001 for an address that is not allowlisted, if the account requires that", async () => {
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "1");
    await database.sql("update account set pays_book_only = true where id = $1", [
      wallet.accountId,
    ]);
    expect(await refused(wallet)).toEqual(["400", `7001 ${attribute("address")}`]);
    await database.sql(
      `insert into address_book (account_id, chain, address, created_at)
       values ($1::bigint, 'BTC', '0x8ba1f109551bD432803012645Ac136ddd64DBA72', '2026-01-01Z'),
         ($2::bigint, 'ETH', '0x8ba1f109551bD432803012645Ac136ddd64DBA72', '2026-01-01Z')`,
      [wallet.accountId, wallets.stranger.accountId],
    );
    expect(await refused(wallet)).toEqual(["400", `7001 ${attribute("address")}`]);
    await database.sql("update address_book set chain = 'ETH' where account_id = $1", [
      wallet.accountId,
    ]);
    created(await postPayout(payouts, wallet));
  });

  it("returns 4007 for the paying wallet's own address, deposit or id, on a chain outside the list", async () => {
    const wallet = await arrangeWallet(world, { currency: matic });
    await fund(world, wallet, "1");
    await fillPool(world, "evm", "", 1);
    const own = await arrangeDeposit(world, { ...wallet, currency: wallets.ether.currency });
    await database.sql("update deposit set currency = '1146', chain = 'MATIC' where id = $1", [
      own.id,
    ]);
    const pay = (attributes: Members) =>
      refused(wallet, { attributes, relationships: currencyIs(matic) });
    expect(await pay({ address: own.address })).toEqual(["400", `4007 ${attribute("address")}`]);
    expect(await pay({ address: undefined, target_deposit: own.paymentPageId })).toEqual([
      "400",
      `4007 ${attribute("target_deposit")}`,
    ]);
    expect(await pay({ address: undefined, target_wallet: wallet.walletId })).toEqual([
      "400",
      `4007 ${attribute("target_wallet")}`,
    ]);
  });
});

describe("amounts", () => {
  it("returns 4008 for more than the balance, with fee, with commission, or during a deficit", async () => {
    const at = ["400", `4008 ${attribute("amount")}`];
    const wallet = await arrangeWallet(world);
    expect(await refused(wallet)).toEqual(at);
    await fund(world, wallet, "0.1");
    expect(await refused(wallet)).toEqual(at);
    await fund(world, wallet, "0.000000000000000199");
    expect(await refused(wallet)).toEqual(at);
    await fund(world, wallet, "0.000000000000000001");
    await database.sql(
      `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
       values ($1, '1002', 'payout', 0, 1, 0)`,
      [wallet.accountId],
    );
    expect(await refused(wallet)).toEqual(at);
    await database.sql("delete from commission_terms");
    await database.sql("update wallet_balance set deficit = 1 where wallet_id = $1", [
      wallet.walletId,
    ]);
    expect(await refused(wallet)).toEqual(at);
    await database.sql("update wallet_balance set deficit = 0 where wallet_id = $1", [
      wallet.walletId,
    ]);
    created(await postPayout(payouts, wallet));
    expect(await withAttributes(wallets.merchant, { amount: "5.01" })).toEqual(at);
  });

  it("returns 4009 below 80 % of low and above three times high, but not at these bounds", async () => {
    const at = ["400", `4009 ${attribute("fee_amount")}`];
    const fee = (units: number): Members => ({
      fee_amount: `0.${String(units).padStart(18, "0")}`,
    });
    expect(await withAttributes(wallets.ether, fee(79))).toEqual(at);
    expect(await withAttributes(wallets.ether, fee(1201))).toEqual(at);
    expect(await withAttributes(wallets.ether, { fee_amount: "0" })).toEqual(at);
    for (const units of [80, 1200]) {
      created(await postPayout(payouts, wallets.ether, { attributes: fee(units) }));
    }
    payouts.fees.answer = { ...fairFee, low: 101n };
    expect(await withAttributes(wallets.ether, fee(80))).toEqual(at);
  });

  it("returns 4010 for an included fee of a token", async () => {
    expect(await refused(wallets.tether, tetherPayout({ is_fee_included: true }))).toEqual([
      "400",
      `4010 ${attribute("is_fee_included")}`,
    ]);
  });

  it.each([
    ["amount", { amount: "0" }],
    ["amount", { amount: "0.000" }],
    ["amount", { amount: "-0.1" }],
    ["amount", { amount: -1 }],
    ["amount", { amount: 0 }],
  ])("returns 4011 for %s %j", async (_field, attributes) => {
    const answer = await postPayout(payouts, wallets.ether, { attributes });
    expect(faults(answer)).toEqual(["400", `4011 ${attribute("amount")}`]);
    expect(answer.errors[0]?.detail).toBe("amount must be greater than zero.");
  });

  it("returns 4012 for a tracking id that a payout of the wallet has or once had", async () => {
    const attributes = { tracking_id: "order 1" };
    const first = created(await postPayout(payouts, wallets.ether, { attributes }));
    const at = ["400", `4012 ${attribute("tracking_id")}`];
    expect(await withAttributes(wallets.ether, attributes)).toEqual(at);
    await database.sql("update payout set status = 3, stage = 'cancelled' where id = $1", [
      first.id,
    ]);
    expect(await withAttributes(wallets.ether, attributes)).toEqual(at);
    created(await postPayout(payouts, wallets.stranger, { attributes }));
    const other = { ...attributes, amount: "0.01" };
    created(await postPayout(payouts, wallets.merchant, { attributes: other }));
    for (const tracking_id of ["", null, undefined, ""]) {
      created(await postPayout(payouts, wallets.ether, { attributes: { tracking_id } }));
    }
  });

  it("returns 4013 below the minimum amount, or below what the network relays", async () => {
    const at = ["400", `4013 ${attribute("amount")}`];
    expect(await withAttributes(wallets.ether, { amount: "0.000009999999999999" })).toEqual(at);
    created(await postPayout(payouts, wallets.ether, { attributes: { amount: "0.00001" } }));
    payouts.fees.answer = { ...fairFee, dust: 10n ** 17n + 1n };
    expect(await refused(wallets.ether)).toEqual(at);
    payouts.fees.answer = { ...fairFee, dust: 10n ** 8n };
    const included = await postPayout(
      payouts,
      wallets.bitcoin,
      bitcoinPayout({ amount: "1", is_fee_included: true }),
    );
    expect(faults(included)).toEqual(at);
    expect(included.errors[0]?.detail).toBe(
      "With the fee included, the amount must be at least 1.000002 BTC.",
    );
  });

  it("returns 4016 for an included fee of the listed coins", async () => {
    expect(await withAttributes(wallets.ether, { is_fee_included: true })).toEqual([
      "400",
      `4016 ${attribute("is_fee_included")}`,
    ]);
    created(await postPayout(payouts, wallets.bitcoin, bitcoinPayout({ is_fee_included: true })));
  });

  it("returns 4019 for an included fee that exceeds the amount", async () => {
    const at = ["400", `4019 ${attribute("fee_amount")}`];
    payouts.fees.answer = { ...fairFee, high: 1_000_000n };
    for (const fee_amount of ["0.01", "0.011"]) {
      const attributes = { is_fee_included: true, amount: "0.01", fee_amount };
      expect(await refused(wallets.bitcoin, bitcoinPayout(attributes))).toEqual(at);
    }
  });
});

describe("currency", () => {
  it.each([
    ["6002", "is_disabled"],
    ["6015", "is_unavailable"],
    ["6017", "is_unpaid"],
  ])("returns %s for a currency with %s", async (code, column) => {
    const wallet = await arrangeWallet(world, { currency: dai });
    await fund(world, wallet, "1");
    await database.sql(`insert into currency_state (currency, ${column}) values ('2068', true)`);
    expect(
      await refused(wallet, { attributes: { amount: "1" }, relationships: currencyIs(dai) }),
    ).toEqual(["400", `${code} ${currencyPointer}`]);
    await database.sql("delete from currency_state");
  });

  it("returns 6015 for a currency that is blocked for the account or on a chain not followed", async () => {
    const wallet = await arrangeWallet(world, { currency: dai });
    await fund(world, wallet, "1");
    const options = { attributes: { amount: "1" }, relationships: currencyIs(dai) };
    await database.sql(
      "insert into account_currency_block (account_id, currency) values ($1, '2068')",
      [wallet.accountId],
    );
    expect(await refused(wallet, options)).toEqual(["400", `6015 ${currencyPointer}`]);
    const tron = {
      attributes: { amount: "1", fee_amount: "1" },
      relationships: currencyIs("1026"),
    };
    expect(await refused(wallets.merchant, tron)).toEqual(["400", `6015 ${currencyPointer}`]);
    // Its own code takes precedence over the wallet paying in another currency.
    expect(await refused(wallets.ether, tron)).toEqual(["400", `6015 ${currencyPointer}`]);
  });

  it("returns 503/4018 without a fresh quote or a fresh price", async () => {
    payouts.fees.answer = null;
    expect(await refused(wallets.ether)).toEqual(["503", "4018"]);
    payouts.fees.answer = fairFee;
    world.rates.clear();
    expect(await withAttributes(wallets.merchant, { amount: "0.01" })).toEqual(["503", "4018"]);
  });

  it("returns 503/4018 with the reason if the network asks more than is signed", async () => {
    payouts.fees.answer = new FeesTooHigh("ETH", "The network asks too much.");
    expect(await refused(wallets.ether)).toEqual(["503", "4018"]);
  });

  it("returns 500 node_unavailable if the node responds with an error", async () => {
    payouts.fees.answer = new Unavailable("ETH", "execution reverted");
    expect(await refused(wallets.ether)).toEqual(["500", "node_unavailable"]);
  });
});
