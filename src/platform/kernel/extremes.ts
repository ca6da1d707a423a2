/** The larger of two amounts in smallest units: `Math.max` takes no bigints. */
export function largerOf(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** The smaller of two amounts in smallest units: `Math.min` takes no bigints. */
export function smallerOf(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
