/** A request that toncenter answers with an error: an HTTP status, which the answer repeats, and a text. */
export class ToncenterError extends Error {
  override readonly name = "ToncenterError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A request with a wrong member. */
export function wrongRequest(message: string): ToncenterError {
  return new ToncenterError(422, message);
}
