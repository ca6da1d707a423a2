import { seededFractions } from "../../support/seeded.ts";
import type { Target } from "./target.ts";

/** Random choices from a seed. */
export type Choose = {
  /** An integer from 0 to `end` - 1. */
  readonly below: (end: number) => number;
  /** One of at least one. */
  readonly one: <Item>(items: readonly Item[]) => Item;
};

/** The same seed makes the same choices on every machine. */
export function seededChoose(seed: number): Choose {
  const fraction = seededFractions(seed);
  const below = (end: number): number => Math.floor(fraction() * end);
  return { below, one: (items) => items[below(items.length)] as (typeof items)[number] };
}

const inputMax = 64 * 1024;
const oddBytes = [0, 1, 0x7f, 0x80, 0xfd, 0xfe, 0xff];
const oddTexts = [
  "",
  " ",
  "0",
  "-1",
  "00",
  "0x",
  "1e400",
  "1e-400",
  "99999999999999999999999999999999999999999",
  "__proto__",
  "constructor",
  "\u0000",
  "\ud800",
  "\u202e",
  "\u{1f4a9}",
  "é",
  "é",
];
const oddValues: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 0.5, 1e300, -0, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 63), 1e21],
  ...["", "0", "-1", "0x", "0x0", "1e9", "null", "a".repeat(70), "f".repeat(64), "0".repeat(100)],
  [],
  {},
  [[]],
  [{}],
  [null],
];

/** Returns a changed copy of `input`, by one to eight changes; `other` is another input to take parts from. */
export function mutate(
  input: Uint8Array,
  other: Uint8Array,
  { form, words = [] }: Pick<Target, "form" | "words">,
  choose: Choose,
): Uint8Array {
  if (form === "json" && choose.below(8) !== 0) {
    const changed = mutateJson(input, other, words, choose);
    if (changed !== null) return changed;
  }
  let bytes: Buffer = Buffer.from(input);
  for (let left = 1 + choose.below(4) * choose.below(3); left > 0; left -= 1)
    bytes = mutateBytes(bytes, other, form === "bytes" ? [] : [...oddTexts, ...words], choose);
  return bytes.subarray(0, inputMax);
}

function mutateBytes(
  bytes: Buffer,
  other: Uint8Array,
  texts: readonly string[],
  choose: Choose,
): Buffer {
  const at = choose.below(bytes.length + 1);
  const length = choose.below(Math.min(32, bytes.length - at + 1));
  const replaced = (middle: Uint8Array, end = at + length): Buffer =>
    Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(end)]);
  switch (choose.below(texts.length > 0 ? 8 : 7)) {
    case 0: {
      const changed = Buffer.from(bytes);
      if (changed.length > 0) changed[at % changed.length] = choose.below(256);
      return changed;
    }
    case 1: {
      const changed = Buffer.from(bytes);
      if (changed.length > 0) changed.writeUInt8(choose.one(oddBytes), at % changed.length);
      return changed;
    }
    case 2:
      return replaced(Buffer.alloc(0));
    case 3:
      return replaced(bytes.subarray(at, at + length), at);
    case 4:
      return bytes.subarray(0, at);
    case 5: {
      const from = choose.below(other.length + 1);
      return replaced(other.subarray(from, from + choose.below(64)), at);
    }
    case 6: {
      const changed = Buffer.from(bytes);
      const place = at % Math.max(1, changed.length);
      if (changed.length > 0) changed[place] = (changed[place] ?? 0) ^ (1 << choose.below(8));
      return changed;
    }
    default:
      return replaced(Buffer.from(choose.one(texts)), choose.below(2) === 0 ? at : at + length);
  }
}

/** Changes members and elements of a JSON text; null if it is not one. */
function mutateJson(
  input: Uint8Array,
  other: Uint8Array,
  words: readonly string[],
  choose: Choose,
): Uint8Array | null {
  const value = parsed(input);
  if (value === undefined) return null;
  const root = { root: value };
  for (let left = 1 + choose.below(3); left > 0; left -= 1) {
    const places = placesIn(root);
    const { holder, key } = choose.one(places);
    const before = holder[key];
    const donors = placesIn({ other: parsed(other) ?? null });
    switch (choose.below(7)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else if (holder !== root) Reflect.deleteProperty(holder, key);
        break;
      case 1:
      case 2:
        holder[key] = structuredClone(choose.one(oddValues));
        break;
      case 3: {
        const donor = choose.one(donors);
        holder[key] = structuredClone(donor.holder[donor.key]);
        break;
      }
      case 4:
        if (Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(before));
        else
          holder[choose.one([...Object.keys(holder), ...words, ...oddTexts])] =
            structuredClone(before);
        break;
      case 5:
        holder[key] =
          typeof before === "number"
            ? before + choose.one([-1, 1, 0.5, 2 ** 31, -(2 ** 31)])
            : changedText(before, words, choose);
        break;
      default:
        holder[key] = [before];
    }
  }
  const text = JSON.stringify(root.root) as string | undefined;
  return text === undefined || text.length > inputMax ? null : Buffer.from(text);
}

function changedText(before: unknown, words: readonly string[], choose: Choose): unknown {
  if (typeof before !== "string") return choose.one([...words, ...oddTexts]);
  const texts = [...oddTexts, ...words];
  return mutateBytes(Buffer.from(before), Buffer.from(choose.one(texts)), texts, choose).toString();
}

type Holder = Record<string, unknown>;
type Place = { readonly holder: Holder; readonly key: string };

/** Every member and element below the value; the first 2,000. */
function placesIn(value: object): readonly Place[] {
  const places: Place[] = [];
  const waiting: object[] = [value];
  for (
    let holder = waiting.pop();
    holder !== undefined && places.length < 2_000;
    holder = waiting.pop()
  )
    for (const [key, child] of Object.entries(holder as Holder)) {
      places.push({ holder: holder as Holder, key });
      if (typeof child === "object" && child !== null) waiting.push(child);
    }
  return places;
}

function parsed(input: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(input).toString("utf8"));
  } catch {
    return undefined;
  }
}
