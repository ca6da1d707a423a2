import { SluiceError } from "../../../../../client/src/sluice-error.ts";

/** Whether it is sure that nothing was made. A broken service may have made it all the same. */
export function isAnswered(error: unknown): boolean {
  return error instanceof SluiceError && (error.status < 500 || error.code === "4018");
}
