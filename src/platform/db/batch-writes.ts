import type pg from "pg";

/**
 * To be called before each statement of a connection: what is sent until `atEnd` calls leaves in one piece. Each piece is a call of
 * the operating system and wakes PostgreSQL up, which under load costs more than all that the driver does for a statement.
 */
export function createWriteBatcher(
  stream: pg.Connection["stream"],
  atEnd: (work: () => void) => void,
): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    stream.cork();
    atEnd(() => {
      isGathering = false;
      stream.uncork();
    });
  };
}
