import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { present } from "../../platform/kernel/assert.ts";
import { emptyPayoutRequest, type PayoutRequest } from "../payout-documents.ts";
import { type AmountsSubject, decideAmounts } from "./decide-terms.ts";

/** What a payout costs its wallet. */

const currencyOf = (alpha: string) =>
  present(
    builtInCurrencies.find((known) => known.alpha === alpha),
    alpha,
  );

const request: PayoutRequest = {
  ...emptyPayoutRequest,
  wallet: "7",
  currency: "1000",
  amount: "1",
  fee_amount: "0.001",
  address: "there",
};

function weigh(
  alpha: string,
  change: Partial<PayoutRequest> &
    Partial<Pick<AmountsSubject, "tokenFees" | "rate" | "route" | "incomingUnits">>,
  walletAlpha = alpha,
) {
  const currency = currencyOf(alpha);
  const { tokenFees, rate, route, incomingUnits, ...members } = change;
  return decideAmounts({
    request: { ...request, ...members },
    wallet: {
      type: 2,
      currency: currencyOf(walletAlpha).id,
      status: 3,
      needsActivation: false,
      payoutsBlocked: false,
      available: 10n ** 40n,
    },
    walletId: "7",
    walletCurrency: currencyOf(walletAlpha),
    currency,
    feeCurrency:
      currency.parent === null
        ? currency
        : present(
            builtInCurrencies.find(({ id }) => id === currency.parent),
            "parent",
          ),
    route: route ?? {
      kind: "chain",
      destination: { address: "there", addressType: null, tag: null },
    },
    incomingUnits: incomingUnits ?? null,
    rate: rate === undefined ? { units: 1n, exp: 0 } : rate,
    facts: {
      commissionTerms: { ratePpm: 20_000, fixedUnits: 1n, minimumUnits: 0n },
      coinWallet: { id: "8", available: 10n ** 40n },
    },
    tokenFees: tokenFees ?? "operator",
  });
}

const namesOf = (weighed: ReturnType<typeof weigh>) => weighed.faults.map(({ name }) => name);

describe("decideAmounts", () => {
  describe("charges", () => {
    it("include amount, fee and commission of a coin, and deduct an included fee from the payment", () => {
      expect(weigh("BTC", {}).charged).toMatchObject({
        paidUnits: 100_000_000n,
        feeUnits: 100_000n,
        commissionUnits: 2_000_001n,
        chargedUnits: 102_100_001n,
        feeWalletId: "7",
        chargedFeeUnits: 0n,
      });
      expect(weigh("BTC", { is_fee_included: true }).charged).toMatchObject({
        paidUnits: 99_900_000n,
        chargedUnits: 102_000_001n,
      });
    });

    it("leave a token's fee to the operator or another wallet", () => {
      expect(weigh("USDT-ETH", {}).charged).toMatchObject({
        paidUnits: 1_000_000n,
        chargedUnits: 1_020_001n,
        feeWalletId: null,
        feeUnits: 10n ** 15n,
        chargedFeeUnits: 0n,
      });
      expect(weigh("USDT-ETH", { tokenFees: "wallet" }).charged).toMatchObject({
        chargedUnits: 1_020_001n,
        feeWalletId: "8",
        chargedFeeUnits: 10n ** 15n,
      });
    });

    it("include no fee for internal payouts, whatever was offered", () => {
      const target = { kind: "wallet", accountId: "1", walletId: "9" } as const;
      const route = {
        kind: "internal",
        target: { ...target, walletType: 2, walletStatus: 3, currency: currencyOf("BTC").id },
      } as const;
      for (const fee_amount of [null, "0.5", "0.000000001"]) {
        const weighed = weigh("BTC", { route, fee_amount });
        expect(weighed.faults).toEqual([]);
        expect(weighed.charged).toMatchObject({
          feeUnits: 0n,
          feeWalletId: null,
          chargedUnits: 102_000_001n,
        });
      }
    });

    it("never fall below the exact value in another currency, nor exceed it by a whole unit", () => {
      const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n });
      const rates = fc.record({
        units: fc.bigInt({ min: 1n, max: 10n ** 12n }),
        exp: fc.integer({ min: 0, max: 10 }),
      });
      fc.assert(
        fc.property(amounts, rates, (units, rate) => {
          const amount = `${units / 10n ** 8n}.${String(units % 10n ** 8n).padStart(8, "0")}`;
          const { charged } = weigh("BTC", { amount, fee_amount: "0", rate }, "USD");
          const { chargedUnits, commissionUnits } = present(charged, "charges");
          // Wallet units of 1/100, payment units of 10^-8.
          const exact = (units + commissionUnits) * rate.units * 100n;
          const unit = 10n ** BigInt(8 + rate.exp);
          expect(chargedUnits * unit >= exact && (chargedUnits - 1n) * unit < exact).toBe(true);
        }),
      );
    });
  });

  describe("is_fee_included", () => {
    const coins = ["ADA", "ARB", "AVAX", "BNB-BSC", "ETH", "ETH-BASE", "MATIC", "OPT"];
    it.each([...coins, "TRX", "XLM", "XMR", "XRP"])("is rejected for %s", (alpha) => {
      expect(namesOf(weigh(alpha, { is_fee_included: true }))).toEqual(["feeNotIncludable"]);
      expect(namesOf(weigh(alpha, {}))).toEqual([]);
    });

    it.each(["BTC", "LTC", "BCH", "DASH", "DOGE", "ZEC", "TON", "ALGO"])(
      "is allowed for %s",
      (alpha) => {
        expect(namesOf(weigh(alpha, { is_fee_included: true }))).toEqual([]);
      },
    );

    it.each(["USDT-ETH", "USDC-BSC", "USDT-TRX", "USDT-TON", "USDT-OMNI"])(
      "is rejected for the token %s",
      (alpha) => {
        expect(namesOf(weigh(alpha, { is_fee_included: true }))).toEqual(["feeOnToken"]);
      },
    );
  });

  it("parses the fee with the digits of the coin that pays it", () => {
    expect(namesOf(weigh("USDT-ETH", { fee_amount: "0.000000000000000001" }))).toEqual([]);
    expect(namesOf(weigh("USDT-ETH", { fee_amount: "0.0000000000000000001" }))).toEqual([
      "invalidValue",
    ]);
    expect(namesOf(weigh("BTC", { fee_amount: "0.000000001" }))).toEqual(["invalidValue"]);
    expect(namesOf(weigh("USDT-ETH", { amount: "1.0000001" }))).toEqual(["invalidValue"]);
  });
});
