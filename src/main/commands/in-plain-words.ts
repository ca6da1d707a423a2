import { Rejected } from "../../platform/kernel/rejection.ts";

/** Runs `work`; what it refuses is thrown for a person, without the names that programs know the reasons by. */
export async function inPlainWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    throw new Error(error.rejections.map(({ detail }) => detail).join(" "), { cause: error });
  }
}
