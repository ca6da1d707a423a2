/* Coin selection. Both methods are deterministic: the same candidates in the same order give the same selection. */

export type Candidate<Item> = {
  readonly item: Item;
  /** The candidate's contribution to the sum, above 0. */
  readonly value: bigint;
  readonly weight: number;
};

export type ChangelessGoal = {
  readonly target: bigint;
  /** The maximum excess over the target that may go to the miner instead of to change. */
  readonly window: bigint;
  readonly weightMax: number;
};

/** Steps of one search; Bitcoin Core's 100,000 would take 20 ms. */
const searchSteps = 20_000;

/**
 * The selection whose sum is closest above the target and within the window, so that no change is needed; null if the search
 * finds none. Branch and bound, depth first over the candidates by falling value, as in Bitcoin Core and in M. Erhardt, "An
 * Evaluation of Coin Selection Strategies" (2016). It is the best selection unless the step limit ends the search.
 */
export function selectChangeless<Item>(
  candidates: readonly Candidate<Item>[],
  { target, window, weightMax }: ChangelessGoal,
): readonly Item[] | null {
  const sorted = byFallingValue(candidates);
  let available = sumOf(sorted);
  let most = target + window;
  let best: readonly number[] | null = null;
  const chosen: number[] = [];
  let sum = 0n;
  let weight = 0;
  let at = 0;
  for (let step = 0; step < searchSteps; step += 1) {
    const isSolution = sum >= target && sum <= most && weight <= weightMax;
    if (isSolution) {
      best = [...chosen];
      // From here on only a better selection counts.
      most = sum - 1n;
    }
    if (isSolution || sum + available < target || sum > most || weight > weightMax) {
      const last = chosen.pop();
      if (last === undefined || most < target) break;
      // Backtracks: candidates skipped after the last selected one are available again; that one is not.
      for (at -= 1; at > last; at -= 1) available += sorted[at]?.value ?? 0n;
      sum -= sorted[last]?.value ?? 0n;
      weight -= sorted[last]?.weight ?? 0;
      at = last + 1;
      continue;
    }
    const candidate = sorted[at];
    if (candidate === undefined) break;
    available -= candidate.value;
    if (!repeatsLeftOut(sorted, at, chosen)) {
      chosen.push(at);
      sum += candidate.value;
      weight += candidate.weight;
    }
    at += 1;
  }
  return best?.flatMap((index) => sorted[index]?.item ?? []) ?? null;
}

/**
 * The fewest coins that reach `least`: the largest ones, with the last one replaced by the smallest that suffices. Null if all
 * together do not reach it, or only above the weight.
 */
export function selectFewest<Item>(
  candidates: readonly Candidate<Item>[],
  least: bigint,
  weightMax: number,
): readonly Candidate<Item>[] | null {
  const sorted = byFallingValue(candidates);
  let sum = 0n;
  for (const [index, candidate] of sorted.entries()) {
    if (sum + candidate.value < least) {
      sum += candidate.value;
      continue;
    }
    const needed = least - sum;
    const last = sorted.findLast(({ value }) => value >= needed) ?? candidate;
    const selected = [...sorted.slice(0, index), last];
    return weightOfAll(selected) <= weightMax ? selected : null;
  }
  return null;
}

/** In weight units. */
export function weightOfAll(candidates: readonly Candidate<unknown>[]): number {
  return candidates.reduce((sum, { weight }) => sum + weight, 0);
}

/** The sum of values, which are amounts less the cost of spending them. */
export function sumOf(candidates: readonly Candidate<unknown>[]): bigint {
  return candidates.reduce((sum, { value }) => sum + value, 0n);
}

function byFallingValue<Item>(candidates: readonly Candidate<Item>[]): readonly Candidate<Item>[] {
  return candidates.toSorted((a, b) => {
    if (a.value === b.value) return a.weight - b.weight;
    return a.value < b.value ? 1 : -1;
  });
}

/** An equal candidate was just skipped: selecting this one instead would repeat the same search. */
function repeatsLeftOut(
  sorted: readonly Candidate<unknown>[],
  at: number,
  chosen: readonly number[],
): boolean {
  const [before, candidate] = [sorted[at - 1], sorted[at]];
  if (before === undefined || chosen.at(-1) === at - 1) return false;
  return before.value === candidate?.value && before.weight === candidate.weight;
}
