import type { Callback } from "../../../../../client/src/api-types.gen.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { t } from "../../language/t.ts";

/** A callback's status; one that failed and awaits its next attempt shows as "Retrying". */
export function CallbackBadge({ attributes }: Pick<Callback, "attributes">) {
  const { status, attempts, last_status_code: code } = attributes;
  return status === "pending" && attempts > 0 && code !== 200 ? (
    <StatusBadge tone="attention" label={t("Retrying")} />
  ) : (
    <StatusBadge kind="callback" value={status} />
  );
}
