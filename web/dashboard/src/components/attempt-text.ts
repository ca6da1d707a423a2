/** The delivery errors of the API. */
const errors: Readonly<Record<string, string>> = {
  address_refused: "Address not allowed",
  name_not_resolved: "DNS lookup failed",
  connect_failed: "Connection failed",
  tls_failed: "TLS error",
  connection_lost: "Connection lost",
  malformed_answer: "Invalid response",
  timed_out: "Timed out",
};

/** The result of a delivery attempt. */
export function attemptText(statusCode: number | null, error: string | null): string {
  if (statusCode === 200) return "Delivered (200)";
  if (statusCode !== null) return `HTTP ${statusCode}`;
  return error === null ? "No response" : (errors[error] ?? error);
}
