import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";

/** Caches the result of `load` per key for some seconds, for at most `countMax` keys. Failures are not cached. */
export function cacheBriefly<Key extends readonly string[], Value>(
  load: (...key: Key) => Promise<Value>,
  clock: Clock,
  limits: { readonly seconds: number; readonly countMax: number },
): (...key: Key) => Promise<Value> {
  const cached = new Map<string, { readonly value: Promise<Value>; readonly until: Instant }>();
  return (...key) => {
    const name = key.join(" ");
    const known = cached.get(name);
    const now = clock.now();
    if (known !== undefined && known.until > now) return known.value;
    if (cached.size >= limits.countMax) cached.clear();
    const value = load(...key);
    cached.set(name, { value, until: addSeconds(now, limits.seconds) });
    value.catch(() => cached.delete(name));
    return value;
  };
}
