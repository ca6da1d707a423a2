import { cpus, loadavg } from "node:os";

/** One line of the table. Texts include their units. */
export type Finding = {
  readonly what: string;
  readonly product: string;
  /** The baseline of the same run; empty for an absolute target. */
  readonly floor: string;
  readonly ratio: string;
  readonly target: string;
  readonly isMet: boolean | null;
};

/** Compares rates: the product's should be at least `atLeast` times the baseline's. */
export function rateFinding(
  what: string,
  unit: string,
  { product, floor }: { readonly product: number; readonly floor: number },
  floorName: string,
  atLeast: number | null,
): Finding {
  const ratio = product / floor;
  return {
    what,
    product: `${amount(product)} ${unit}`,
    floor: `${floorName}: ${amount(floor)} ${unit}`,
    ratio: ratio.toFixed(2),
    target: atLeast === null ? "" : `>= ${atLeast}`,
    isMet: atLeast === null ? null : ratio >= atLeast,
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
  const ratio = product / floor;
  return {
    what,
    product: `${amount(product)} ${unit}`,
    floor: `${floorName}: ${amount(floor)} ${unit}`,
    ratio: ratio.toFixed(2),
    target: atMost === null ? "" : `<= ${atMost}`,
    isMet: atMost === null ? null : ratio <= atMost,
  };
}

/** A figure with an absolute bound. */
export function boundFinding(
  what: string,
  value: number,
  unit: string,
  atMost: number | null,
): Finding {
  return {
    what,
    product: `${amount(value)} ${unit}`,
    floor: "",
    ratio: "",
    target: atMost === null ? "" : `<= ${atMost} ${unit}`,
    isMet: atMost === null ? null : value <= atMost,
  };
}

/** The table as Markdown, as in `docs/benchmarks.md`. */
export function renderFindings(findings: readonly Finding[]): string {
  const rows = findings.map(({ what, product, floor, ratio, target, isMet }) =>
    [what, product, floor, ratio, target, isMet === null ? "" : isMet ? "met" : "**missed**"].join(
      " | ",
    ),
  );
  const header = ["what", "product", "floor", "ratio", "target", ""].join(" | ");
  return [header, "---|---|---|---|---|---", ...rows].map((row) => `| ${row} |`).join("\n");
}

/** Describes the machine of the measurement. */
export function describeMachine(): string {
  const [processor] = cpus();
  const load = loadavg().map((value) => value.toFixed(1));
  return `${cpus().length} cores (${processor?.model ?? "unknown"}), Node ${process.version}, load ${load.join(" ")}`;
}

function amount(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
