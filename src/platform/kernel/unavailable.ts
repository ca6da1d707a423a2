/** An external part (a node, the database, a rate source) did not answer as it should. Retry later. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  readonly what: string;
  constructor(what: string, message: string, cause?: unknown) {
    super(`${what}: ${message}`, { cause });
    this.what = what;
  }
}

/** Whether the database did not answer. */
export function isDatabaseAway(error: unknown): error is Unavailable {
  return error instanceof Unavailable && error.what === "database";
}
