import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  btc,
  depositWorld,
  ownerOf,
  rateOf,
  units,
  usd,
  usdt,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { payoutApi } from "../../../test/support/payout-api.ts";
import { bitcoinPayee, fairFee, fund, payee } from "../../../test/support/payout-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import { FeesTooHigh } from "../../chains/paying-port.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";

/* "POST {base_url}/payout/calculate/" over the real server and database: every row of its error table, and its results. */

const database = useDatabase();
const world = depositWorld(database);
const { api, payouts } = payoutApi(world);
const { fees } = payouts;
let wallet: Wallet;
let owner: Principal;
beforeEach(async () => {
  wallet = await arrangeWallet(world);
  await fund(world, wallet, "10");
  owner = ownerOf(wallet.accountId);
  fees.answer = fairFee;
  fees.receiver = { kind: "ready" };
  fees.requests.length = 0;
  world.rates.clear();
});

type Question = {
  readonly wallet?: JsonValue | undefined;
  readonly currency?: JsonValue;
  readonly amount?: JsonValue | undefined;
  readonly to_address?: JsonValue | undefined;
  readonly tag?: JsonValue;
  readonly force_blockchain?: JsonValue;
  readonly as?: Principal | null;
};

function calculate(question: Question = {}) {
  const related = (type: string, id: JsonValue | undefined): JsonObject =>
    id === undefined ? {} : { [type]: { data: { type, id } } };
  const attributes = Object.entries({ amount: "1", to_address: payee, ...question }).filter(
    ([name, value]) =>
      ["amount", "to_address", "tag", "force_blockchain"].includes(name) && value !== undefined,
  ) as [string, JsonValue][];
  const named = "wallet" in question ? question.wallet : wallet.walletId;
  return api.ask("POST", "/payout/calculate/", {
    as: question.as === undefined ? owner : question.as,
    body: {
      data: {
        type: "payout-calculation",
        attributes: Object.fromEntries(attributes),
        relationships: { ...related("wallet", named), ...related("currency", question.currency) },
      },
    },
  });
}

describe("POST /payout/calculate/", () => {
  it("returns fees in the chain's coin with all its digits, and writes nothing", async () => {
    fees.answer = { low: 21n, medium: 42n, high: 84n, dust: 0n, warning: 3 };
    const { status, one } = await calculate({ amount: 2.5 });
    expect(status).toBe(200);
    expect(one.type).toBe("payout-calculation");
    expect(one.attributes).toEqual({
      is_internal: false,
      fee: {
        low: "0.000000000000000021",
        medium: "0.000000000000000042",
        high: "0.000000000000000084",
        dust_amount: "0.000000000000000000",
        warning: 3,
        currency: 1002,
      },
      commission: { amount: "0.000000000000000000", currency: 1002 },
    });
    expect(fees.requests).toEqual([
      {
        chain: "ETH",
        walletId: wallet.walletId,
        balance: units("10", wallet.currency),
        payment: {
          destination: { address: payee, addressType: null, tag: null },
          amount: { units: units("2.5", wallet.currency), currency: "1002" },
        },
      },
    ]);
    expect(
      await database.sql("select from payout where wallet_id = $1", [wallet.walletId]),
    ).toEqual([]);
  });

  it("returns a token's fees in its parent coin and its commission in the token", async () => {
    const tokens = await arrangeWallet(world, { accountId: wallet.accountId, currency: usdt });
    await fund(world, tokens, "100");
    await database.sql(
      `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
     values ($1::bigint, '2015', 'payout', 5000, 0, 0)`,
      [wallet.accountId],
    );
    const { one } = await calculate({ wallet: tokens.walletId, amount: "50" });
    expect(one.attributes).toMatchObject({
      fee: { low: "0.000000000000000100", currency: 1002 },
      commission: { amount: "0.250000", currency: 2015 },
    });
  });

  it("returns bitcoin fees with eight digits, and the dust limit of the address", async () => {
    const coins = await arrangeWallet(world, { accountId: wallet.accountId, currency: btc });
    await fund(world, coins, "1");
    fees.answer = { low: 200n, medium: 500n, high: 1_000n, dust: 294n, warning: null };
    const { one } = await calculate({
      wallet: coins.walletId,
      amount: "0.1",
      to_address: bitcoinPayee,
    });
    expect(one.attributes["fee"]).toEqual({
      low: "0.00000200",
      medium: "0.00000500",
      high: "0.00001000",
      dust_amount: "0.00000294",
      warning: null,
      currency: 1000,
    });
  });

  it("returns no fee for an address of this service, in any account", async () => {
    const deposit = await arrangeDeposit(world, await arrangeWallet(world));
    const { one } = await calculate({ to_address: deposit.address });
    expect(one.attributes).toMatchObject({
      is_internal: true,
      fee: { low: "0.000000000000000000", high: "0.000000000000000000", warning: null },
    });
    expect(fees.requests).toEqual([]);
  });

  it("returns the chain's fee for an address of this service if a Merchant wallet forces it", async () => {
    const merchant = await arrangeWallet(world, { type: 1, currency: wallet.currency });
    await fund(world, merchant, "10");
    const { address } = await arrangeDeposit(world, wallet);
    const question = { wallet: merchant.walletId, currency: "1002", to_address: address };
    const as = ownerOf(merchant.accountId);
    const forced = await calculate({ ...question, as, force_blockchain: true });
    expect(forced.one.attributes).toMatchObject({
      is_internal: true,
      fee: { low: "0.000000000000000100", medium: "0.000000000000000200" },
    });
    expect(fees.requests).toHaveLength(1);
    const plain = await calculate({ ...question, as, force_blockchain: false });
    expect(plain.one.attributes).toMatchObject({
      is_internal: true,
      fee: { medium: "0.000000000000000000" },
    });
    expect(faults(await calculate({ to_address: address, force_blockchain: true }))).toEqual([
      "400",
      "1007 /data/attributes/force_blockchain",
    ]);
  });

  describe("for a Merchant wallet", () => {
    let merchant: Wallet;
    beforeEach(async () => {
      merchant = await arrangeWallet(world, {
        accountId: wallet.accountId,
        type: 1,
        currency: usd,
      });
      await fund(world, merchant, "1000");
      world.rates.set("1002 840", rateOf("2000"));
    });

    it("calculates in the given currency, up to the wallet's value", async () => {
      const request = { wallet: merchant.walletId, currency: "1002", amount: "0.5" };
      expect((await calculate(request)).status).toBe(200);
      expect(fees.requests[0]?.balance).toBe(units("0.5", wallet.currency));
      expect(faults(await calculate({ ...request, amount: "0.500001" }))).toEqual([
        "400",
        "4008 /data/attributes/amount",
      ]);
    });

    it("returns 400/1006 without a currency", async () => {
      expect(faults(await calculate({ wallet: merchant.walletId }))).toEqual([
        "400",
        "1006 /data/relationships/currency",
      ]);
    });

    it("returns 503/4018 without a fresh price", async () => {
      world.rates.clear();
      const request = { wallet: merchant.walletId, currency: 1002, amount: "0.5" };
      expect(faults(await calculate(request))).toEqual(["503", "4018"]);
    });
  });

  describe("rejections", () => {
    it.each([
      ["nobody", { as: null }, ["401", "2007"]],
      ["no amount", { amount: undefined }, ["400", "1006 /data/attributes/amount"]],
      [
        "no members",
        { amount: undefined, to_address: undefined, wallet: undefined },
        [
          "400",
          "1006 /data/attributes/amount",
          "1006 /data/attributes/to_address",
          "1006 /data/relationships/wallet",
        ],
      ],
      ["a malformed amount", { amount: "lots" }, ["400", "1007 /data/attributes/amount"]],
      ["an amount of zero", { amount: "0" }, ["400", "1007 /data/attributes/amount"]],
      ["a negative amount", { amount: "-1" }, ["400", "1007 /data/attributes/amount"]],
      [
        "more digits than ether has",
        { amount: "1.0000000000000000001" },
        ["400", "1007 /data/attributes/amount"],
      ],
      ["no currency", { currency: "999999" }, ["400", "1007 /data/relationships/currency"]],
      [
        "no currency and no number",
        { currency: "999999", amount: "lots" },
        ["400", "1007 /data/attributes/amount", "1007 /data/relationships/currency"],
      ],
      [
        "no currency and no address",
        { currency: "999999", to_address: undefined },
        ["400", "1006 /data/attributes/to_address"],
      ],
      ["a fiat currency", { currency: "840" }, ["400", "1007 /data/relationships/currency"]],
      [
        "a currency other than the wallet's",
        { currency: "2015" },
        ["400", "1007 /data/relationships/currency"],
      ],
      ["more than the balance", { amount: "10.1" }, ["400", "4008 /data/attributes/amount"]],
      ["less than the minimum", { amount: "0.00000001" }, ["400", "4013 /data/attributes/amount"]],
      ["no address", { to_address: "0xnothing" }, ["400", "7001 /data/attributes/to_address"]],
      [
        "a bitcoin address",
        { to_address: bitcoinPayee },
        ["400", "7001 /data/attributes/to_address"],
      ],
      [
        "a wallet that does not exist",
        { wallet: "99999999" },
        ["403", "403 /data/relationships/wallet"],
      ],
      ["a malformed wallet id", { wallet: "mine" }, ["403", "403 /data/relationships/wallet"]],
    ] as const)("rejects a request with %s", async (_what, question, expected) => {
      expect(faults(await calculate(question))).toEqual(expected);
    });

    it("returns 403/403 for another account's wallet, one not granted, and an account that is not ready", async () => {
      const foreign = await arrangeWallet(world);
      const expected = ["403", "403 /data/relationships/wallet"];
      expect(faults(await calculate({ wallet: foreign.walletId }))).toEqual(expected);
      const narrow = { ...owner, memberId: "2", wallets: new Map() };
      expect(faults(await calculate({ as: narrow }))).toEqual(expected);
      const early = { ...owner, memberId: "3", accountIsReady: false };
      expect(faults(await calculate({ as: early }))).toEqual(["403", "403"]);
    });

    it("returns 1007 and 7001 before 403 for what is wrong in the named currency, whatever the wallet", async () => {
      const stranger = (await arrangeWallet(world)).walletId;
      const narrow = { ...owner, memberId: "2", wallets: new Map() };
      const early = { ...owner, memberId: "3", accountIsReady: false };
      const invalid = (question: Question, ...rows: readonly string[]) => ({
        question,
        expected: ["400", ...rows],
      });
      const [amount, tag] = ["1007 /data/attributes/amount", "1007 /data/attributes/tag"];
      for (const { question, expected } of [
        invalid({ amount: "-1" }, amount),
        invalid({ amount: "0" }, amount),
        invalid({ amount: "1.0000000000000000001" }, amount),
        invalid({ tag: "7" }, tag),
        invalid({ tag: "7", amount: "0", to_address: "0xnothing" }, amount, tag),
        invalid({ currency: "840" }, "1007 /data/relationships/currency"),
        invalid({ to_address: "0xnothing" }, "7001 /data/attributes/to_address"),
      ])
        for (const caller of [
          { wallet: stranger },
          { wallet: "99999999" },
          { wallet: "mine" },
          { as: narrow },
          { as: early },
        ])
          expect(faults(await calculate({ currency: "1002", ...question, ...caller }))).toEqual(
            expected,
          );
      // The wallet determines the currency if none is named, and the balance.
      const denied = ["403", "403 /data/relationships/wallet"];
      for (const question of [{ amount: "-1" }, { currency: "1002", amount: "1000" }])
        expect(faults(await calculate({ ...question, wallet: stranger }))).toEqual(denied);
    });

    it("rejects a wallet that is inactive (3008) or not activated (3021)", async () => {
      const set = (columns: string) =>
        database.sql(`update wallet set ${columns} where id = $1`, [wallet.walletId]);
      await set("status = 1");
      expect(faults(await calculate())).toEqual(["400", "3008 /data/relationships/wallet"]);
      await set("status = 3, needs_activation = true");
      expect(faults(await calculate())).toEqual(["400", "3021 /data/relationships/wallet"]);
    });

    it("rejects a payment to the paying wallet itself (4007) on chains outside the interface's list", async () => {
      const matic = "1146" as Wallet["currency"];
      const polygon = await arrangeWallet(world, { accountId: wallet.accountId, currency: matic });
      await fund(world, polygon, "10");
      const own = await arrangeDeposit(world, wallet);
      await database.sql(
        "update deposit set wallet_id = $2::bigint, wallet_currency = $3, currency = $3, chain = 'MATIC' where id = $1",
        [own.id, polygon.walletId, matic],
      );
      const request = { wallet: polygon.walletId, to_address: own.address };
      expect(faults(await calculate(request))).toEqual(["400", "4007 /data/attributes/to_address"]);
      const ether = await arrangeDeposit(world, wallet);
      expect((await calculate({ to_address: ether.address })).status).toBe(200);
    });

    it("names the cause if the currency cannot be used", async () => {
      for (const [column, code, detail] of [
        ["is_disabled", "6002", "ETH is disabled."],
        ["is_unavailable", "6015", "ETH is not available."],
        ["is_unpaid", "6017", "The listing fee for ETH has not been paid."],
      ] as const) {
        await database.sql(
          `insert into currency_state (currency, ${column}) values ('1002', true)`,
        );
        const { errors } = await calculate();
        await database.sql("delete from currency_state");
        expect(errors).toMatchObject([{ code, detail }]);
      }
    });

    it("rejects a disabled currency (6002)", async () => {
      await database.sql(
        "insert into currency_state (currency, is_disabled) values ('1002', true)",
      );
      expect(faults(await calculate())).toEqual(["400", "6002 /data/relationships/currency"]);
      await database.sql("delete from currency_state");
    });

    it("rejects an address that is not allowlisted, if the account requires that (7001)", async () => {
      await database.sql("update account set pays_book_only = true where id = $1", [
        wallet.accountId,
      ]);
      expect(faults(await calculate())).toEqual(["400", "7001 /data/attributes/to_address"]);
      await database.sql(
        "insert into address_book (account_id, chain, address, created_at) values ($1::bigint, 'ETH', $2, '2026-01-01Z')",
        [wallet.accountId, payee],
      );
      expect((await calculate()).status).toBe(200);
    });

    it("rejects what the receiver cannot take: 7001, a missing tag 1007, too little to create its account 4013", async () => {
      const reason = "The receiver has no trust line.";
      fees.receiver = { kind: "impossible", member: "address", reason };
      const refused = await calculate();
      expect(faults(refused)).toEqual(["400", "7001 /data/attributes/to_address"]);
      expect(refused.errors[0]?.detail).toBe(reason);
      fees.receiver = { kind: "impossible", member: "tag", reason: "It requires a tag." };
      expect(faults(await calculate())).toEqual(["400", "1007 /data/attributes/tag"]);
      fees.receiver = { kind: "needsActivation", minimumUnits: units("1", wallet.currency) + 1n };
      const tooLittle = await calculate();
      expect(faults(tooLittle)).toEqual(["400", "4013 /data/attributes/amount"]);
      expect(tooLittle.errors[0]?.detail).toContain("at least 1.000000000000000001 ETH");
      fees.receiver = { kind: "needsActivation", minimumUnits: units("1", wallet.currency) };
      expect((await calculate()).status).toBe(200);
    });

    it("rejects a tag if the chain has none, at the tag", async () => {
      expect(faults(await calculate({ tag: "7" }))).toEqual(["400", "1007 /data/attributes/tag"]);
    });

    it("returns 4018 without a fresh quote, for a failing node, and for a paused chain", async () => {
      fees.answer = null;
      expect(faults(await calculate())).toEqual(["503", "4018"]);
      fees.answer = new Unavailable("node", "gone");
      expect(faults(await calculate())).toEqual(["503", "4018"]);
      fees.answer = new FeesTooHigh("ETH", "The network asks too much.");
      const tooDear = await calculate();
      expect(faults(tooDear)).toEqual(["503", "4018"]);
      expect(tooDear.errors[0]?.detail).toBe("The network asks too much.");
      fees.answer = fairFee;
      await database.sql(
        "insert into payout_stop (scope, reason, created_at) values ('chain/ETH', 'test', '2026-01-01Z')",
      );
      expect(faults(await calculate())).toEqual(["503", "4018"]);
      await database.sql("delete from payout_stop");
    });
  });
});
