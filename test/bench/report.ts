import { cpus, loadavg } from "node:os";

/** One line of the table. Texts carry their units. */
export type Finding = {
  readonly what: string;
  readonly product: string;
  /** What it is measured against in the same run; empty where the target is absolute. */
  readonly floor: string;
  readonly ratio: string;
  readonly target: string;
  readonly isMet: boolean | null;
};

/** A rate against a rate: the product's should be at least `atLeast` of the floor's. */
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

/** A duration against a duration: the product's should be at most `atMost` times the floor's. */
export function durationFinding(
  what: string,
  durations: { readonly product: number; readonly floor: number },
  floorName: string,
  atMost: number,
): Finding {
  return countFinding(what, durations, "ms", floorName, atMost);
}

/** An amount against an amount, less being better: the product's should be at most `atMost` times the floor's. */
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

/** A figure with a bound of its own. */
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

/** The table as Markdown, as it stands in `docs/benchmarks.md`. */
export function renderFindings(findings: readonly Finding[]): string {
  const rows = findings.map(({ what, product, floor, ratio, target, isMet }) =>
    [what, product, floor, ratio, target, isMet === null ? "" : isMet ? "met" : "**missed**"].join(
      " | ",
    ),
  );
  const header = ["what", "product", "floor", "ratio", "target", ""].join(" | ");
  return [header, "---|---|---|---|---|---", ...rows].map((row) => `| ${row} |`).join("\n");
}

/** What the figures were taken on. */
export function describeMachine(): string {
  const [processor] = cpus();
  const load = loadavg().map((value) => value.toFixed(1));
  return `${cpus().length} cores (${processor?.model ?? "unknown"}), Node ${process.version}, load ${load.join(" ")}`;
}

function amount(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
