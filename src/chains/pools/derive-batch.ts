import { assert } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { type Addressing, type Destination, tagText } from "../port.ts";
import type { DerivedAddress } from "./address-pool.store.ts";

/** How long derivation may block the event loop. */
const turnMicros = 8_000;

/**
 * Derives the addresses `first`..`first + count - 1`, each by both libraries. Throws `InvariantViolation` when the two
 * disagree: then neither can be trusted, and no address of the batch may be shown to anyone. Lets the event loop turn
 * between addresses.
 */
export async function deriveBatch(
  addressing: Addressing,
  addressType: string,
  range: { readonly first: number; readonly count: number },
  clock: Clock,
): Promise<readonly DerivedAddress[]> {
  const type = addressType === "" ? null : addressType;
  const derived: DerivedAddress[] = [];
  let turnBegan = clock.now();
  for (let index = range.first; index < range.first + range.count; index += 1) {
    const destination = addressing.depositAt(index, type);
    const again = addressing.rederiveDepositAt(index, type);
    assert(
      isSame(destination, again),
      `two libraries derive different addresses for index ${index}: ${destination.address} and ${again.address}`,
    );
    derived.push({
      index,
      watchKey: addressing.watchKey(destination),
      address: destination.address,
      tag: tagText(destination),
    });
    if (clock.now() - turnBegan > turnMicros) {
      await clock.sleep(0);
      turnBegan = clock.now();
    }
  }
  return derived;
}

function isSame(left: Destination, right: Destination): boolean {
  return (
    left.address === right.address &&
    left.addressType === right.addressType &&
    left.tag?.kind === right.tag?.kind &&
    left.tag?.value === right.tag?.value
  );
}
