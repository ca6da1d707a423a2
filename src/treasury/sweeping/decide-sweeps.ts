import type {
  SweepAsset,
  SweepPlan,
  SweepSourceState,
  SweepState,
  SweepSurvey,
} from "../../chains/paying-port.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** What the decision rests on beside the chain's own figures. */
export type SweepTerms = {
  readonly coin: CurrencyId;
  /** What so much is worth in the chain's coin, its units; null: nobody says. */
  readonly worth: (currency: CurrencyId, units: bigint) => bigint | null;
  /** Money is moved when it is worth so many times its part of the fee; what payouts wait for, once. */
  readonly worthTimes: bigint;
  readonly wanted: ReadonlySet<CurrencyId>;
  /** Most addresses in one transaction. */
  readonly sourcesMax: number;
};

/** A transaction to be made, and what it is about. */
export type SweepStep = {
  readonly plan: SweepPlan;
  readonly sources: readonly SweepSourceState[];
  /** What it is expected to burn, units of the coin. */
  readonly feeUnits: bigint;
};

/**
 * What of the deposit addresses surveyed is to be moved, and how. Addresses with tokens go together, by the delegate, where the
 * chain has that; one with nothing but coin sends it by itself, which costs less and leaves an address that anybody can pay
 * with exactly 21000 gas. Where the chain has no delegation, an address with tokens is given what its own transaction lacks.
 */
export function decideSweeps(survey: SweepSurvey, terms: SweepTerms): readonly SweepStep[] {
  const ordered = survey.states.toSorted(
    (one, other) => Number(isWanted(other, terms)) - Number(isWanted(one, terms)),
  );
  if (survey.way === "single") {
    return ordered.flatMap((state) => singleStep(survey, state, terms) ?? []);
  }
  const sources = ordered.flatMap((state) => batchSource(survey, state, terms) ?? []);
  const batched = new Set(sources.map(({ state }) => state.address));
  const alone = ordered.filter(({ address }) => !batched.has(address));
  return [
    ...batchSteps(survey, sources, terms),
    ...alone.flatMap((state) => coinStep(survey, state, terms) ?? []),
  ];
}

function isWanted({ assets }: SweepState, { wanted }: SweepTerms): boolean {
  return assets.some(({ currency, final }) => final > 0n && wanted.has(currency));
}

/** The address with what of it is worth moving in a batch; null where that is no token, or not worth an address' own part. */
function batchSource(
  survey: SweepSurvey,
  state: SweepState,
  terms: SweepTerms,
): SweepSourceState | null {
  const moved = state.assets.filter(
    (asset) => asset.gas !== null && isWorth([asset], asset.gas * survey.gasPrice, terms),
  );
  if (!moved.some(({ currency }) => currency !== terms.coin)) return null;
  const source = { state, currencies: moved.map(({ currency }) => currency) };
  return isWorth(moved, sourceGas(survey, source) * survey.gasPrice, terms) ? source : null;
}

/** As few transactions as hold all; each only if what is in it bears a transaction's fee. */
function batchSteps(
  survey: SweepSurvey,
  sources: readonly SweepSourceState[],
  terms: SweepTerms,
): readonly SweepStep[] {
  const steps: SweepStep[] = [];
  for (const chunk of chunksOf(survey, sources, terms)) {
    const gas = chunk.reduce(
      (sum, source) => sum + sourceGas(survey, source),
      survey.transactionGas,
    );
    const feeUnits = gas * survey.gasPrice;
    const moved = chunk.flatMap(({ state, currencies }) =>
      state.assets.filter(({ currency }) => currencies.includes(currency)),
    );
    if (!isWorth(moved, feeUnits, terms)) continue;
    steps.push({ plan: { kind: "batch", sources: chunk }, sources: chunk, feeUnits });
  }
  return steps;
}

/** In their order, as many together as one transaction takes. */
function chunksOf(
  { fit }: SweepSurvey,
  sources: readonly SweepSourceState[],
  { sourcesMax }: SweepTerms,
): readonly (readonly SweepSourceState[])[] {
  const chunks: SweepSourceState[][] = [];
  for (const source of sources) {
    const last = chunks.at(-1);
    if (last !== undefined && last.length < sourcesMax && fit([...last, source])) last.push(source);
    else chunks.push([source]);
  }
  return chunks;
}

function sourceGas({ addressGas }: SweepSurvey, { state, currencies }: SweepSourceState): bigint {
  const own = state.isDelegated ? addressGas.delegated : addressGas.authorized;
  return state.assets.reduce(
    (sum, { currency, gas }) => (currencies.includes(currency) ? sum + (gas ?? 0n) : sum),
    own,
  );
}

/** One token at a time, since each transaction of an address waits for the one before it; the coin last, it pays for them. */
function singleStep(survey: SweepSurvey, state: SweepState, terms: SweepTerms): SweepStep | null {
  const { transactionGas, gasPrice } = survey;
  for (const asset of state.assets) {
    const { currency, gas, topUpUnits } = asset;
    if (currency === terms.coin || gas === null || asset.final === 0n) continue;
    const topUpGas = topUpUnits === 0n ? 0n : transactionGas;
    const feeUnits = (transactionGas + gas + topUpGas) * gasPrice;
    if (!isWorth([asset], feeUnits, terms)) continue;
    const plan: SweepPlan =
      topUpUnits === 0n
        ? { kind: "single", state, currency }
        : { kind: "topUp", state, units: topUpUnits };
    return { plan, sources: [{ state, currencies: [currency] }], feeUnits };
  }
  return coinStep(survey, state, terms);
}

function coinStep(
  { transactionGas, gasPrice }: SweepSurvey,
  state: SweepState,
  terms: SweepTerms,
): SweepStep | null {
  const asset = state.assets.find(({ currency }) => currency === terms.coin);
  const feeUnits = transactionGas * gasPrice;
  if (asset === undefined || !isWorth([asset], feeUnits, terms)) return null;
  const { currency } = asset;
  const plan: SweepPlan = { kind: "single", state, currency };
  return { plan, sources: [{ state, currencies: [currency] }], feeUnits };
}

/** Whether what is final of them is worth the fee often enough; what payouts wait for, once. */
function isWorth(assets: readonly SweepAsset[], feeUnits: bigint, terms: SweepTerms): boolean {
  let bears = 0n;
  for (const { currency, final } of assets) {
    const worth = final === 0n ? null : terms.worth(currency, final);
    if (worth === null) continue;
    bears += terms.wanted.has(currency) ? worth * terms.worthTimes : worth;
  }
  return bears > 0n && bears >= feeUnits * terms.worthTimes;
}
