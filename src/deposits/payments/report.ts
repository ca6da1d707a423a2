import type { WatchedTransfer } from "../../chains/block-sink.ts";
import type { BlockRef } from "../../chains/port.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Deposit } from "../deposit.ts";
import type { TransferRecord } from "../transfers/transfer.ts";
import {
  cancelTransfer,
  includeTransfer,
  newTransfer,
  orphanTransfer,
  reviveTransfer,
} from "./transfer-changes.ts";

/** A follower's report about one transfer of a deposit. */
export type Report = {
  readonly accountId: string;
  readonly depositId: string;
  /** A reserved id if the transfer is new. */
  readonly transferId: string;
  readonly chain: string;
  readonly at: Instant;
} & (
  | {
      readonly kind: "arrived";
      readonly hit: WatchedTransfer;
      /** Null: seen in the mempool. */
      readonly block: Omit<BlockRef, "parentHash"> | null;
    }
  | { readonly kind: "orphaned"; readonly height: number }
  /** Another transaction replaced it, or it will never confirm. Ignored if it is in a block by now. */
  | { readonly kind: "cancelled" }
);

/** Applies reports to transfers in order. Idempotent. */
export function applyReports(
  deposit: Deposit,
  transfers: readonly TransferRecord[],
  reports: readonly Report[],
  settings: {
    readonly isScreened: boolean;
    readonly currencies: CurrencyRegistry;
    readonly revalueAfterSeconds: number;
  },
): readonly TransferRecord[] {
  if (reports.length === 0) return transfers;
  const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  for (const report of reports) {
    const { transferId, chain, at } = report;
    const known = byId.get(transferId);
    switch (report.kind) {
      case "arrived": {
        const { hit, block } = report;
        byId.set(
          transferId,
          known === undefined
            ? newTransfer(hit, transferId, chain, block, at, settings)
            : block === null
              ? reviveTransfer(known)
              : includeTransfer(known, hit, block, settings),
        );
        break;
      }
      case "orphaned":
        if (known?.block?.height === report.height) {
          byId.set(transferId, orphanTransfer(known, deposit));
        }
        break;
      case "cancelled":
        if (known?.block === null) byId.set(transferId, cancelTransfer(known));
        break;
    }
  }
  return [...byId.values()];
}
