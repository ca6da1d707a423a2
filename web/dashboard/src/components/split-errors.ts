import { SluiceError } from "../../../../client/src/sluice-error.ts";
import { describeProblem, type Problem } from "../api/problem.ts";
import { errorText } from "../language/error-text.ts";

/** The member that a JSON pointer names: `amount` for `/data/attributes/amount` and everything below it. */
export function fieldOfPointer(pointer: string): string | null {
  return /^\/data\/(?:attributes|relationships)\/([^/]+)/.exec(pointer)?.[1] ?? null;
}

/** Splits an API error into errors by form field and the remaining form-level problem. */
export function splitErrors(
  error: unknown,
  values: Readonly<Record<string, unknown>>,
  fieldOf: (pointer: string) => string | null,
): { readonly byField: Record<string, string>; readonly problem: Problem | null } {
  if (!(error instanceof SluiceError)) return { byField: {}, problem: describeProblem(error) };
  const byField: Record<string, string> = {};
  const others = error.errors.filter(({ source, detail }) => {
    const field = source?.pointer === undefined ? null : fieldOf(source.pointer);
    if (field === null || !((field.split(".")[0] ?? field) in values)) return true;
    byField[field] ??= errorText(detail);
    return false;
  });
  const [first] = others;
  if (first === undefined)
    return { byField, problem: error.errors.length === 0 ? describeProblem(error) : null };
  const detail = others.map((each) => errorText(each.detail)).join(" ");
  return {
    byField,
    problem: { title: errorText(first.title), detail, requestId: error.requestId },
  };
}
