import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { RejectionSource } from "../../platform/kernel/rejection.ts";
import { emptyPayoutRequest, type PayoutRequest } from "../payout-documents.ts";
import type { Route } from "./decide-route.ts";
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

const onChain: Route = {
  kind: "chain",
  destination: { address: "there", addressType: null, tag: null },
};

const toWallet: Route = {
  kind: "internal",
  target: {
    kind: "wallet",
    accountId: "1",
    walletId: "9",
    walletType: 2,
    walletStatus: 3,
    currency: currencyOf("BTC").id,
  },
};

function weigh(
  alpha: string,
  change: Partial<PayoutRequest> &
    Partial<Pick<AmountsSubject, "tokenFees" | "rate" | "route" | "incomingUnits">> & {
      readonly available?: bigint;
      readonly coinWallet?: AmountsSubject["facts"]["coinWallet"];
    },
  walletAlpha = alpha,
) {
  const currency = currencyOf(alpha);
  const { tokenFees, rate, route, incomingUnits, available, coinWallet, ...members } = change;
  return decideAmounts({
    request: { ...request, ...members },
    wallet: {
      type: 2,
      currency: currencyOf(walletAlpha).id,
      status: 3,
      needsActivation: false,
      payoutsBlocked: false,
      payoutsBlockedReason: null,
      available: available ?? 10n ** 40n,
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
    route: route === undefined ? onChain : route,
    incomingUnits: incomingUnits ?? null,
    rate: rate === undefined ? { units: 1n, exp: 0 } : rate,
    facts: {
      commissionTerms: { ratePpm: 20_000, fixedUnits: 1n, minimumUnits: 0n },
      coinWallet: coinWallet === undefined ? { id: "8", available: 10n ** 40n } : coinWallet,
    },
    tokenFees: tokenFees ?? "operator",
  });
}

const pointerOf = (source: RejectionSource | undefined) =>
  source !== undefined && "pointer" in source ? source.pointer : "";
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
      for (const fee_amount of [null, "0.5", "0.00000001"]) {
        const weighed = weigh("BTC", { route: toWallet, fee_amount });
        expect(weighed.faults).toEqual([]);
        expect(weighed.charged).toMatchObject({
          feeUnits: 0n,
          feeWalletId: null,
          chargedUnits: 102_000_001n,
        });
      }
      for (const fee_amount of ["0.000000001", "low"])
        expect(namesOf(weigh("BTC", { route: toWallet, fee_amount }))).toEqual(["invalidValue"]);
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

  /** `name attribute: detail` of each fault. */
  const faultsOf = (weighed: ReturnType<typeof weigh>) =>
    weighed.faults.map(
      ({ name, detail, source }) => `${name} ${pointerOf(source).split("/").at(-1)}: ${detail}`,
    );

  describe("an amount or fee", () => {
    it.each<[string, Parameters<typeof weigh>[1], string]>([
      ["of words", { amount: "one" }, "invalidValue amount: amount is not a decimal number."],
      [
        "with more decimals than the currency has",
        { amount: "0.000000001" },
        "invalidValue amount: BTC has at most 8 decimals.",
      ],
      [
        "of words for the fee",
        { fee_amount: "low" },
        "invalidValue fee_amount: fee_amount is not a decimal number.",
      ],
      [
        "of nothing",
        { amount: "0" },
        "amountNotPositive amount: amount must be greater than zero.",
      ],
      [
        "below zero",
        { amount: "-1" },
        "amountNotPositive amount: amount must be greater than zero.",
      ],
      [
        "that leaves nothing for the receiver",
        { is_fee_included: true, fee_amount: "1" },
        "feeExceedsAmount fee_amount: The fee exceeds the amount.",
      ],
      [
        "that is absent where the chain takes a fee",
        { fee_amount: null },
        "invalidValue fee_amount: fee_amount is required. Get it from POST /payout/calculate/.",
      ],
    ])("%s is refused", (_, change, fault) => {
      const weighed = weigh("BTC", change);
      expect(faultsOf(weighed)).toEqual([fault]);
      if (fault.startsWith("feeExceeds")) expect(weighed.charged?.paidUnits).toBe(0n);
      else expect(weighed.charged).toBeNull();
    });

    it("that is absent is no fault of its own while it is unknown where the payout goes", () => {
      expect(weigh("BTC", { fee_amount: null, route: null })).toEqual({
        units: 100_000_000n,
        charged: null,
        faults: [],
      });
      expect(weigh("BTC", { amount: null })).toEqual({ units: null, charged: null, faults: [] });
    });

    it("may be the currency's minimum and no less", () => {
      const { minimalTransferUnits: least } = currencyOf("BTC");
      const text = (units: bigint) => `0.${String(units).padStart(8, "0")}`;
      expect(weigh("BTC", { amount: text(least) }).faults).toEqual([]);
      expect(faultsOf(weigh("BTC", { amount: text(least - 1n) }))).toEqual([
        "amountBelowMinimum amount: The minimum payout is 0.00001 BTC.",
      ]);
    });

    it("is charged nothing while the rate to the wallet's currency is unknown", () => {
      expect(weigh("BTC", { rate: null }, "USD")).toEqual({
        units: 100_000_000n,
        charged: null,
        faults: [],
      });
    });
  });

  describe("a balance", () => {
    it("must cover amount, fee and commission", () => {
      expect(weigh("BTC", { available: 102_100_001n }).faults).toEqual([]);
      expect(faultsOf(weigh("BTC", { available: 102_100_000n }))).toEqual([
        "insufficientFunds amount: The wallet's balance doesn't cover amount, fee and commission.",
      ]);
    });

    const fee = 10n ** 15n;
    it("of the account's wallet in the coin must cover a token's fee, if it is set to pay it", () => {
      const pay = (change: Parameters<typeof weigh>[1]) =>
        faultsOf(weigh("USDT-ETH", { tokenFees: "wallet", ...change }));
      const fault =
        "insufficientFunds fee_amount: The network fee is charged to an active Enterprise wallet in ETH, " +
        "and the account has none that covers it.";
      expect(pay({ coinWallet: { id: "8", available: fee } })).toEqual([]);
      expect(pay({ coinWallet: { id: "8", available: fee - 1n } })).toEqual([fault]);
      expect(pay({ coinWallet: null })).toEqual([fault]);
      expect(pay({ coinWallet: null, tokenFees: "operator" })).toEqual([]);
      expect(pay({ coinWallet: null, route: toWallet })).toEqual([]);
      // A coin's fee is part of its own wallet's charge.
      expect(weigh("BTC", { tokenFees: "wallet", coinWallet: null }).faults).toEqual([]);
      // Only what is missing first is named.
      expect(pay({ coinWallet: null, available: 0n })).toEqual([
        "insufficientFunds amount: The wallet's balance doesn't cover amount, fee and commission.",
      ]);
    });
  });

  describe("a payout of exactly what arrived", () => {
    const incomingUnits = 100_000_000n;
    it("pays the fee from it, whether or not the fee is on top", () => {
      expect(weigh("BTC", { incomingUnits }).charged).toMatchObject({
        units: 99_900_000n,
        paidUnits: 99_900_000n,
      });
      expect(weigh("BTC", { incomingUnits, is_fee_included: true }).charged).toMatchObject({
        units: incomingUnits,
        paidUnits: 99_900_000n,
      });
      expect(weigh("BTC", { incomingUnits, fee_amount: null, route: null }).units).toBe(
        incomingUnits,
      );
    });

    it("of a token is not reduced by a fee in another coin", () => {
      expect(weigh("USDT-ETH", { incomingUnits }).charged?.units).toBe(incomingUnits);
    });

    it("is refused if the fee takes all of it", () => {
      expect(weigh("BTC", { incomingUnits, fee_amount: "1" })).toMatchObject({
        units: 0n,
        charged: null,
        faults: [{ name: "feeExceedsAmount" }],
      });
    });
  });

  it("names why a fee cannot be included", () => {
    expect(faultsOf(weigh("USDT-ETH", { is_fee_included: true }))).toEqual([
      "feeOnToken is_fee_included: The network fee for USDT-ETH is paid in another currency, so it can't be included in the amount.",
    ]);
    expect(faultsOf(weigh("ETH", { is_fee_included: true }))).toEqual([
      "feeNotIncludable is_fee_included: The fee can't be included in amounts of ETH. Set is_fee_included to false.",
    ]);
  });
});
