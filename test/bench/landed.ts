import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { amount, cellsOf, type Finding, ratioOf, renderTable } from "./report.ts";

/** The findings of one section, or why it has none. */
export type SectionResult = {
  readonly name: string;
  readonly machine: string;
  /** Other programs used the processor during the section. */
  readonly isLoaded: boolean;
  readonly findings: readonly Finding[];
  readonly failure: string | null;
};

/** A figure as landed: the product's, and its ratio to the floor of its run. */
type LandedFigure = {
  readonly product: number;
  readonly ratio: number | null;
  readonly unit: string;
  readonly isLoaded: boolean;
};

/** By section, then by the finding's name. */
export type Landed = Readonly<Record<string, Readonly<Record<string, LandedFigure>>>>;

const path = join(import.meta.dirname, "landed.json");

export function readLanded(): Landed {
  return JSON.parse(readFileSync(path, "utf8")) as Landed;
}

/** Replaces the landed figures of these sections, as {@link mergeLanded} says. */
export function writeLanded(results: readonly SectionResult[]): void {
  writeFileSync(path, `${JSON.stringify(mergeLanded(readLanded(), results), null, 2)}\n`);
}

/** An elapsed time that was measured beside other programs does not replace one from a quiet machine. */
export function mergeLanded(landed: Landed, results: readonly SectionResult[]): Landed {
  const merged: Record<string, Landed[string]> = { ...landed };
  for (const { name, findings, isLoaded, failure } of results) {
    if (failure !== null) continue;
    const before = landed[name] ?? {};
    merged[name] = Object.fromEntries(
      findings.map((finding) => {
        const { product, unit, basis } = finding;
        const key = keyOf(finding);
        const old = before[key];
        if (isLoaded && basis === "clock" && old?.isLoaded === false) return [key, old];
        const ratio = ratioOf(finding);
        const figure = {
          product: rounded(product),
          ratio: ratio === null ? null : rounded(ratio),
          unit,
          isLoaded,
        };
        return [key, figure];
      }),
    );
  }
  return merged;
}

/** More than a fifth lost is a regression. */
const leastKept = 0.8;

export type Comparison = {
  readonly finding: Finding;
  readonly landed: LandedFigure | null;
  /** How many times as good as landed, by ratio where there is a floor; null if they cannot be compared. */
  readonly kept: number | null;
  readonly isRegression: boolean;
};

/** Compares with the landed figures. Elapsed times are compared only if nothing else used the processor, then and now. */
export function compareWithLanded(
  landed: Landed,
  { name, findings, isLoaded }: SectionResult,
): readonly Comparison[] {
  return findings.map((finding) => {
    const figure = landed[name]?.[keyOf(finding)] ?? null;
    const isComparable =
      figure !== null && (finding.basis !== "clock" || (!isLoaded && !figure.isLoaded));
    const kept = isComparable ? keptOf(finding, figure) : null;
    return { finding, landed: figure, kept, isRegression: kept !== null && kept < leastKept };
  });
}

function keptOf(finding: Finding, landed: LandedFigure): number | null {
  const now = ratioOf(finding) ?? finding.product;
  const then = landed.ratio ?? landed.product;
  if (now === then) return 1;
  const kept = finding.better === "more" ? now / then : then / now;
  return Number.isFinite(kept) ? kept : null;
}

/** Two findings of a section may measure the same against different floors. */
function keyOf({ what, floor }: Finding): string {
  return floor === null ? what : `${what} | ${floor.name}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

const header = ["what", "product", "floor", "ratio", "target", "", "landed", "change"];

/** The table of a section, with the landed figures next to the new ones. */
export function renderComparisons(comparisons: readonly Comparison[]): string {
  return renderTable(header, comparisons.map(rowOf));
}

function rowOf({ finding, landed, kept, isRegression }: Comparison): readonly string[] {
  const landedText =
    landed === null ? "" : (landed.ratio?.toFixed(2) ?? amount(landed.product, landed.unit));
  const change = kept === null ? "" : `${kept >= 1 ? "+" : ""}${Math.round((kept - 1) * 100)} %`;
  return [...cellsOf(finding), landedText, isRegression ? `**${change}**` : change];
}

/** Everything that was measured in one table, and below it the regressions and the sections that failed. */
export function renderResults(landed: Landed, results: readonly SectionResult[]): string {
  const compared = results.map((result) => ({
    result,
    comparisons: compareWithLanded(landed, result),
  }));
  const rows = compared.flatMap(({ result, comparisons }) => {
    const note = result.isLoaded ? ", other programs running: elapsed times not compared" : "";
    const title = [`**${result.name}** (${result.machine}${note})`];
    return [[...title, ...header.slice(1).map(() => "")], ...comparisons.map(rowOf)];
  });
  const lost = compared.flatMap(({ result, comparisons }) =>
    comparisons
      .filter(({ isRegression }) => isRegression)
      .map(({ finding, kept }) => {
        const percent = Math.round((1 - (kept ?? 1)) * 100);
        return `REGRESSION in ${result.name}: "${finding.what}" lost ${percent} %`;
      }),
  );
  const failed = results.flatMap(({ name, failure }) =>
    failure === null ? [] : [`FAILED: ${name}: ${failure}`],
  );
  return [renderTable(header, rows), ...lost, ...failed].join("\n");
}

/** Whether anything failed or lost more than a fifth. */
export function isWorse(landed: Landed, results: readonly SectionResult[]): boolean {
  return results.some(
    (result) =>
      result.failure !== null ||
      compareWithLanded(landed, result).some(({ isRegression }) => isRegression),
  );
}
