import type { Currency } from "../../currencies/currency.ts";
import { isCaughtUp } from "../../currencies/is-caught-up.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import type { Route } from "../create/payout-terms.ts";

/** What can pause the payouts of a chain. All but `node` are rows of `payout_stop`; `node` follows from what was read of the chain. */
export type PauseKind = "kill_switch" | "restore" | "reconciliation" | "node";

/** Those on record in `payout_stop`. */
export type StoredPauseKind = Exclude<PauseKind, "node">;

/** Why payouts are paused, and since when. */
export type Pause = {
  readonly kind: PauseKind;
  /** `all` pauses every chain. */
  readonly scope: PauseScope;
  /** For operators: it may say what the deployment holds. */
  readonly reason: string;
  /** Null: the chain was never read to its node's newest block. */
  readonly since: Instant | null;
};

export type PauseScope = "all" | `chain/${string}`;

/**
 * The pause of a chain that is not read up to its node's newest block: what its addresses hold is not known, and neither is
 * what became of our transactions. Null while there is none, or while no worker has opened the chain.
 */
export function nodePause(
  { chain, isOpened, caughtUpAt }: ChainReading,
  now: Instant,
): Pause | null {
  if (!isOpened || isCaughtUp(caughtUpAt, now)) return null;
  return {
    kind: "node",
    scope: `chain/${chain}`,
    reason: "the chain is not read to its node's newest block",
    since: caughtUpAt,
  };
}

export type ChainReading = {
  readonly chain: string;
  /** A worker has begun to follow it. */
  readonly isOpened: boolean;
  readonly caughtUpAt: Instant | null;
};

/**
 * The rejection of a payout while any pause holds for it; none otherwise. It names no place in the request, since every payout of
 * the chain is rejected. A payout inside the service needs no node.
 */
export function pauseFaults(
  name: "payoutsBlocked" | "feeUnavailable",
  pauses: readonly Pause[],
  { alpha }: Pick<Currency, "alpha">,
  route: Pick<Route, "kind"> | null,
): readonly Rejection[] {
  const holding =
    route?.kind === "internal" ? pauses.filter(({ kind }) => kind !== "node") : pauses;
  if (holding.length === 0) return [];
  const named = holding.map((pause) => `${pauseKindNames[pause.kind]} (${publicReason(pause)})`);
  return [rejection(name, `Payouts of ${alpha} are paused: ${named.join("; ")}.`)];
}

/** The reason as every account may know it: what reconciliation found says what the deployment holds. */
export function publicReason({ kind, reason }: Pick<Pause, "kind" | "reason">): string {
  return kind === "reconciliation" ? "the ledger and the chain differ" : reason;
}

/** As sentences name them. */
export const pauseKindNames: Readonly<Record<PauseKind, string>> = {
  kill_switch: "kill switch",
  restore: "restore",
  reconciliation: "reconciliation",
  node: "node",
};
