/** `PREFIX_TOKEN` of CashTokens (CHIP-2022-02). */
const marker = 0xef;
const categoryLength = 32;
const bit = { reserved: 0x80, commitment: 0x40, nft: 0x20, amount: 0x10, capability: 0x0f };
/** None, mutable, minting. */
const capabilityMax = 2;

/**
 * How many bytes of an output's script field name tokens: marker, category, bit field, commitment and amount; 0 for none. Bytes
 * that only look like it, which old blocks contain, are a script that nobody can spend.
 */
export function tokenPrefixLength(field: Uint8Array): number {
  const bits = field[1 + categoryLength];
  if (field[0] !== marker || bits === undefined) return 0;
  const isNft = (bits & bit.nft) !== 0;
  const hasCommitment = (bits & bit.commitment) !== 0;
  const hasAmount = (bits & bit.amount) !== 0;
  const capability = bits & bit.capability;
  if ((bits & bit.reserved) !== 0 || (!isNft && !hasAmount)) return 0;
  if (isNft ? capability > capabilityMax : hasCommitment || capability !== 0) return 0;
  let at = 2 + categoryLength;
  if (hasCommitment) {
    const length = countAt(field, at);
    if (length === null || length.value === 0n) return 0;
    at += length.size + Number(length.value);
  }
  if (hasAmount) {
    const amount = countAt(field, at);
    if (amount === null || amount.value === 0n) return 0;
    at += amount.size;
  }
  return at <= field.length ? at : 0;
}

/** A count in the family's variable-length form; null if the bytes end too early. */
function countAt(
  field: Uint8Array,
  at: number,
): { readonly value: bigint; readonly size: number } | null {
  const first = field[at];
  if (first === undefined) return null;
  if (first < 0xfd) return { value: BigInt(first), size: 1 };
  const length = first === 0xfd ? 2 : first === 0xfe ? 4 : 8;
  if (at + 1 + length > field.length) return null;
  let value = 0n;
  for (let offset = length; offset > 0; offset -= 1)
    value = (value << 8n) | BigInt(field[at + offset] ?? 0);
  return { value, size: 1 + length };
}
