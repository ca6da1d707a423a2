/** An external part (a node, the database, a rate source) did not answer as it should. Retry later. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  readonly what: string;
  constructor(what: string, message: string, cause?: unknown) {
    super(`${what}: ${message}`, { cause });
    this.what = what;
  }
}
