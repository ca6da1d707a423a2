/**
 * Messages of the wallet are numbered one after the other. It has 8,192 times 1,023 query ids, which it forgets once their time has passed;
 * the last one is left for emergencies.
 */
export const queryIds = 8_192n * 1_023n - 1n;

const bitNumbers = 1_023n;

/** The query id of a number: a shift in 13 bits and a bit number in 10. */
export function queryIdOf(sequence: bigint): bigint {
  const number = sequence % queryIds;
  return ((number / bitNumbers) << 10n) | (number % bitNumbers);
}

/** The number of a query id, below `queryIds`. */
export function numberOf(queryId: bigint): bigint {
  return (queryId >> 10n) * bitNumbers + (queryId & 0x3ffn);
}
