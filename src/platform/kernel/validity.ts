import type { Instant } from "./clock.ts";

/**
 * How long a chain accepts a transaction: up to the block at height `last`, or up to the first block whose time is `until` or
 * later (chains whose block times never decrease). The block that ends the validity may still contain the transaction: chains
 * compare the end with the block before.
 */
export type Validity =
  | { readonly kind: "height"; readonly last: number }
  | { readonly kind: "time"; readonly until: Instant };

/** Whether no block after this one may contain a transaction of that validity. */
export function hasEndedBy(
  validity: Validity,
  block: { readonly height: number; readonly time: Instant },
): boolean {
  return validity.kind === "height" ? block.height >= validity.last : block.time >= validity.until;
}
