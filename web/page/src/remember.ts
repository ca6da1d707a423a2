/* What the page keeps in the browser. Browsers may refuse (private windows, settings): then it is not kept. */

/** Reads a kept text; null where there is none or the browser keeps nothing. */
export function recall(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

export function remember(storage: () => Storage, key: string, value: string): void {
  try {
    storage().setItem(key, value);
  } catch {
    // Nothing on the page depends on it.
  }
}
