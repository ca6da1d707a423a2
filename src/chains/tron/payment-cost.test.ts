import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import type { TronCall } from "./build-transaction.ts";
import { feeBound, tokenCost, transferCost } from "./payment-cost.ts";

/* Prices are those of the main network since August 2025, energies those of Tether's contract. */

const prices = {
  sunPerByte: 1_000n,
  sunPerEnergy: 100n,
  activationUnits: 1_100_000n,
  feeLimitMax: 15_000_000_000n,
};
const transfer: TronCall = {
  type: "transfer",
  from: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
  to: "THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV",
  units: 100_000_000n,
};
const token: TronCall = {
  ...transfer,
  type: "token",
  contract: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
};

describe("the cost of a coin transfer", () => {
  it("is the price of its bytes, or only the activation fee if it creates its receiver", () => {
    const forBytes = { expected: 268_000n, most: 268_000n, feeLimit: 0n };
    expect(transferCost(transfer, prices, false)).toEqual(forBytes);
    const forActivation = { expected: 1_100_000n, most: 1_100_000n, feeLimit: 0n };
    expect(transferCost(transfer, prices, true)).toEqual(forActivation);
  });
});

describe("the cost of a token transfer", () => {
  it("is the price of its bytes and energy, and at most that of its bytes and the fee limit", () => {
    const cost = tokenCost(token, prices, { energy: 64_285n, penalty: 0n });
    expect(cost.expected).toBe(345_000n + 6_428_500n);
    // 64,285 and a storage slot of 15,000, and a fifth of both.
    expect(cost.feeLimit).toBe(95_142n * 100n);
    expect(cost.most).toBe(345_000n + cost.feeLimit);
  });

  it("covers a receiver whose balance falls to zero, including the penalty of a busy contract", () => {
    // 14,650 energy at a factor of 4.388, of which the penalty is the part above 1; 29,650 for an empty slot.
    const energy = { energy: 64_285n, penalty: 64_285n - 14_650n };
    const { feeLimit } = tokenCost(token, prices, energy);
    const emptySlot = (29_650n * 64_285n) / 14_650n;
    expect(feeLimit).toBeGreaterThanOrEqual(emptySlot * prices.sunPerEnergy);
    expect(feeLimit).toBeLessThan(2n * emptySlot * prices.sunPerEnergy);
  });

  it("has a fee limit above the expected energy, up to the chain's maximum", () => {
    const units = fc.bigInt({ min: 1n, max: 10_000_000n });
    fc.assert(
      fc.property(units, units, units, (base, penalty, sunPerEnergy) => {
        const energy = { energy: base + penalty, penalty };
        const { feeLimit, most, expected } = tokenCost(token, { ...prices, sunPerEnergy }, energy);
        expect(feeLimit).toBeLessThanOrEqual(prices.feeLimitMax);
        if (feeLimit < prices.feeLimitMax) expect(most).toBeGreaterThan(expected);
      }),
    );
  });
});

describe("the upper bound of a fee", () => {
  const tokenFee = tokenCost(token, prices, { energy: 64_285n, penalty: 0n });
  const nothing = { feeLimit: 0n };

  it("is the activation fee for a coin transfer, the fee limit and bytes for a token transfer, and the bytes for a delegation", () => {
    expect(feeBound(transfer, nothing, prices)).toBe(1_100_000n);
    expect(feeBound(token, tokenFee, prices)).toBe(tokenFee.most);
    expect(feeBound({ ...transfer, type: "delegate" }, nothing, prices)).toBe(278_000n);
  });

  it("follows rising prices and ignores falling ones, as the signer does", () => {
    const dearer = { ...prices, sunPerByte: 5_000n, activationUnits: 1_200_000n };
    expect(feeBound(transfer, nothing, dearer)).toBe(5n * 268_000n);
    const cheaper = { ...prices, sunPerByte: 10n, activationUnits: 5_000n };
    expect(feeBound(transfer, nothing, cheaper)).toBe(1_100_000n);
    expect(feeBound(token, tokenFee, cheaper)).toBe(tokenFee.most);
  });
});
