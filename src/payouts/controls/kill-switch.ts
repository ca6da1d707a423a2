import type { Instant } from "../../platform/kernel/clock.ts";
import type { StoredPauseKind } from "./pause.ts";

/** The scope of a pause: every payout, those of one chain, or those of one wallet. */
export type SwitchScope = "all" | "chain" | "wallet";

/** A pause on record. A person can end it if its kind is `kill_switch`. */
export type KillSwitch = {
  /** `all`, `chain-BTC`, `wallet-9`; for other kinds `reconciliation-BTC`, `restore-all`. */
  readonly id: string;
  readonly kind: StoredPauseKind;
  readonly scope: SwitchScope;
  /** Alpha code of the chain's coin. */
  readonly chain: string | null;
  readonly walletId: string | null;
  /** Null if none was given. */
  readonly reason: string | null;
  /** The member's name; null if set by the command line or the service, or if the caller may not know. */
  readonly setBy: string | null;
  /** Null for wallets paused before the time was recorded. */
  readonly since: Instant | null;
  /** Whether payments on the chain are not read and credited either. */
  readonly stopsCrediting: boolean;
};

/** What a switch id refers to, whether or not the switch is on. */
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

/** Parses a switch id; null if malformed. Pure. */
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
