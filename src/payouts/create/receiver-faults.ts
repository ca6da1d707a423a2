import type { ReceiverState } from "../../chains/paying-port.ts";
import { amountText } from "../../currencies/amount-text.ts";
import type { Currency } from "../../currencies/currency.ts";
import {
  type Rejection,
  type RejectionSource,
  rejection,
} from "../../platform/kernel/rejection.ts";

/**
 * What keeps a receiver from taking a payment of `paidUnits` now. Faults: addressRefused (a missing trust line or opt-in, or a
 * receiver that cannot be paid), invalidValue (a required tag), amountBelowMinimum (too little to create its account).
 */
export function receiverFaults(
  receiver: ReceiverState,
  paidUnits: bigint,
  currency: Pick<Currency, "alpha" | "exp">,
  at: Readonly<Record<"address" | "tag" | "amount", RejectionSource>>,
): readonly Rejection[] {
  switch (receiver.kind) {
    case "ready":
      return [];
    case "needsActivation": {
      if (paidUnits >= receiver.minimumUnits) return [];
      const minimum = amountText(receiver.minimumUnits, currency);
      const detail = `The receiver's account does not exist yet. The payment that creates it must bring at least ${minimum}.`;
      return [rejection("amountBelowMinimum", detail, at.amount)];
    }
    case "impossible": {
      const { member, reason } = receiver;
      const name = member === "tag" ? "invalidValue" : "addressRefused";
      return [rejection(name, reason, at[member])];
    }
  }
}
