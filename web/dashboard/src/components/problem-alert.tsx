import { Alert, type AlertProps } from "@mantine/core";
import { describeProblem, type Problem } from "../api/problem.ts";

type Margins = Pick<AlertProps, "m" | "mb">;

/** What is wrong with a form as a whole, told to screen readers at once; nothing while nothing is. */
export function ProblemAlert({
  problem,
  ...margins
}: Margins & { readonly problem: Problem | null }) {
  if (problem === null) return null;
  return (
    <Alert color="red" role="alert" title={problem.title} {...margins}>
      {problem.detail}
    </Alert>
  );
}

/** Why a question to the service failed, as a query or a mutation holds it; nothing while it did not. */
export function ErrorAlert({ error, ...margins }: Margins & { readonly error: Error | null }) {
  return <ProblemAlert problem={error === null ? null : describeProblem(error)} {...margins} />;
}
