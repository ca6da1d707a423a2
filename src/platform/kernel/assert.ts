/** Our own bug: an invariant did not hold. It stops the work; it is never turned into an answer to a caller. */
export class InvariantViolation extends Error {
  override readonly name = "InvariantViolation";
}

/** Checks an invariant. For our bugs only: a caller's mistake is a `Rejected`, a silent node an `Unavailable`. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}

/** Unwraps a value that cannot be absent here. */
export function present<Value>(value: Value | null | undefined, message: string): Value {
  if (value === null || value === undefined) throw new InvariantViolation(message);
  return value;
}
