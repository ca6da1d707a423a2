import type { Callback } from "../../../../../client/src/api-types.gen.ts";
import { StatusBadge, statusLabel } from "../../components/status-badge.tsx";
import { t } from "../../language/t.ts";

/** Whether the callback failed and awaits its next attempt. */
function isRetrying({ status, attempts, last_status_code: code }: Callback["attributes"]): boolean {
  return status === "pending" && attempts > 0 && code !== 200;
}

/** A callback's status; one that failed and awaits its next attempt shows as "Retrying". */
export function CallbackBadge({ attributes }: Pick<Callback, "attributes">) {
  return isRetrying(attributes) ? (
    <StatusBadge tone="attention" label={t("Retrying")} />
  ) : (
    <StatusBadge kind="callback" value={attributes.status} />
  );
}

/** The badge's label, for text without a badge. */
export function callbackLabel(attributes: Callback["attributes"]): string {
  return isRetrying(attributes) ? t("Retrying") : statusLabel("callback", attributes.status);
}
