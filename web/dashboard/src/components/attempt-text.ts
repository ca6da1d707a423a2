import type { PlainText } from "../language/catalogs.ts";
import { t } from "../language/t.ts";

/** The delivery errors of the API, translated where they are shown. */
const errors: Readonly<Record<string, PlainText>> = {
  address_refused: "Address not allowed",
  name_not_resolved: "DNS lookup failed",
  connect_failed: "Connection failed",
  tls_failed: "TLS error",
  connection_lost: "Connection lost",
  malformed_answer: "Invalid response",
  timed_out: "Timed out",
};

/** The result of a delivery attempt, the same in lists, logs and timelines. */
export function attemptText(statusCode: number | null, error: string | null): string {
  if (statusCode === 200) return t("Delivered (200)");
  if (statusCode !== null) return `HTTP ${statusCode}`;
  if (error === null) return t("No response");
  const known = errors[error];
  return known === undefined ? error : t(known);
}
