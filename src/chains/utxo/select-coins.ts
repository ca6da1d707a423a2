/*
 * Which coins pay. Both ways are deterministic: the same candidates in the same order give the same choice.
 */

export type Candidate<Item> = {
  readonly item: Item;
  /** What it adds to the sum: more than 0. */
  readonly value: bigint;
  readonly weight: number;
};

export type ChangelessGoal = {
  readonly target: bigint;
  /** Most above the target that may go to the miner instead of to change. */
  readonly window: bigint;
  readonly weightMax: number;
};

/** Steps of one search; 100,000 as in Bitcoin Core would take 20 ms. */
const searchSteps = 20_000;

/**
 * The choice whose sum lies least above the target and within the window, so that no change is needed; null where the
 * search finds none. Branch and bound, depth first over the candidates by falling value, as in Bitcoin Core and in M.
 * Erhardt, "An Evaluation of Coin Selection Strategies" (2016); the best there is, unless the search ends for its length.
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
      // From here on only a better one counts.
      most = sum - 1n;
    }
    if (isSolution || sum + available < target || sum > most || weight > weightMax) {
      const last = chosen.pop();
      if (last === undefined || most < target) break;
      // What was left out behind the last chosen one is available again; that one is not.
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
 * The fewest coins that reach `least`: the largest ones, and of those that then suffice the smallest. Null where all
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

/** Of the values, which are amounts less what spending them costs. */
export function sumOf(candidates: readonly Candidate<unknown>[]): bigint {
  return candidates.reduce((sum, { value }) => sum + value, 0n);
}

function byFallingValue<Item>(candidates: readonly Candidate<Item>[]): readonly Candidate<Item>[] {
  return candidates.toSorted((a, b) => {
    if (a.value === b.value) return a.weight - b.weight;
    return a.value < b.value ? 1 : -1;
  });
}

/** Its equal was just left out: with this one instead everything would be as it was with that one. */
function repeatsLeftOut(
  sorted: readonly Candidate<unknown>[],
  at: number,
  chosen: readonly number[],
): boolean {
  const [before, candidate] = [sorted[at - 1], sorted[at]];
  if (before === undefined || chosen.at(-1) === at - 1) return false;
  return before.value === candidate?.value && before.weight === candidate.weight;
}
