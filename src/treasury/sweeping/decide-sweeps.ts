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
  readonly awaited: ReadonlySet<CurrencyId>;
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
 * Decides which of the surveyed deposit addresses to sweep, and how. Addresses with tokens are swept together on chains with
 * batches. An address with nothing but coin sends it itself, which costs less and leaves the address as it is. Without batches,
 * an address with tokens gets what its own transaction lacks first. Pure.
 */
export function decideSweeps(survey: SweepSurvey, terms: SweepTerms): readonly SweepStep[] {
  const ordered = survey.states.toSorted(
    (a, b) => Number(isWanted(b, terms)) - Number(isWanted(a, terms)),
  );
  if (survey.mode === "single") {
    // What is lent to an address is lent to no other, and taken back if the address waits too long for its turn.
    const preparedFirst = ordered.toSorted((a, b) => Number(b.isPrepared) - Number(a.isPrepared));
    return preparedFirst.flatMap((state) => singleStep(state, terms) ?? []);
  }
  const sources = ordered.flatMap((state) => batchSource(state, terms) ?? []);
  const batched = new Set(sources.map(({ state }) => state.address));
  const alone = ordered.filter(({ address }) => !batched.has(address));
  return [
    ...batchSteps(survey, sources, terms),
    ...alone.flatMap((state) => coinStep(state, terms) ?? []),
  ];
}

function isWanted({ assets }: SweepState, { awaited }: SweepTerms): boolean {
  return assets.some(({ currency, final }) => final > 0n && awaited.has(currency));
}

/**
 * The address with those of its assets that are worth moving in a batch; null without such a token, or if together they are not
 * worth the address's own part of the fee.
 */
function batchSource(state: SweepState, terms: SweepTerms): SweepSourceState | null {
  const moved = state.assets.filter(
    (asset) => asset.work !== null && isWorth([asset], asset.feeUnits.inBatch, terms),
  );
  if (!moved.some(({ currency }) => currency !== terms.coin)) return null;
  const source = { state, currencies: moved.map(({ currency }) => currency) };
  return isWorth(moved, sourceFee(source), terms) ? source : null;
}

/** As few transactions as possible; each only if its contents bear a transaction's fee. */
function batchSteps(
  survey: SweepSurvey,
  sources: readonly SweepSourceState[],
  terms: SweepTerms,
): readonly SweepStep[] {
  const steps: SweepStep[] = [];
  for (const chunk of chunksOf(survey, sources, terms)) {
    const feeUnits = chunk.reduce((sum, source) => sum + sourceFee(source), survey.batchFeeUnits);
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

function sourceFee({ state, currencies }: SweepSourceState): bigint {
  return state.assets.reduce(
    (sum, { currency, feeUnits }) => (currencies.includes(currency) ? sum + feeUnits.inBatch : sum),
    state.batchFeeUnits,
  );
}

/**
 * One token at a time, since each transaction of an address waits for the previous one; the coin comes last, since it pays for
 * them.
 */
function singleStep(state: SweepState, terms: SweepTerms): SweepStep | null {
  for (const asset of state.assets) {
    const { currency, work, preparation } = asset;
    if (currency === terms.coin || work === null || asset.final === 0n) continue;
    const feeUnits = asset.feeUnits.alone;
    if (!isWorth([asset], feeUnits, terms)) continue;
    const plan: SweepPlan =
      preparation === null
        ? { kind: "single", state, currency }
        : { kind: "prepare", state, preparation };
    return { plan, sources: [{ state, currencies: [currency] }], feeUnits };
  }
  return coinStep(state, terms);
}

function coinStep(state: SweepState, terms: SweepTerms): SweepStep | null {
  const asset = state.assets.find(({ currency }) => currency === terms.coin);
  if (asset === undefined || !isWorth([asset], asset.feeUnits.alone, terms)) return null;
  const { currency } = asset;
  const feeUnits = asset.feeUnits.alone;
  const plan: SweepPlan = { kind: "single", state, currency };
  return { plan, sources: [{ state, currencies: [currency] }], feeUnits };
}

/** Whether their final amounts are worth the fee `worthTimes` over; once is enough for what payouts wait for. */
function isWorth(assets: readonly SweepAsset[], feeUnits: bigint, terms: SweepTerms): boolean {
  let bears = 0n;
  for (const { currency, final } of assets) {
    const worth = final === 0n ? null : terms.worth(currency, final);
    if (worth === null) continue;
    bears += terms.awaited.has(currency) ? worth * terms.worthTimes : worth;
  }
  return bears > 0n && bears >= feeUnits * terms.worthTimes;
}
