/** A bug of ours: an invariant does not hold. It aborts the work and is never shown to a caller. */
export class InvariantViolation extends Error {
  override readonly name = "InvariantViolation";
}

/** Throws `InvariantViolation` unless `condition` holds. For our own bugs only: a caller's mistake is a `Rejected`, an outage an `Unavailable`. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}

/** Returns a value that cannot be absent here; throws `InvariantViolation` if it is. */
export function present<Value>(value: Value | null | undefined, message: string): Value {
  if (value === null || value === undefined) throw new InvariantViolation(message);
  return value;
}
