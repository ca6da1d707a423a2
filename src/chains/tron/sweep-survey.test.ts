import { describe, expect, it } from "vitest";
import type { TronCall } from "./build-transaction.ts";
import { tokenCost } from "./payment-cost.ts";
import { planTransfer } from "./sweep-survey.ts";

/* Prices and the supply of energy are those of the main network, late 2025; the energy is that of Tether's contract. */

const gas = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
const hot = "THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV";
const address = "THRF3GuPnvvPzKoaT8pJex5XHmo8NNbCb3";
const trx = 1_000_000n;
const facts = {
  gas,
  prices: {
    sunPerByte: 1_000n,
    sunPerEnergy: 100n,
    activationUnits: 1_100_000n,
    feeLimitMax: 15_000n * trx,
  },
  lendable: 0n,
  supply: { totalEnergy: 180_000_000_000n, totalEnergyStake: 19_000_000_000n },
};
const call: TronCall = {
  type: "token",
  contract: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  from: address,
  to: hot,
  units: 100_000_000n,
};
const energy = { energy: 64_285n, penalty: 0n };
/** 64,285 and a storage slot of 15,000, and a fifth of both. */
const energyMost = 95_142n;
const { most, feeLimit } = tokenCost(call, facts.prices, energy);
const bandwidth = most - feeLimit;

const account = (spendable: bigint) => ({ isContract: false, spendable, staked: 0n });
const fresh = { stakedBandwidth: 0n, freeBandwidth: 600n, energy: 0n };
const plan = (
  state: Partial<Parameters<typeof planTransfer>[1]>,
  more: Partial<typeof facts> = {},
) =>
  planTransfer(
    { ...facts, ...more },
    { address, account: account(0n), resources: fresh, ...state },
    call,
    energy,
  );
/** An account with enough to lend for several transfers. */
const rich = { lendable: 100_000n * trx };

describe("the plan for moving a token", () => {
  it("needs no preparation once the address's coin covers the highest fee", () => {
    expect(plan({ account: account(feeLimit) })).toEqual({
      feeUnits: 6_428_500n,
      preparation: null,
    });
    expect(plan({ account: account(feeLimit - 1n) }).preparation).toEqual({
      kind: "topUp",
      units: 1n,
    });
  });

  it("needs no preparation once the address's energy covers the transfer, and then costs a tenth of the highest fee", () => {
    const resources = { ...fresh, energy: energyMost };
    expect(plan({ resources })).toEqual({ feeUnits: (most + 9n) / 10n, preparation: null });
    expect(plan({ resources: { ...fresh, energy: energyMost - 1n } }).preparation).toEqual({
      kind: "topUp",
      units: 100n,
    });
  });

  it("tops up coin for bandwidth if none is left today", () => {
    const resources = { ...fresh, freeBandwidth: 344n, energy: energyMost };
    expect(plan({ resources }).preparation).toEqual({ kind: "topUp", units: bandwidth });
    expect(plan({ resources, account: account(bandwidth) }).preparation).toBeNull();
    const staked = { ...resources, stakedBandwidth: 345n };
    expect(plan({ resources: staked }).preparation).toBeNull();
  });

  it("tops up without a stake, and adds the activation fee if the address has no account", () => {
    const known = plan({});
    expect(known.preparation).toEqual({ kind: "topUp", units: feeLimit });
    expect(known.feeUnits).toBe(6_428_500n + 268_000n);
    const absent = plan({ account: null });
    expect(absent.preparation).toEqual({ kind: "topUp", units: feeLimit });
    expect(absent.feeUnits).toBe(6_428_500n + 1_100_000n);
  });

  it("lends energy if the gas account's stake yields enough", () => {
    const { preparation, feeUnits } = plan({}, rich);
    if (preparation?.kind !== "lend") throw new Error("nothing is lent");
    const lentEnergy =
      (preparation.units * facts.supply.totalEnergy) / facts.supply.totalEnergyStake / trx;
    expect(lentEnergy).toBeGreaterThan(energyMost);
    expect(lentEnergy).toBeLessThan((energyMost * 103n) / 100n);
    expect(feeUnits).toBe((most + 9n) / 10n);
    expect(plan({}, { lendable: preparation.units }).preparation?.kind).toBe("lend");
    expect(plan({}, { lendable: preparation.units - 1n }).preparation?.kind).toBe("topUp");
  });

  it("activates an account with one sun before lending energy to it", () => {
    const { preparation, feeUnits } = plan({ account: null }, rich);
    expect(preparation).toEqual({ kind: "topUp", units: 1n });
    expect(feeUnits).toBeGreaterThan(1_100_000n);
    expect(feeUnits).toBeLessThan(2_000_000n);
  });

  it("lends at least one TRX, and nothing if no TRX is staked for energy", () => {
    const cheap = { ...facts.supply, totalEnergyStake: 1n };
    expect(plan({}, { ...rich, supply: cheap }).preparation).toEqual({ kind: "lend", units: trx });
    const none = { totalEnergy: 180_000_000_000n, totalEnergyStake: 0n };
    expect(plan({}, { ...rich, supply: none }).preparation?.kind).toBe("topUp");
  });

  it("tops up if energy is so cheap that lending it costs more", () => {
    const prices = { ...facts.prices, sunPerEnergy: 1n };
    expect(plan({}, { ...rich, prices }).preparation?.kind).toBe("topUp");
  });
});
