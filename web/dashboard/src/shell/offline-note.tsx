import { Alert } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { t } from "../language/t.ts";

/** Says on every page that the browser is offline, so that what is shown may be old and nothing loads. */
export function OfflineNote() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {online ? null : (
        <Alert color="amber" title={t("You're offline")} mb="md">
          {t("What you see may be out of date. Pages load and update when you're back online.")}
        </Alert>
      )}
    </div>
  );
}
