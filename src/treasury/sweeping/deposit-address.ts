import type { CreatedAddressing, DerivedAddressing, Destination } from "../../chains/port.ts";
import { assert } from "../../platform/kernel/assert.ts";

/** Addressing of deposits that have an address each. */
export type SeparateAddressing = DerivedAddressing | CreatedAddressing;

/** A deposit address as the database names it. */
type NamedAddress = { readonly watchKey: string; readonly keyIndex: number };

/**
 * The address of a deposit. Throws `InvariantViolation` if it can be derived from its index and is another one; where only the signer can
 * derive it, the signer checks it.
 */
export function depositAddress(
  addressing: SeparateAddressing,
  { watchKey, keyIndex }: NamedAddress,
): Destination {
  if (addressing.source === "created") return addressing.withWatchKey(watchKey);
  const destination = addressing.depositAt(keyIndex, null);
  assert(
    addressing.watchKey(destination) === watchKey,
    `deposit address ${keyIndex} is not ${watchKey}`,
  );
  return destination;
}

/** The watch key of a deposit address: derived by ourselves where that is possible, otherwise of its spelling. */
export function watchKeyOf(
  addressing: SeparateAddressing,
  { address, keyIndex }: { readonly address: string; readonly keyIndex: number },
): string {
  return addressing.watchKey(
    addressing.source === "created"
      ? { address, addressType: null, tag: null }
      : addressing.depositAt(keyIndex, null),
  );
}
