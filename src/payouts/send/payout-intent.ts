import { type Currency, chainAsset } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { PayoutIntent } from "../../signer/intent.ts";
import type { Payout } from "../payout.ts";

/** The intent of a payout, identical when it is approved and when it is signed. */
export function payoutIntent(
  payout: Pick<Payout, "id" | "chain" | "address" | "tag" | "currency" | "paidUnits">,
  currency: Currency,
): PayoutIntent {
  return {
    payoutId: payout.id,
    chain: payout.chain,
    address: present(payout.address, `address of payout ${payout.id}`),
    tag: payout.tag,
    currency: payout.currency,
    asset: chainAsset(currency),
    units: payout.paidUnits.toString(),
  };
}

/** Approves a payout for the signer: Ed25519 over `approvalMessage` with the api's approval key. */
export type ApprovePayout = (intent: PayoutIntent) => Uint8Array;
