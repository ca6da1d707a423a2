import type { Addressing } from "../port.ts";

/** The tag of a transfer to the account that deposits share; null for all other transfers. */
export function receivedUnder(
  addressing: Addressing,
  watchKey: string,
): { readonly tag: string | null } | null {
  return addressing.source === "shared" ? addressing.receivedUnder(watchKey) : null;
}
