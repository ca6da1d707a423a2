/** Splits an address into groups of four characters for visual comparison. A prefix such as `0x` is part of the first group. */
export function chunkAddress(address: string): readonly string[] {
  return address.match(/^(?:0x|[a-z]+:).{1,4}|.{1,4}/g) ?? [];
}
