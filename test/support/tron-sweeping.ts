import type { Draft, SweepPlan, SweepState, SweepSurvey } from "../../src/chains/paying-port.ts";
import { createTronSweeper } from "../../src/chains/tron/sweeper.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { PrivateTron } from "./private-tron.ts";
import { privateKeyOf, signal, type TronAccounts } from "./tron-accounts.ts";

/*
 * Sweeping on the simulated ledger, step by step: surveyed and drafted by the adapter, signed by the signer's own code, and what each
 * step burned read back with tronweb.
 */

/** As the worker does without a configured ceiling. */
const ceilingTimes = 10n;

/** The steps that the worker takes, for one of our addresses at a time. */
export function openTronSweeping(ledger: PrivateTron, own: TronAccounts) {
  const { node, currencies, addressing, writer } = own;
  const treasury = present(addressing.treasury, "our own accounts");
  const sweeper = createTronSweeper({ node, currencies, treasury, clock: systemClock });
  const depositAt = (keyIndex: number): string => addressing.depositAt(keyIndex, null).address;
  const survey = (
    keyIndexes: readonly number[],
    wanted: readonly CurrencyId[],
  ): Promise<SweepSurvey> =>
    sweeper.survey(
      keyIndexes.map((keyIndex) => ({
        keyIndex,
        address: depositAt(keyIndex),
        currencies: wanted,
      })),
      signal,
    );

  /** The intent with which the worker has a plan signed. */
  const intentOf = (plan: SweepPlan) => {
    switch (plan.kind) {
      case "prepare":
        return {
          kind: plan.preparation.kind === "topUp" ? "top_up" : "delegate",
          keyIndex: plan.state.keyIndex,
          units: plan.preparation.units.toString(),
        } as const;
      case "release":
        return {
          kind: "undelegate",
          keyIndexes: plan.states.map(({ keyIndex }) => keyIndex),
        } as const;
      case "single": {
        const { keyIndex, address } = plan.state;
        return {
          kind: "sweep",
          sources: [{ keyIndex, address, assets: [own.assetOf(plan.currency)] }],
        } as const;
      }
      case "setUp":
      case "batch":
        throw new Error(`no plan of this chain: ${plan.kind}`);
    }
  };

  return {
    sweeper,
    depositAt,
    survey,
    stateOf: async (keyIndex: number, ...wanted: readonly CurrencyId[]): Promise<SweepState> =>
      present((await survey([keyIndex], wanted)).states[0], "the state of the address"),
    /** Drafts, signs, sends and mines until the block is solid. Returns what was burned; fails unless it succeeds. */
    carryOut: async (
      plan: SweepPlan,
      expectedUnits: bigint,
    ): Promise<{ readonly burned: bigint; readonly draft: Draft }> => {
      const feeCeiling = ceilingTimes * expectedUnits;
      const outcome = await sweeper.draft({ plan, sequence: null, feeCeiling }, signal);
      if (outcome.kind !== "draft") throw new Error(`no draft of ${plan.kind}: ${outcome.kind}`);
      const { draft } = outcome;
      const { raw, txid } = own.sign(draft, intentOf(plan), feeCeiling);
      const sent = await writer.broadcast(raw, signal);
      if (sent.kind !== "accepted") throw new Error(`${plan.kind} is ${JSON.stringify(sent)}`);
      await ledger.mine(20);
      const status = await writer.status(txid, draft, signal);
      if (status.kind !== "mined" || !status.hasSucceeded)
        throw new Error(`${plan.kind} is ${status.kind} and did not succeed`);
      const { fee = 0 } = await ledger.ask<{ readonly fee?: number }>(
        "/wallet/gettransactioninfobyid",
        { value: txid },
      );
      if (BigInt(fee) > draft.feeUnits)
        throw new Error(`${plan.kind} burned ${fee} of at most ${draft.feeUnits}`);
      return { burned: BigInt(fee), draft };
    },
    /** Stakes the gas account's coin for energy. */
    stake: async (sun: bigint): Promise<void> => {
      const { web, send, mine } = ledger;
      const freeze = await web.transactionBuilder.freezeBalanceV2(Number(sun), "ENERGY", own.gas);
      await send(freeze, privateKeyOf("gas"));
      await mine(20);
    },
  };
}

export type TronSweeping = ReturnType<typeof openTronSweeping>;
