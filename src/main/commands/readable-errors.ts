import { Rejected } from "../../platform/kernel/rejection.ts";

/** Runs `work` and rethrows rejections with their detail for a person, without error codes. */
export async function withReadableErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    throw new Error(error.rejections.map(({ detail }) => detail).join(" "), { cause: error });
  }
}
