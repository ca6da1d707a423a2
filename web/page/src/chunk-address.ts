/** An address in groups of four, for eyes that compare; joined they are the address again. A prefix (`0x`) counts apart. */
export function chunkAddress(address: string): readonly string[] {
  return address.match(/^(?:0x|[a-z]+:).{1,4}|.{1,4}/g) ?? [];
}
