import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import type { Deposit } from "../deposit.ts";
import { isBlocked } from "../payments/decide-transfer.ts";
import { isPaidBack, type TransferRecord } from "../transfers/transfer.ts";
import type { CheckoutArrival } from "./checkout-state.ts";

/** A transfer, and the tip of its chain from which its confirmations are counted. */
export type Arrival = { readonly transfer: TransferRecord; readonly tipHeight: number | null };

/** What came to a deposit's address, newest first, as its payer may know it: whoever pays wrongly shall see that too. */
export function describeArrivals(
  deposit: Pick<Deposit, "confirmationsNeeded">,
  arrivals: readonly Arrival[],
  currencies: CurrencyRegistry,
): readonly CheckoutArrival[] {
  return arrivals
    .toSorted((one, other) => {
      const apart = other.transfer.firstSeenAt - one.transfer.firstSeenAt;
      return apart === 0 ? Number(BigInt(other.transfer.id) - BigInt(one.transfer.id)) : apart;
    })
    .map((arrival) => describe(deposit, arrival, currencies));
}

function describe(
  deposit: Pick<Deposit, "confirmationsNeeded">,
  arrival: Arrival,
  currencies: CurrencyRegistry,
): CheckoutArrival {
  const { transfer } = arrival;
  const currency = transfer.currency === null ? null : currencies.get(transfer.currency);
  const needed = deposit.confirmationsNeeded ?? currency?.confirmationBlocks ?? 1;
  return {
    txid: transfer.txid,
    code: currency?.alpha ?? transfer.assetLocator ?? "",
    // How many digits an unknown token has is unknown too.
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
      if (isPaidBack(transfer)) return "returned";
      if (isBlocked(transfer)) return "held";
      if (transfer.disposition === "unresolved") return "waiting";
      return transfer.isConfirmed ? "confirmed" : "pending";
  }
}

/** Counted up to what is needed: what comes after concerns nobody here, and would be told of with each block. */
function confirmationsOf({ transfer, tipHeight }: Arrival, needed: number): number {
  if (transfer.isConfirmed) return needed;
  if (transfer.block === null || tipHeight === null) return 0;
  return Math.min(needed, Math.max(0, tipHeight - transfer.block.height + 1));
}
