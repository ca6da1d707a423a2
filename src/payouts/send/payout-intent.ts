import type { Currency } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { IntendedAsset, PayoutIntent } from "../../signer/intent.ts";
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
    asset: intendedAsset(currency),
    units: payout.paidUnits.toString(),
  };
}

/** The currency as the signer identifies it; the token must have a contract in this deployment. */
export function intendedAsset(currency: Currency): IntendedAsset {
  if (currency.kind === "coin") return { kind: "coin" };
  const token = present(currency.token, `contract of ${currency.alpha}`);
  return { kind: "erc20", contract: token.contract };
}

/** Approves a payout for the signer: Ed25519 over `approvalMessage` with the api's approval key. */
export type ApprovePayout = (intent: PayoutIntent) => Uint8Array;
