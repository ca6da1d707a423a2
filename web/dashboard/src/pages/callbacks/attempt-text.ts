/** Why an attempt got no answer, in words. */
const errors: Readonly<Record<string, string>> = {
  address_refused: "Address not allowed",
  name_not_resolved: "Name not found",
  connect_failed: "No connection",
  tls_failed: "No secure connection",
  connection_lost: "Connection lost",
  malformed_answer: "Answer not understood",
  timed_out: "Took too long",
};

/** What came of an attempt, in a few words. */
export function attemptText(statusCode: number | null, error: string | null): string {
  if (statusCode === 200) return "200, delivered";
  if (statusCode !== null) return `Answered ${statusCode}`;
  return error === null ? "No answer" : (errors[error] ?? error);
}
