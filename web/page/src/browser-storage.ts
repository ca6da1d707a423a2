/* localStorage and sessionStorage throw in private windows and when disabled. The page works without them. */

/** Reads a stored text; null if there is none or storage is unavailable. */
export function readStored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text; does nothing if storage is unavailable. */
export function writeStored(storage: () => Storage, key: string, value: string): void {
  try {
    storage().setItem(key, value);
  } catch {
    // Nothing on the page depends on it.
  }
}
