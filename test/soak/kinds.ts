/** What a soak runs over and over, each in a process of its own, with which a crash or a leak ends. */
export const soakKinds = [
  "payouts",
  "restores",
  "value",
  "woven-deposits",
  "woven-payouts",
  "chaos",
] as const;

export type SoakKind = (typeof soakKinds)[number];

/** A run: histories from a seed on, or a deployment under load that is struck with faults chosen by the seed. */
export type Plan = {
  readonly kind: SoakKind;
  readonly from: number;
  /** Histories, or faults of each kind. */
  readonly size: number;
};

type Script = "chaos" | "simulate";

/** The npm script of a run and its arguments. */
export function commandOf({ kind, from, size }: Plan): readonly [Script, ...string[]] {
  return kind === "chaos"
    ? ["chaos", "--rounds", String(size), "--seed", String(from)]
    : ["simulate", "--of", kind, "--seeds", String(size), "--from", String(from)];
}

/** How many seeds a run uses up: a history has one of its own, and all faults of a deployment share one. */
export function seedsOf({ kind, size }: Pick<Plan, "kind" | "size">): number {
  return kind === "chaos" ? 1 : size;
}
