import { t } from "../language/t.ts";

/** The delivery errors of the API. */
const errors: Readonly<Record<string, string>> = {
  address_refused: t("Address not allowed"),
  name_not_resolved: t("DNS lookup failed"),
  connect_failed: t("Connection failed"),
  tls_failed: t("TLS error"),
  connection_lost: t("Connection lost"),
  malformed_answer: t("Invalid response"),
  timed_out: t("Timed out"),
};

/** The result of a delivery attempt. */
export function attemptText(statusCode: number | null, error: string | null): string {
  if (statusCode === 200) return t("Delivered (200)");
  if (statusCode !== null) return `HTTP ${statusCode}`;
  return error === null ? t("No response") : (errors[error] ?? error);
}
