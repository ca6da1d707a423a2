import { DraftRefused } from "../draft-signer.ts";

/** Deposit addresses that hold the same assets, in lower case; the zero address denotes the coin. */
export type SweepGroup = {
  readonly assets: readonly string[];
  readonly deposits: readonly string[];
};

/** How the delegate's code denotes the coin. */
export const coinAsset = "0x0000000000000000000000000000000000000000";

/** The selector of `sweepMany((address[],address[])[],uint256)`. */
const selector = "0x2a5e9968";
const wordDigits = 64;
/** More than the gas of one transaction allows. */
const lengthMax = 500n;

/**
 * Reads the data of a call of the delegate's `sweepMany`. Throws `DraftRefused` for anything but the canonical encoding, so that
 * the contract does exactly what is read here.
 */
export function decodeSweepMany(data: string): readonly SweepGroup[] {
  const words = wordsOf(data);
  const start = 2;
  const groups = Array.from({ length: countAt(words, start) }, (_, position) =>
    groupAt(words, start + 1 + offsetAt(words, start + 1 + position)),
  );
  if (encodeSweepMany(groups, integerAt(words, 1)) !== data)
    throw new DraftRefused("a malformed call of sweepMany");
  return groups;
}

/** The data of such a call in the contract ABI's encoding, in lower case. */
export function encodeSweepMany(groups: readonly SweepGroup[], gasEach: bigint): string {
  const encoded = groups.map(({ assets, deposits }) => [
    word(64n),
    word(BigInt((assets.length + 3) * 32)),
    ...listOf(assets),
    ...listOf(deposits),
  ]);
  let offset = groups.length * 32;
  const offsets = encoded.map((words) => {
    const at = word(BigInt(offset));
    offset += words.length * 32;
    return at;
  });
  const count = word(BigInt(groups.length));
  return selector + [word(64n), word(gasEach), count, ...offsets, ...encoded.flat()].join("");
}

function listOf(addresses: readonly string[]): readonly string[] {
  const items = addresses.map((address) => address.slice(2).padStart(wordDigits, "0"));
  return [word(BigInt(addresses.length)), ...items];
}

function word(value: bigint): string {
  return value.toString(16).padStart(wordDigits, "0");
}

function wordsOf(data: string): readonly string[] {
  const words = data.slice(selector.length);
  if (!data.startsWith(selector) || !/^(?:[0-9a-f]{64})*$/.test(words))
    throw new DraftRefused("calls something other than sweepMany");
  return words.match(/.{64}/g) ?? [];
}

function groupAt(words: readonly string[], start: number): SweepGroup {
  return {
    assets: addressesAt(words, start + offsetAt(words, start)),
    deposits: addressesAt(words, start + offsetAt(words, start + 1)),
  };
}

function addressesAt(words: readonly string[], start: number): readonly string[] {
  return Array.from(
    { length: countAt(words, start) },
    (_, position) => `0x${textAt(words, start + 1 + position).slice(-40)}`,
  );
}

/** In words; the encoding counts bytes. */
function offsetAt(words: readonly string[], position: number): number {
  return boundedAt(words, position, lengthMax * 32n) / 32;
}

function countAt(words: readonly string[], position: number): number {
  return boundedAt(words, position, lengthMax);
}

function boundedAt(words: readonly string[], position: number, most: bigint): number {
  const value = integerAt(words, position);
  if (value > most) throw new DraftRefused("a call of sweepMany with an offset out of range");
  return Number(value);
}

function integerAt(words: readonly string[], position: number): bigint {
  return BigInt(`0x${textAt(words, position)}`);
}

function textAt(words: readonly string[], position: number): string {
  const text = words[position];
  if (text === undefined) throw new DraftRefused("a call of sweepMany that ends too early");
  return text;
}
