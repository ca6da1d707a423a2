/** A set of strings with false positives (about 1 in 10^12) and no false negatives. */
export type FingerprintTable = {
  readonly add: (text: string) => void;
  readonly mayContain: (text: string) => boolean;
  /**
   * Whether it may contain any of them. Hashes all of them first, then reads the places of several hundred before it searches for the
   * first: none of these reads depends on another, so the processor waits for many places of a table larger than its caches at once.
   */
  readonly mayContainAny: (texts: readonly string[]) => boolean;
  readonly byteLength: () => number;
};

const slotsPerEntry = 1.6;
const fullestLoad = 0.8;
/** Texts whose places are read ahead: 64 bytes each, which a core's own cache holds several times. */
const atOnce = 512;

/**
 * Open addressing over 8-byte fingerprints in one typed array: 13 bytes per `expected` entry. (A Set of the same 10,000,000
 * scripts took 1.0-1.3 GB and three times as long per lookup.) Grows when more are added.
 */
export function createFingerprintTable(expected: number): FingerprintTable {
  let capacity = Math.max(16, Math.ceil(expected * slotsPerEntry));
  let slots = new Uint32Array(capacity * 2);
  let size = 0;
  let hashes = new Uint32Array(0);
  /** For some texts, the low half of the slot at which each search begins; 0: the slot is empty, and the text unknown. */
  const firsts = new Uint32Array(atOnce);
  let high = 0;
  let low = 0;

  /**
   * Two 32-bit hashes of four characters at a time, in one pass: the processor works on both at once. One is MurmurHash3, the other
   * multiplies what MurmurHash3 makes of each four characters. Low is never 0, which marks an empty slot. Deliberate collisions are
   * pointless: a false positive costs one row of the exact query.
   */
  const hash = (text: string): void => {
    const { length } = text;
    let first = 0x811c9dc5;
    let second = 0x9747b28c;
    for (let index = 0; index < length; index += 4) {
      let four = text.charCodeAt(index);
      if (index + 3 < length) {
        four |=
          (text.charCodeAt(index + 1) << 8) |
          (text.charCodeAt(index + 2) << 16) |
          (text.charCodeAt(index + 3) << 24);
      } else {
        for (let at = index + 1; at < length; at += 1)
          four |= text.charCodeAt(at) << (8 * (at - index));
      }
      four = Math.imul(four, 0xcc9e2d51);
      four = Math.imul((four << 15) | (four >>> 17), 0x1b873593);
      first ^= four;
      first = (Math.imul((first << 13) | (first >>> 19), 5) + 0xe6546b64) | 0;
      second = (Math.imul(second, 0x5bd1e995) + four) | 0;
    }
    high = mix(first ^ length);
    low = Math.max(1, mix(second ^ length));
  };

  /** The slot at which the search for a fingerprint begins. */
  const placeOf = (high: number): number => Math.floor((high / 2 ** 32) * capacity);

  /** The slot of the fingerprint, or the empty slot where it belongs. */
  const find = (high: number, low: number): number => {
    let slot = placeOf(high);
    for (;;) {
      const heldHigh = slots[slot * 2];
      const heldLow = slots[slot * 2 + 1];
      if ((heldHigh === high && heldLow === low) || (heldHigh === 0 && heldLow === 0)) return slot;
      slot = slot + 1 === capacity ? 0 : slot + 1;
    }
  };

  const put = (high: number, low: number): void => {
    const slot = find(high, low);
    if (slots[slot * 2 + 1] === 0) size += 1;
    slots[slot * 2] = high;
    slots[slot * 2 + 1] = low;
  };

  const grow = (): void => {
    const old = slots;
    capacity = Math.ceil(capacity * 1.5);
    slots = new Uint32Array(capacity * 2);
    size = 0;
    for (let index = 0; index < old.length; index += 2) {
      const low = old[index + 1] ?? 0;
      if (low !== 0) put(old[index] ?? 0, low);
    }
  };

  return {
    add: (text) => {
      if (size >= capacity * fullestLoad) grow();
      hash(text);
      put(high, low);
    },
    mayContain: (text) => {
      hash(text);
      return slots[find(high, low) * 2 + 1] !== 0;
    },
    mayContainAny: (texts) => {
      const count = texts.length;
      if (hashes.length < 2 * count) hashes = new Uint32Array(2 * count);
      for (let index = 0; index < count; index += 1) {
        hash(texts[index] as string);
        hashes[2 * index] = high;
        hashes[2 * index + 1] = low;
      }
      for (let from = 0; from < count; from += atOnce) {
        const to = Math.min(count, from + atOnce);
        for (let index = from; index < to; index += 1)
          firsts[index - from] = slots[2 * placeOf(hashes[2 * index] as number) + 1] as number;
        for (let index = from; index < to; index += 1) {
          if (firsts[index - from] === 0) continue;
          const slot = find(hashes[2 * index] as number, hashes[2 * index + 1] as number);
          if (slots[2 * slot + 1] !== 0) return true;
        }
      }
      return false;
    },
    byteLength: () => slots.byteLength,
  };
}

function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
