import { describeProblem, type Problem } from "./problem.ts";

/** What went wrong, also where the browser says it: closing its dialog is no fault of anybody's. */
export function describePasskeyProblem(error: unknown): Problem {
  if (error instanceof Error && ["NotAllowedError", "AbortError"].includes(error.name))
    return {
      title: "No passkey was used",
      detail: "The browser's dialog was closed, or it waited too long.",
      requestId: null,
    };
  if (error instanceof Error && error.name === "InvalidStateError")
    return {
      title: "Already there",
      detail: "This device holds a passkey of yours already.",
      requestId: null,
    };
  return describeProblem(error);
}
