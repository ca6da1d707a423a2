import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { byteBasis } from "./fee-basis.ts";
import type { FeeFloor } from "./fee-rates.ts";
import { aimAtFee, type FeeAim, type PlanOutcome } from "./plan-payment.ts";
import {
  completePlan,
  type FeeRule,
  type SpendableCoin,
  type SpendRequest,
  worthwhile,
} from "./plan-spend.ts";
import { feeAt } from "./transaction-weight.ts";

/** The transaction to replace. */
export type Replaced = {
  /** All of these are spent again. */
  readonly coins: readonly SpendableCoin[];
  readonly feeUnits: bigint;
  readonly vsize: number;
};

/**
 * The same payments from the same coins, with more coins where these do not cover the higher fee. Nodes accept it (BIP-125, rules
 * 3, 4 and 6) when it pays the old fee plus the node's increment for its own size, at a higher rate. The node checks that nobody
 * has spent an output of the old transaction.
 */
export function planReplacement(
  purse: SpendRequest,
  replaced: Replaced,
  aim: FeeAim,
  floor: FeeFloor,
  ceiling: bigint,
): PlanOutcome {
  const least = leastOf(replaced, floor);
  const target = targetOf(aim, floor.relay, ceiling);
  const rules = [(vsize: number) => maxBigInt(target(vsize), least(vsize)), least];
  let outcome: PlanOutcome = { kind: "insufficient", missing: 1n };
  for (const rule of rules) {
    outcome = withFurtherCoins(purse, replaced, { aim: rule, least, most: ceiling }, floor.relay);
    if (outcome.kind === "plan") return outcome;
  }
  return outcome;
}

/** The minimum fee at which nodes accept the replacement. */
function leastOf(replaced: Replaced, floor: FeeFloor): (vsize: number) => bigint {
  // Each signature may be a byte shorter than planned, which makes the old transaction's rate slightly higher than planned.
  const sizeAtLeast = BigInt(replaced.vsize - replaced.coins.length);
  return (vsize) => {
    const onTop = replaced.feeUnits + feeAt(floor.increment, vsize);
    const higherRate = (replaced.feeUnits * BigInt(vsize)) / sizeAtLeast + 1n;
    return maxBigInt(maxBigInt(onTop, higherRate), feeAt(floor.relay, vsize));
  };
}

function targetOf(aim: FeeAim, relay: bigint, ceiling: bigint): (vsize: number) => bigint {
  if (aim.kind === "fee") return aimAtFee(aim.feeUnits, relay, ceiling);
  const most = aim.most === null ? ceiling : minBigInt(aim.most, ceiling);
  return (vsize) => minBigInt(feeAt(aim.rate, vsize), most);
}

function withFurtherCoins(
  purse: SpendRequest,
  replaced: Replaced,
  rule: FeeRule,
  relay: bigint,
): PlanOutcome {
  const { basis = byteBasis, change, paid, scriptLengths } = purse;
  const kept = new Set(replaced.coins.map(({ claim }) => claim));
  const further = worthwhile(purse, relay)
    .map(({ item }) => item)
    .filter(({ claim }) => !kept.has(claim))
    .toSorted((a, b) => (a.units < b.units ? -1 : 1));
  const coins = [...replaced.coins];
  for (;;) {
    const plan = completePlan(purse, coins, change.dust, rule);
    if (plan !== null) return { kind: "plan", plan };
    const inputs = coins.map(({ addressType }) => addressType);
    const size = basis.sizeOf({ inputs, scriptLengths: [...scriptLengths, change.scriptLength] });
    const feeUnits = rule.least(size);
    if (feeUnits > rule.most) return { kind: "tooExpensive", feeUnits };
    const sum = coins.reduce((total, { units }) => total + units, 0n);
    const needed = paid + rule.aim(size) + change.dust - sum;
    const suited = further.findIndex(({ units }) => units > needed);
    const [added] = further.splice(suited === -1 ? further.length - 1 : suited, 1);
    if (added === undefined) return { kind: "insufficient", missing: maxBigInt(needed, 1n) };
    coins.push(added);
  }
}
