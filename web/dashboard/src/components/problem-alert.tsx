import { Alert, type AlertProps } from "@mantine/core";
import { describeProblem, type Problem } from "../api/problem.ts";

type Margins = Pick<AlertProps, "m" | "mb">;

/** A form-level error, announced to screen readers; null shows nothing. */
export function ProblemAlert({
  problem,
  ...margins
}: Margins & { readonly problem: Problem | null }) {
  if (problem === null) return null;
  return (
    <Alert
      color="red"
      role="alert"
      {...(problem.detail === "" ? {} : { title: problem.title })}
      {...margins}
    >
      {problem.detail === "" ? problem.title : problem.detail}
    </Alert>
  );
}

/** The error of a query or mutation; null shows nothing. */
export function ErrorAlert({ error, ...margins }: Margins & { readonly error: Error | null }) {
  return <ProblemAlert problem={error === null ? null : describeProblem(error)} {...margins} />;
}
