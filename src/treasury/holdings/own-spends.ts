import type { SpendIntent } from "../../signer/intent.ts";

/** A spend of ours, as far as the treasury needs it to classify one of its transactions. */
export type OwnSpend = { readonly spendId: string; readonly kind: SpendIntent["kind"] };

/** Whether the spend pays others. If it does, what reaches an address of ours was meant as a payment. */
export function paysOthers({ kind }: Pick<OwnSpend, "kind">): boolean {
  return kind === "payout" || kind === "cold";
}
