import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Deposit } from "../deposit.ts";
import { isBlocked } from "../payments/decide-transfer.ts";
import { isRefundedInFull, type TransferRecord } from "../transfers/transfer.ts";
import type { CheckoutArrival } from "./checkout-state.ts";

/** A transfer with the height of its chain's tip, from which confirmations are counted. */
export type Arrival = { readonly transfer: TransferRecord; readonly tipHeight: number | null };

type ArrivalContext = {
  readonly currencies: CurrencyRegistry;
  /** Address of a transaction in a public explorer, up to its id; null on private and test networks. */
  readonly explorerOf: (chain: string) => string | null;
};

/** Describes the payments to a deposit's address, newest first, including those that are not credited. */
export function describeArrivals(
  deposit: Pick<Deposit, "confirmationsNeeded">,
  arrivals: readonly Arrival[],
  context: ArrivalContext,
): readonly CheckoutArrival[] {
  return arrivals
    .toSorted((a, b) => {
      const difference = b.transfer.firstSeenAt - a.transfer.firstSeenAt;
      return difference === 0 ? Number(BigInt(b.transfer.id) - BigInt(a.transfer.id)) : difference;
    })
    .map((arrival) => describe(deposit, arrival, context));
}

function describe(
  deposit: Pick<Deposit, "confirmationsNeeded">,
  arrival: Arrival,
  { currencies, explorerOf }: ArrivalContext,
): CheckoutArrival {
  const { transfer } = arrival;
  const currency = transfer.currency === null ? null : currencies.get(transfer.currency);
  const needed = deposit.confirmationsNeeded ?? currency?.confirmationBlocks ?? 1;
  const explorer = explorerOf(transfer.chain);
  return {
    txid: transfer.txid,
    link:
      explorer === null || transfer.txid === null
        ? null
        : explorer + encodeURIComponent(transfer.txid),
    code: currency?.alpha ?? transfer.assetLocator ?? "",
    // The precision of an unknown token is unknown.
    amount: currency === null ? "" : formatDecimal(transfer.units, currency.exp),
    state: stateOf(transfer),
    confirmations: confirmationsOf(arrival, needed),
    needed,
    seenAt: formatTimestamp(transfer.firstSeenAt),
  };
}

function stateOf(transfer: TransferRecord): CheckoutArrival["state"] {
  if (transfer.isCancelled) return "reverted";
  switch (transfer.disposition) {
    case "misplaced":
      return "wrong_asset";
    case "dust":
      return "too_small";
    case "none":
      return "reverted";
    case "refunded":
      return "returned";
    case "pending":
    case "credited":
    case "unresolved":
    case "blocked":
      if (isRefundedInFull(transfer)) return "returned";
      if (isBlocked(transfer)) return "held";
      if (transfer.disposition === "unresolved") return "waiting";
      return transfer.isConfirmed ? "confirmed" : "pending";
  }
}

/** Confirmations up to the required number. Counting further would change the page with each block. */
function confirmationsOf({ transfer, tipHeight }: Arrival, needed: number): number {
  if (transfer.isConfirmed) return needed;
  if (transfer.block === null || tipHeight === null) return 0;
  return Math.min(needed, Math.max(0, tipHeight - transfer.block.height + 1));
}
