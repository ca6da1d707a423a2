import { SluiceError } from "../../../../client/src/sluice-error.ts";

/** Answers that may be given before the request's key is looked up, so that an earlier attempt may have created the payout. */
const givenBeforeTheKey: readonly number[] = [401, 408, 429];

/**
 * Whether the error proves that no payout was created. A server error (5xx) does not: it may have happened afterwards. Neither does an
 * answer without an error document, which a proxy gave, nor one that was given before the key was looked up.
 */
export function isDefiniteAnswer(error: unknown): boolean {
  if (!(error instanceof SluiceError)) return false;
  if (error.errors.length === 0 || givenBeforeTheKey.includes(error.status)) return false;
  return error.status < 500 || error.code === "4018";
}
