import { cpus, loadavg } from "node:os";

/** One line of the table. */
export type Finding = {
  readonly what: string;
  readonly product: number;
  readonly unit: string;
  /** The baseline of the same run; null for an absolute figure. */
  readonly floor: { readonly name: string; readonly value: number } | null;
  readonly better: "more" | "less";
  /** What the figure depends on besides the code: other load, the processor, or neither (bytes, gas, transactions). */
  readonly basis: "clock" | "processor" | "count";
  /** The bound of the ratio to the floor, or of the product's own figure. */
  readonly target: { readonly of: "ratio" | "product"; readonly bound: number } | null;
};

/** Compares rates: the product's should be at least `atLeast` times the baseline's. */
export function rateFinding(
  what: string,
  unit: string,
  { product, floor }: { readonly product: number; readonly floor: number },
  floorName: string,
  atLeast: number | null,
): Finding {
  return {
    what,
    product,
    unit,
    floor: { name: floorName, value: floor },
    better: "more",
    basis: "clock",
    target: atLeast === null ? null : { of: "ratio", bound: atLeast },
  };
}

/** Compares durations: the product's should be at most `atMost` times the baseline's. */
export function durationFinding(
  what: string,
  durations: { readonly product: number; readonly floor: number },
  floorName: string,
  atMost: number,
): Finding {
  return countFinding(what, durations, "ms", floorName, atMost);
}

/** Compares amounts: the product's should be at most `atMost` times the baseline's. */
export function countFinding(
  what: string,
  { product, floor }: { readonly product: number; readonly floor: number },
  unit: string,
  floorName: string,
  atMost: number | null,
): Finding {
  return {
    ...boundFinding(what, product, unit, null),
    floor: { name: floorName, value: floor },
    target: atMost === null ? null : { of: "ratio", bound: atMost },
  };
}

const timeUnits: ReadonlySet<string> = new Set(["ms", "s", "/s", "% of a core"]);

/** A figure with an absolute bound. */
export function boundFinding(
  what: string,
  value: number,
  unit: string,
  atMost: number | null,
): Finding {
  return {
    what,
    product: value,
    unit,
    floor: null,
    better: unit === "/s" ? "more" : "less",
    basis: timeUnits.has(unit) ? "clock" : "count",
    target: atMost === null ? null : { of: "product", bound: atMost },
  };
}

/** A duration with an absolute bound, next to the baseline's (null: unknown), which shows what the machine allows. */
export function latencyFinding(
  what: string,
  { product, floor }: { readonly product: number; readonly floor: number | null },
  floorName: string,
  atMost: number,
): Finding {
  const finding = boundFinding(what, product, "ms", atMost);
  return floor === null ? finding : { ...finding, floor: { name: floorName, value: floor } };
}

/** The product divided by its baseline; null without one. */
export function ratioOf({ product, floor }: Pick<Finding, "product" | "floor">): number | null {
  return floor === null ? null : product / floor.value;
}

/** The cells of a finding's row: what, product, floor, ratio, target, verdict. */
export function cellsOf(finding: Finding): readonly string[] {
  const { what, product, unit, floor, target } = finding;
  return [
    what,
    amount(product, unit),
    floor === null ? "" : `${floor.name}: ${amount(floor.value, unit)}`,
    ratioOf(finding)?.toFixed(2) ?? "",
    target === null ? "" : targetText(finding, target),
    verdict(finding),
  ];
}

function targetText({ better, unit }: Finding, target: NonNullable<Finding["target"]>): string {
  const sign = better === "more" ? ">=" : "<=";
  return target.of === "ratio" ? `${sign} ${target.bound}` : `${sign} ${target.bound} ${unit}`;
}

function verdict(finding: Finding): string {
  const { product, better, target } = finding;
  if (target === null) return "";
  const value = target.of === "ratio" ? (ratioOf(finding) ?? Number.NaN) : product;
  return (better === "more" ? value >= target.bound : value <= target.bound) ? "met" : "**missed**";
}

/** Rows as a Markdown table, as in `docs/benchmarks.md`. */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)].join("\n");
}

/** Describes the machine of the measurement. */
export function describeMachine(): string {
  const [processor] = cpus();
  const load = loadavg().map((value) => value.toFixed(1));
  return `${cpus().length} cores (${processor?.model ?? "unknown"}), Node ${process.version}, load ${load.join(" ")}`;
}

/** A figure with three or more digits and its unit. */
export function amount(value: number, unit: string): string {
  const digits =
    value >= 100
      ? Math.round(value).toLocaleString("en-US")
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(2);
  return `${digits} ${unit}`.trimEnd();
}
