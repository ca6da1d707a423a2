import type { Currency } from "../../currencies/currency.ts";
import { isCaughtUp } from "../../currencies/is-caught-up.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import {
  type Rejection,
  type RejectionSource,
  rejection,
} from "../../platform/kernel/rejection.ts";
import type { Route } from "../create/decide-route.ts";

/**
 * What can pause payouts of a chain. All kinds but `node` are rows of `payout_stop`; `node` follows from how far the
 * chain has been read.
 */
export type PauseKind = "kill_switch" | "restore" | "reconciliation" | "node";

/** The kinds that `payout_stop` stores. */
export type StoredPauseKind = Exclude<PauseKind, "node">;

/** Why payouts are paused, and since when. */
export type Pause = {
  readonly kind: PauseKind;
  /** `all` pauses every chain. */
  readonly scope: PauseScope;
  /** For operators only: it may reveal what the deployment holds. */
  readonly reason: string;
  /** Null if the chain was never read to its node's newest block. */
  readonly since: Instant | null;
};

export type PauseScope = "all" | `chain/${string}`;

/**
 * The pause of a chain that has not been read to its node's newest block, so neither its balances nor the outcome of
 * our transactions are known. Null if the chain is up to date, or no worker has started following it.
 */
export function nodePause(
  { chain, isOpened, caughtUpAt }: ChainReading,
  now: Instant,
): Pause | null {
  if (!isOpened || isCaughtUp(caughtUpAt, now)) return null;
  return {
    kind: "node",
    scope: `chain/${chain}`,
    reason: "the service has not caught up with the chain",
    since: caughtUpAt,
  };
}

export type ChainReading = {
  readonly chain: string;
  /** Whether a worker has started following it. */
  readonly isOpened: boolean;
  readonly caughtUpAt: Instant | null;
};

/**
 * Rejects a payout while a pause applies to it. The rejection has no `source`, since the pause affects every payout
 * of the chain. Internal payouts do not need the node, so its pause does not apply to them.
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
  const paused = rejection(name, `Payouts of ${alpha} are paused: ${named.join("; ")}.`);
  return [{ ...paused, origin: route?.kind === "internal" ? "insidePause" : "chainPause" }];
}

/** The kill switch of one wallet. */
export type WalletPause = {
  readonly payoutsBlocked: boolean;
  /** Null while it is off, and for wallets paused before reasons were recorded. */
  readonly payoutsBlockedReason: string | null;
};

/** The same for a wallet that a kill switch pauses. */
export function walletPauseFaults(
  name: "payoutsBlocked" | "feeUnavailable",
  { payoutsBlocked, payoutsBlockedReason: reason }: WalletPause,
  source?: RejectionSource,
): readonly Rejection[] {
  if (!payoutsBlocked) return [];
  const named = `${pauseKindNames.kill_switch}${reason === null ? "" : ` (${reason})`}`;
  const paused = rejection(name, `Payouts from this wallet are paused: ${named}.`, source);
  return [{ ...paused, origin: "wallet" }];
}

/** The reason as tenants may see it: a reconciliation's reason would reveal what the deployment holds. */
export function publicReason({ kind, reason }: Pick<Pause, "kind" | "reason">): string {
  return kind === "reconciliation" ? "the ledger and the chain differ" : reason;
}

/** Names of the kinds in sentences. */
export const pauseKindNames: Readonly<Record<PauseKind, string>> = {
  kill_switch: "kill switch",
  restore: "restore",
  reconciliation: "reconciliation",
  node: "node",
};
