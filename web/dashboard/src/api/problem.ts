import { SluiceError, SluiceUnreachable } from "../../../../client/src/sluice-error.ts";
import { errorText } from "../language/error-text.ts";
import { t } from "../language/t.ts";
import { SignedOut } from "./signed-out.ts";

/** An error as shown to people. */
export type Problem = {
  readonly title: string;
  readonly detail: string;
  /** Identifies the request in the service's log. */
  readonly requestId: string | null;
};

/** Describes a thrown value: by the service's own error document if it answered with one. */
export function describeProblem(error: unknown): Problem {
  if (error instanceof SluiceError) {
    const [first] = error.errors;
    const pause = pauseReason(error);
    if (pause !== null)
      return { title: t("Payouts are paused"), detail: pause, requestId: error.requestId };
    return {
      title:
        first === undefined
          ? t("Request failed (HTTP {status})", { status: String(error.status) })
          : errorText(first.title),
      detail: error.errors.map(({ detail }) => errorText(detail)).join(" "),
      requestId: error.requestId,
    };
  }
  if (error instanceof SluiceUnreachable) {
    return {
      title: t("No response"),
      detail: t("The service can't be reached. Your request may still have been processed."),
      requestId: null,
    };
  }
  if (error instanceof SignedOut) return { title: t("Signed out"), detail: "", requestId: null };
  const detail = error instanceof Error ? error.message : String(error);
  return { title: t("Something went wrong"), detail, requestId: null };
}

/** "Reason: audit." for a payout or quote refused because payouts are paused (codes 3019 and 4018); null otherwise. */
function pauseReason({ code, errors }: SluiceError): string | null {
  if (code !== "3019" && code !== "4018") return null;
  const pauses = /\bare paused: (.+)$/.exec(errors[0]?.detail ?? "")?.[1];
  if (pauses === undefined) return null;
  // Each pause reads "kill switch (the reason)".
  const reasons = [...pauses.matchAll(/\((.+?)\)(?=[;.]|$)/g)].map(([, reason]) => reason);
  return t("Reason: {value}", { value: reasons.length === 0 ? pauses : `${reasons.join("; ")}.` });
}
