import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DraftOutcome, SweepPlan, SweepState } from "../../src/chains/paying-port.ts";
import { createTronSweeper } from "../../src/chains/tron/sweeper.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";
import {
  coin,
  fund,
  openTronAccounts,
  privateKeyOf,
  signal,
  sunPerTrx,
  type TronAccounts,
  tether,
} from "../support/tron-accounts.ts";
import { openTronSweeping, type TronSweeping } from "../support/tron-sweeping.ts";

/*
 * Sweeping deposit addresses on the simulated ledger, step by step: surveyed and drafted by the adapter, signed by the signer's own
 * code. What each step burned is read back with tronweb.
 */

let ledger: PrivateTron;
let own: TronAccounts;
let sweeping: TronSweeping;

beforeAll(async () => {
  ledger = await startPrivateTron();
  own = openTronAccounts(ledger);
  sweeping = openTronSweeping(ledger, own);
  await fund(ledger, own.hot, { sun: sunPerTrx });
  await fund(ledger, own.gas, { sun: 1_000_000n * sunPerTrx });
});
afterAll(async () => {
  await own.close();
  await ledger.stop();
});

const sunOf = async (address: string): Promise<bigint> =>
  BigInt(await ledger.web.trx.getUnconfirmedBalance(address));

function assetOf(state: SweepState, currency: CurrencyId) {
  return present(
    state.assets.find((asset) => asset.currency === currency),
    "the asset",
  );
}

const draftOf = (plan: SweepPlan): Promise<DraftOutcome> =>
  sweeping.sweeper.draft({ plan, sequence: null, feeCeiling: 1_000n * sunPerTrx }, signal);

describe("sweeping TRX", () => {
  it("moves everything while the daily free bandwidth lasts, and then everything but the fee", async () => {
    const address = sweeping.depositAt(0);
    for (const isFree of [true, true, false]) {
      await fund(ledger, address, { sun: 5n * sunPerTrx });
      await ledger.mine(20);
      const state = await sweeping.stateOf(0, coin);
      const { final, preparation, feeUnits } = assetOf(state, coin);
      expect(final).toBe(5n * sunPerTrx);
      expect(preparation).toBeNull();
      expect(feeUnits.alone).toBe(268_000n);
      const before = await sunOf(own.hot);
      const { burned } = await sweeping.carryOut(
        { kind: "single", state, currency: coin },
        feeUnits.alone,
      );
      expect(burned).toBe(isFree ? 0n : 268_000n);
      expect(await sunOf(own.hot)).toBe(before + 5n * sunPerTrx - burned);
      expect(await sunOf(address)).toBe(0n);
    }
  });

  it("counts coin only once its block is solid, and never what has left since", async () => {
    const address = sweeping.depositAt(1);
    await fund(ledger, address, { sun: 3n * sunPerTrx });
    expect(assetOf(await sweeping.stateOf(1, coin), coin)).toMatchObject({ latest: 0n, final: 0n });
    await ledger.mine(20);
    expect(assetOf(await sweeping.stateOf(1, coin), coin)).toMatchObject({
      latest: 3n * sunPerTrx,
      final: 3n * sunPerTrx,
    });
    const sent = await ledger.web.transactionBuilder.sendTrx(ledger.faucet, 1_000_000, address);
    await ledger.send(sent, privateKeyOf(1));
    await ledger.mine();
    expect(assetOf(await sweeping.stateOf(1, coin), coin)).toMatchObject({
      latest: 3n * sunPerTrx,
      final: 2n * sunPerTrx,
    });
  });

  it("is never drafted above the fee ceiling", async () => {
    await fund(ledger, sweeping.depositAt(2), { sun: sunPerTrx });
    await ledger.mine(20);
    const state = await sweeping.stateOf(2, coin);
    const plan = { kind: "single", state, currency: coin } as const;
    const outcome = await sweeping.sweeper.draft(
      { plan, sequence: null, feeCeiling: 266_999n },
      signal,
    );
    expect(outcome).toEqual({ kind: "tooExpensive", feeUnits: 1_100_000n });
  });
});

describe("sweeping a token without a stake", () => {
  it("tops the address up, which creates its account, and moves all of the token", async () => {
    const address = sweeping.depositAt(10);
    await fund(ledger, address, { tokens: 50_000_000n });
    await ledger.mine(20);
    const poor = await sweeping.stateOf(10, tether);
    const { preparation, feeUnits, work } = assetOf(poor, tether);
    expect(work).toBeGreaterThan(0n);
    if (preparation?.kind !== "topUp") throw new Error("no top-up");
    expect(await draftOf({ kind: "single", state: poor, currency: tether })).toMatchObject({
      kind: "insufficient",
      currency: coin,
    });
    const topUp = await sweeping.carryOut(
      { kind: "prepare", state: poor, preparation },
      feeUnits.alone,
    );
    expect(topUp.burned).toBe(1_100_000n);
    const ready = await sweeping.stateOf(10, tether);
    expect(assetOf(ready, tether).preparation).toBeNull();
    expect(ready.isPrepared).toBe(false);
    const before = await ledger.tokensOf(own.hot);
    const swept = await sweeping.carryOut(
      { kind: "single", state: ready, currency: tether },
      feeUnits.alone,
    );
    expect(await ledger.tokensOf(own.hot)).toBe(before + 50_000_000n);
    expect(await ledger.tokensOf(address)).toBe(0n);
    expect(topUp.burned + swept.burned).toBeLessThanOrEqual(feeUnits.alone);
    // The rest stays for the next sweep, which tops up less.
    await fund(ledger, address, { tokens: 50_000_000n });
    await ledger.mine(20);
    const again = assetOf(await sweeping.stateOf(10, tether), tether).preparation;
    expect(again === null ? 0n : again.units).toBeLessThan(preparation.units);
  });

  it("leaves out a token that the address cannot send", async () => {
    expect(assetOf(await sweeping.stateOf(11, tether), tether)).toMatchObject({
      final: 0n,
      work: null,
    });
  });
});

describe("sweeping a token with a stake", () => {
  beforeAll(async () => {
    await sweeping.stake(30_000n * sunPerTrx);
  });

  it("lends the address energy, moves the token without a fee, and takes the energy back", async () => {
    const address = sweeping.depositAt(20);
    await fund(ledger, address, { tokens: 70_000_000n });
    await ledger.mine(20);

    const absent = await sweeping.stateOf(20, tether);
    const first = assetOf(absent, tether);
    // Energy is lent to accounts only.
    expect(first.preparation).toEqual({ kind: "topUp", units: 1n });
    const created = await sweeping.carryOut(
      {
        kind: "prepare",
        state: absent,
        preparation: present(first.preparation, "a preparation"),
      },
      first.feeUnits.alone,
    );
    expect(created.burned).toBe(1_100_000n);

    const unlent = await sweeping.stateOf(20, tether);
    const { preparation, feeUnits } = assetOf(unlent, tether);
    if (preparation?.kind !== "lend") throw new Error("nothing is lent");
    const staked = await stakeOfGas();
    await sweeping.carryOut({ kind: "prepare", state: unlent, preparation }, feeUnits.alone);
    expect(await stakeOfGas()).toBe(staked - preparation.units);

    const lent = await sweeping.stateOf(20, tether);
    expect(lent.isPrepared).toBe(true);
    expect(assetOf(lent, tether).preparation).toBeNull();
    const before = await ledger.tokensOf(own.hot);
    const swept = await sweeping.carryOut(
      { kind: "single", state: lent, currency: tether },
      assetOf(lent, tether).feeUnits.alone,
    );
    expect(swept.burned).toBe(0n);
    expect(await ledger.tokensOf(own.hot)).toBe(before + 70_000_000n);

    const used = await sweeping.stateOf(20);
    expect(used.isPrepared).toBe(true);
    await sweeping.carryOut(
      { kind: "release", states: [used] },
      (await sweeping.survey([20], [])).releaseFeeUnits,
    );
    expect((await sweeping.stateOf(20)).isPrepared).toBe(false);
    // What the transfer used comes back within a day.
    const returned = await stakeOfGas();
    expect(returned).toBeGreaterThan(staked - preparation.units);
    expect(returned).toBeLessThan(staked);
    expect(await draftOf({ kind: "release", states: [used] })).toMatchObject({
      kind: "impossible",
    });
  });

  it("costs less in total than a top-up", async () => {
    const address = sweeping.depositAt(21);
    await fund(ledger, address, { sun: 1n, tokens: 9_000_000n });
    await ledger.mine(20);
    const withStake = assetOf(await sweeping.stateOf(21, tether), tether);
    expect(withStake.preparation?.kind).toBe("lend");
    const unstaked = createTronSweeper({
      node: own.node,
      currencies: own.currencies,
      // The hot account has staked nothing.
      treasury: { hot: own.addressing.depositAt(0, null), gas: own.addressing.treasury!.hot },
      clock: systemClock,
    });
    const { states } = await unstaked.survey(
      [{ keyIndex: 21, address, currencies: [tether] }],
      signal,
    );
    const without = assetOf(present(states[0], "the state"), tether);
    expect(without.preparation?.kind).toBe("topUp");
    expect(withStake.feeUnits.alone).toBeLessThan(without.feeUnits.alone);
  });

  it("tops up the addresses for which the stake does not suffice", async () => {
    const indexes = Array.from({ length: 15 }, (_, place) => 30 + place);
    for (const index of indexes)
      await fund(ledger, sweeping.depositAt(index), { sun: 1n, tokens: 9_000_000n });
    await ledger.mine(20);
    const { states } = await sweeping.survey(indexes, [tether]);
    const kinds = states.map((state) => assetOf(state, tether).preparation?.kind);
    expect(kinds[0]).toBe("lend");
    expect(kinds.at(-1)).toBe("topUp");
    const lent = states.reduce((sum, state) => {
      const { preparation } = assetOf(state, tether);
      return preparation?.kind === "lend" ? sum + preparation.units : sum;
    }, 0n);
    expect(lent).toBeLessThanOrEqual(await stakeOfGas());
  });

  async function stakeOfGas(): Promise<bigint> {
    const { max_size = 0 } = await ledger.ask<{ max_size?: number }>(
      "/wallet/getcandelegatedmaxsize",
      { owner_address: ledger.web.address.toHex(own.gas), type: 1 },
    );
    return BigInt(max_size);
  }
});

it("estimates the usual fee of sweeps without surveying an address", async () => {
  const { usualFeeUnits, releaseFeeUnits, states, mode } = await sweeping.survey([], []);
  expect([states, mode]).toEqual([[], "single"]);
  expect(usualFeeUnits.coin).toBe(267_000n);
  expect(usualFeeUnits.token).toBeGreaterThan(usualFeeUnits.coin);
  expect(releaseFeeUnits).toBeGreaterThan(0n);
});
