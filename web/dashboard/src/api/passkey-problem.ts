import { t } from "../language/t.ts";
import { describeProblem, type Problem } from "./problem.ts";

/** Describes a failed passkey request, including the browser's own errors (WebAuthn `DOMException` names). */
export function describePasskeyProblem(error: unknown): Problem {
  if (error instanceof Error && ["NotAllowedError", "AbortError"].includes(error.name))
    return {
      title: t("Passkey request canceled"),
      detail: t("The browser's dialog was closed or timed out. Try again."),
      requestId: null,
    };
  if (error instanceof Error && error.name === "InvalidStateError")
    return {
      title: t("Passkey already added"),
      detail: t("This device already has a passkey for your account."),
      requestId: null,
    };
  return describeProblem(error);
}
