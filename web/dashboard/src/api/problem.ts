import { SluiceError, SluiceUnreachable } from "../../../../client/src/sluice-error.ts";

/** What went wrong, as it is said to people. */
export type Problem = {
  readonly title: string;
  readonly detail: string;
  /** What support asks for. */
  readonly requestId: string | null;
};

/** Puts whatever was thrown into words: the service's own where it answered. */
export function describeProblem(error: unknown): Problem {
  if (error instanceof SluiceError) {
    const [first] = error.errors;
    return {
      title: first?.title ?? `The service answered ${error.status}`,
      detail: error.errors.map(({ detail }) => detail).join(" "),
      requestId: error.requestId,
    };
  }
  if (error instanceof SluiceUnreachable) {
    return {
      title: "No answer",
      detail: "The service cannot be reached. What you asked for may have happened all the same.",
      requestId: null,
    };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { title: "Something is wrong with this page", detail, requestId: null };
}
