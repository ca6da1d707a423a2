import { assert } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { DerivedAddressing, Destination, SharedAddressing } from "../port.ts";
import type { PooledAddress } from "./address-pool.store.ts";

/** How long derivation may block the event loop. */
const turnMicros = 8_000;

/**
 * Computes the addresses `first`..`first + count - 1` in two ways: by two libraries, or, on a shared account, a tag from its index
 * and the index from its tag. Throws `InvariantViolation` when the two disagree: then neither can be trusted, and no address of
 * the batch may be shown to anyone. Lets the event loop turn between addresses.
 */
export async function deriveBatch(
  addressing: DerivedAddressing | SharedAddressing,
  addressType: string,
  range: { readonly first: number; readonly count: number },
  clock: Clock,
): Promise<readonly PooledAddress[]> {
  const type = addressType === "" ? null : addressType;
  const derived: PooledAddress[] = [];
  let turnBegan = clock.now();
  for (let index = range.first; index < range.first + range.count; index += 1) {
    const destination = addressing.depositAt(index, type);
    if (addressing.source === "shared") assertOwnTag(addressing, destination, index);
    else assertSame(destination, addressing.rederiveDepositAt(index, type), index);
    derived.push(pooled(addressing, destination, index));
    if (clock.now() - turnBegan > turnMicros) {
      await clock.sleep(0);
      turnBegan = clock.now();
    }
  }
  return derived;
}

/** A deposit's address as it waits in the pool. */
export function pooled(
  { parse, spell, watchKey }: Pick<DerivedAddressing, "parse" | "spell" | "watchKey">,
  destination: Destination,
  index: number,
): PooledAddress {
  const { address, tag } = destination;
  const key = watchKey(destination);
  const spellings = spell?.(destination) ?? null;
  for (const text of Object.values(spellings ?? {})) {
    const meant = parse(text, tag);
    assert(meant !== null && watchKey(meant) === key, `${text} is another address than ${address}`);
  }
  return { index, watchKey: key, address, tag, spellings };
}

/** Throws `InvariantViolation` unless two libraries give the same address for an index. */
export function assertSame(one: Destination, other: Destination, index: number): void {
  assert(
    one.address === other.address && one.addressType === other.addressType && one.tag === other.tag,
    `two libraries derive different addresses for index ${index}: ${one.address} and ${other.address}`,
  );
}

function assertOwnTag(
  { depositIndexOf, treasury }: SharedAddressing,
  { address, tag }: Destination,
  index: number,
): void {
  assert(
    address === treasury.hot.address && tag !== null && depositIndexOf(tag) === index,
    `tag ${tag ?? "(none)"} of ${address} is not that of deposit address ${index}`,
  );
}
