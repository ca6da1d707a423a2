/** Fees are often less than a unit, so they are summed in parts of one: a unit has so many. */
export const unitParts = 1_000_000_000n;
