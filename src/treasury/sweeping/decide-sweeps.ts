import type {
  SweepAsset,
  SweepPlan,
  SweepSourceState,
  SweepState,
  SweepSurvey,
} from "../../chains/paying-port.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** The inputs of the decision beside the chain's survey. */
export type SweepTerms = {
  readonly coin: CurrencyId;
  /** The worth of an amount in units of the chain's coin; null without a price. */
  readonly worth: (currency: CurrencyId, units: bigint) => bigint | null;
  /** Money is moved if it is worth this many times its part of the fee; money that payouts wait for, once. */
  readonly worthTimes: bigint;
  readonly wanted: ReadonlySet<CurrencyId>;
  /** The most addresses in one transaction. */
  readonly sourcesMax: number;
};

/** A transaction to create, and the addresses it sweeps. */
export type SweepStep = {
  readonly plan: SweepPlan;
  readonly sources: readonly SweepSourceState[];
  /** The fee that it is expected to burn, in units of the coin. */
  readonly feeUnits: bigint;
};

/**
 * Decides which of the surveyed deposit addresses to sweep, and how. Addresses with tokens are swept together by the delegate,
 * on chains that support delegation. An address with nothing but coin sends it itself, which costs less and keeps the address
 * payable with exactly 21000 gas. Without delegation, an address with tokens is topped up with what its own transaction lacks.
 * Pure.
 */
export function decideSweeps(survey: SweepSurvey, terms: SweepTerms): readonly SweepStep[] {
  const ordered = survey.states.toSorted(
    (a, b) => Number(isWanted(b, terms)) - Number(isWanted(a, terms)),
  );
  if (survey.mode === "single") {
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

/**
 * The address with those of its assets that are worth moving in a batch; null without such a token, or if together they are not
 * worth the address's own part of the fee.
 */
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

/** As few transactions as possible; each only if its contents bear a transaction's fee. */
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

/** Groups them in order, as many as one transaction takes. */
function chunksOf(
  { fitsOneTransaction }: SweepSurvey,
  sources: readonly SweepSourceState[],
  { sourcesMax }: SweepTerms,
): readonly (readonly SweepSourceState[])[] {
  const chunks: SweepSourceState[][] = [];
  for (const source of sources) {
    const last = chunks.at(-1);
    if (last !== undefined && last.length < sourcesMax && fitsOneTransaction([...last, source]))
      last.push(source);
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

/**
 * One token at a time, since each transaction of an address waits for the previous one; the coin comes last, since it pays for
 * them.
 */
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

/** Whether their final amounts are worth the fee `worthTimes` over; once is enough for what payouts wait for. */
function isWorth(assets: readonly SweepAsset[], feeUnits: bigint, terms: SweepTerms): boolean {
  let bears = 0n;
  for (const { currency, final } of assets) {
    const worth = final === 0n ? null : terms.worth(currency, final);
    if (worth === null) continue;
    bears += terms.wanted.has(currency) ? worth * terms.worthTimes : worth;
  }
  return bears > 0n && bears >= feeUnits * terms.worthTimes;
}
