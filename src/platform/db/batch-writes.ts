import type pg from "pg";

/**
 * Returns a function to call before each statement of a connection: writes are held back until `atEnd` runs its callback and then sent
 * at once. Each write is a system call that wakes PostgreSQL, which under load costs more than the driver's own work.
 */
export function createWriteBatcher(
  stream: pg.Connection["stream"],
  atEnd: (work: () => void) => void,
): () => void {
  let isHolding = false;
  return () => {
    if (isHolding) return;
    isHolding = true;
    stream.cork();
    atEnd(() => {
      isHolding = false;
      stream.uncork();
    });
  };
}
