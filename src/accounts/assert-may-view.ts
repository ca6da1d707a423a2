import { reject } from "../platform/kernel/rejection.ts";
import { mayView, type Principal } from "./principal.ts";

/** Rejects `noPermissionToView` when the caller was not granted the wallet of an object. */
export function assertMayView(
  principal: Principal,
  { walletId }: { readonly walletId: string },
  kind: "deposit" | "payout" | "transfer" | "payment link",
): void {
  if (!mayView(principal, walletId))
    reject("noPermissionToView", `This ${kind} belongs to a wallet that you don't have access to.`);
}
