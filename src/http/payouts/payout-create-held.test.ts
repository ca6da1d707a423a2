import { describe, expect, it } from "vitest";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import {
  arrangeWallet,
  eth,
  ownerOf,
  rateOf,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { fund } from "../../../test/support/payout-world.ts";
import { usePayoutCreation } from "../../../test/support/use-payout-creation.ts";
import type { Principal } from "../../accounts/principal.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/* Payouts from Merchant wallets, and payouts that wait for approval, over the real server and database. */

const { database, world, payouts, account, make, makeWith, balanceOf, stored } =
  usePayoutCreation();

describe("POST /payout/", () => {
  describe("from a Merchant wallet", () => {
    it("holds the amount at the current rate, rounded up", async () => {
      const merchant = await arrangeWallet(world, { type: walletType.merchant, currency: usd });
      await fund(world, merchant, "1000");
      world.rates.set("1002 840", rateOf("1999.99"));
      const { id, attributes } = await make(merchant);
      expect(attributes).toMatchObject({
        amount: "0.100000000000000000",
        rate_requested: "1999.99",
      });
      // 0.1000000000000002 x 1999.99 = 199.9990000000004
      expect(await balanceOf(merchant)).toEqual({ available: 80_000n, held: 20_000n });
      world.rates.set("1002 840", rateOf("5"));
      expect(await stored(id)).toMatchObject({
        rate: 199_999n,
        rate_exp: 2,
        charged_units: 20_000n,
      });
      expect(payouts.fees.requests.at(-1)?.balance).toBe(500_002_500_012_500_062n);
      await expectBooksToBalance(database);
    });

    it("needs no price for the wallet's own currency", async () => {
      const merchant = await arrangeWallet(world, { type: walletType.merchant, currency: eth });
      await fund(world, merchant, "1");
      expect((await make(merchant)).attributes["rate_requested"]).toBe("1");
      expect((await balanceOf(merchant))?.held).toBe(100_000_000_000_000_200n);
    });
  });

  describe("waiting for approval", () => {
    const statusOf = async (from: Wallet, amount: string) =>
      (await makeWith(from, { amount })).attributes["status"];
    const limit = (scope: {
      readonly account?: Wallet;
      readonly wallet?: Wallet;
      readonly span: string;
      readonly units: bigint;
    }) =>
      database.sql(
        "insert into payout_limit (account_id, wallet_id, currency, span, units) values ($1, $2, '1002', $3, $4)",
        [scope.account?.accountId ?? null, scope.wallet?.walletId ?? null, scope.span, scope.units],
      );
    const tenth = 10n ** 17n;

    it("holds the funds, unsigned, if the creator's role is Payouts with approval", async () => {
      const as: Principal = {
        ...ownerOf(account.wallet.accountId),
        role: "withdrawals_with_approval",
      };
      const { id, attributes } = await make(account.wallet, { as });
      expect(attributes["status"]).toBe(1);
      expect(await stored(id)).toMatchObject({
        stage: "waiting",
        approval: null,
        approved_at: null,
      });
      expect((await balanceOf(account.wallet))?.held).toBe(100_000_000_000_000_200n);
    });

    it("applies above the limit of one payout, not at it, and the most specific limit counts", async () => {
      await limit({ span: "transaction", units: tenth });
      expect(await statusOf(account.wallet, "0.1")).toBe(2);
      expect(await statusOf(account.wallet, "0.100000000000000001")).toBe(1);
      await limit({ account: account.wallet, span: "transaction", units: 2n * tenth });
      expect(await statusOf(account.wallet, "0.2")).toBe(2);
      await limit({
        account: account.wallet,
        wallet: account.wallet,
        span: "transaction",
        units: tenth / 2n,
      });
      expect(await statusOf(account.wallet, "0.06")).toBe(1);
    });

    it("applies above the sum of an hour or a day, including this payout", async () => {
      await limit({
        account: account.wallet,
        wallet: account.wallet,
        span: "hour",
        units: 3n * tenth,
      });
      await limit({ account: account.wallet, span: "day", units: 5n * tenth });
      expect(await statusOf(account.wallet, "0.2")).toBe(2);
      expect(await statusOf(account.wallet, "0.1")).toBe(2);
      expect(await statusOf(account.wallet, "0.1")).toBe(1);
      const beside = await arrangeWallet(world, { accountId: account.wallet.accountId });
      await fund(world, beside, "10");
      expect(await statusOf(beside, "0.1")).toBe(2);
      expect(await statusOf(beside, "0.1")).toBe(1);
      await database.sql(
        `update payout set created_at = created_at - interval '1 hour 1 second' where account_id = $1`,
        [account.wallet.accountId],
      );
      expect(await statusOf(beside, "0.1")).toBe(1);
      await database.sql(
        `update payout set created_at = created_at - interval '23 hours' where account_id = $1`,
        [account.wallet.accountId],
      );
      expect(await statusOf(account.wallet, "0.3")).toBe(2);
    });

    it("lets concurrent payouts pass only up to the sum, in one wallet or several", async () => {
      const beside = await arrangeWallet(world, { accountId: account.wallet.accountId });
      await fund(world, beside, "10");
      await limit({ account: account.wallet, span: "day", units: 7n * tenth });
      const statuses = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          statusOf(index % 2 === 0 ? account.wallet : beside, "0.1"),
        ),
      );
      expect(statuses.filter((status) => status === 2)).toHaveLength(7);
    });
  });

  it("lists fields and address forms in OPTIONS", async () => {
    const answer = await payouts.api.ask("OPTIONS", "/payout/", {
      as: ownerOf(account.wallet.accountId),
    });
    const { actions, custom } = (answer.document as { data: JsonObject }).data as {
      actions: { POST: Readonly<Record<string, JsonObject>> };
      custom: { POST: { address_masks: JsonObject } };
    };
    const bounds = (name: string) => actions.POST[name];
    expect(bounds("amount")).toMatchObject({ type: "Decimal", required: true, min_value: 0 });
    expect(bounds("fee_amount")).toMatchObject({ required: false, min_value: 0 });
    expect(bounds("confirmations_needed")).toMatchObject({ min_value: 0, max_value: 100 });
    expect(bounds("tag")).toMatchObject({ type: "String", max_length: 64 });
    expect(bounds("target_wallet")).toMatchObject({ type: "Relationship" });
    expect(bounds("is_fee_included")).toMatchObject({ type: "Boolean", required: false });
    expect(bounds("travel_rule_info")).toMatchObject({ required: true });
    expect(bounds("exp")).toMatchObject({ read_only: true });
    expect(custom.POST.address_masks["1002"]).toEqual([
      { address_type: null, mask: ["^0x[0-9a-fA-F]{40}$"], is_default: true },
    ]);
    expect(custom.POST.address_masks).toHaveProperty("2015");
    expect(custom.POST.address_masks).not.toHaveProperty("840");
  });
});
