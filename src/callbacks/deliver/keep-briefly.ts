import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";

/** Remembers what `load` gave for a key for some seconds; a failure is not remembered. At most `countMax` keys. */
export function keepBriefly<Key extends readonly string[], Value>(
  load: (...key: Key) => Promise<Value>,
  clock: Clock,
  limits: { readonly seconds: number; readonly countMax: number },
): (...key: Key) => Promise<Value> {
  const kept = new Map<string, { readonly value: Promise<Value>; readonly until: Instant }>();
  return (...key) => {
    const name = key.join(" ");
    const known = kept.get(name);
    const now = clock.now();
    if (known !== undefined && known.until > now) return known.value;
    if (kept.size >= limits.countMax) kept.clear();
    const value = load(...key);
    kept.set(name, { value, until: addSeconds(now, limits.seconds) });
    value.catch(() => kept.delete(name));
    return value;
  };
}
