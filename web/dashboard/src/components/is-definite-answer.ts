import { SluiceError } from "../../../../client/src/sluice-error.ts";

/** Whether the error proves that no payout was created. A server error (5xx) does not: it may have happened afterwards. */
export function isDefiniteAnswer(error: unknown): boolean {
  return error instanceof SluiceError && (error.status < 500 || error.code === "4018");
}
