import type { Instant } from "../kernel/clock.ts";

/** What is turned off: every payout, those of one chain, or those from one wallet. */
export type SwitchScope = "all" | "chain" | "wallet";

/** A kill switch that is on. */
export type KillSwitch = {
  /** `all`, `chain-BTC`, `wallet-9`, or `reconciliation-BTC`, which no person turns. */
  readonly id: string;
  readonly scope: SwitchScope;
  /** Alpha code of its coin. */
  readonly chain: string | null;
  readonly walletId: string | null;
  readonly isByReconciliation: boolean;
  /** Null: none was given, or it is not for the caller to know. */
  readonly reason: string | null;
  /** Name of the member; null: from the command line, by reconciliation, or not for the caller to know. */
  readonly setBy: string | null;
  /** Null for a wallet that was stopped before the time of it was kept. */
  readonly since: Instant | null;
};

/** What the id of a switch names, whether or not it is on; null for anything else. */
export type NamedSwitch =
  | { readonly scope: "all" }
  | { readonly scope: "chain"; readonly chain: string; readonly isByReconciliation: boolean }
  | { readonly scope: "wallet"; readonly walletId: string };

/** The id of a switch. */
export function switchId(named: NamedSwitch): string {
  if (named.scope === "all") return "all";
  if (named.scope === "wallet") return `wallet-${named.walletId}`;
  return `${named.isByReconciliation ? "reconciliation" : "chain"}-${named.chain}`;
}

/** Reads the id of a switch back. Pure. */
export function parseSwitchId(id: string): NamedSwitch | null {
  if (id === "all") return { scope: "all" };
  const wallet = /^wallet-([1-9]\d{0,17})$/.exec(id)?.[1];
  if (wallet !== undefined) return { scope: "wallet", walletId: wallet };
  const [, kind, chain] = /^(chain|reconciliation)-([A-Z0-9-]{1,16})$/.exec(id) ?? [];
  if (chain === undefined) return null;
  return { scope: "chain", chain, isByReconciliation: kind === "reconciliation" };
}
