import type { Instant } from "../../platform/kernel/clock.ts";
import type { StoredPauseKind } from "./pause.ts";

/** What is turned off: every payout, those of one chain, or those from one wallet. */
export type SwitchScope = "all" | "chain" | "wallet";

/** A pause on record, and the switch by which a person ends it where `kind` is `kill_switch`. */
export type KillSwitch = {
  /** `all`, `chain-BTC`, `wallet-9`; of other kinds `reconciliation-BTC`, `restore-all`. */
  readonly id: string;
  readonly kind: StoredPauseKind;
  readonly scope: SwitchScope;
  /** Alpha code of its coin. */
  readonly chain: string | null;
  readonly walletId: string | null;
  /** Null: none was given. */
  readonly reason: string | null;
  /** Name of the member; null: from the command line, by the service itself, or not for the caller to know. */
  readonly setBy: string | null;
  /** Null for a wallet that was stopped before the time of it was kept. */
  readonly since: Instant | null;
};

/** What the id of a switch names, whether or not it is on; null for anything else. */
export type NamedSwitch =
  | { readonly scope: "all"; readonly kind: StoredPauseKind }
  | { readonly scope: "chain"; readonly chain: string; readonly kind: StoredPauseKind }
  | { readonly scope: "wallet"; readonly walletId: string };

/** The id of a switch. */
export function switchId(named: NamedSwitch): string {
  if (named.scope === "wallet") return `wallet-${named.walletId}`;
  const { kind } = named;
  if (named.scope === "all") return kind === "kill_switch" ? "all" : `${kind}-all`;
  return `${kind === "kill_switch" ? "chain" : kind}-${named.chain}`;
}

/** Reads the id of a switch back. Pure. */
export function parseSwitchId(id: string): NamedSwitch | null {
  if (id === "all") return { scope: "all", kind: "kill_switch" };
  const wallet = /^wallet-([1-9]\d{0,17})$/.exec(id)?.[1];
  if (wallet !== undefined) return { scope: "wallet", walletId: wallet };
  const [, prefix, chain] = /^(chain|reconciliation|restore)-(all|[A-Z0-9-]{1,16})$/.exec(id) ?? [];
  if (chain === undefined) return null;
  const kind = prefix === "chain" ? "kill_switch" : (prefix as StoredPauseKind);
  if (chain !== "all") return { scope: "chain", chain, kind };
  return kind === "kill_switch" ? null : { scope: "all", kind };
}
