import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { KillSwitch } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { useWallets } from "../../api/lookups.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { t } from "../../language/t.ts";
import { stoppedName } from "./use-kill-switches.ts";

/** Turns a kill switch off, once confirmed; closed for null. */
export function ResumePayoutsDialog({
  released,
  onClose,
}: {
  readonly released: KillSwitch | null;
  readonly onClose: () => void;
}) {
  const wallets = useWallets();
  const queries = useQueryClient();
  const name = released === null ? "" : stoppedName(released, wallets);
  return (
    <ConfirmDialog
      isOpen={released !== null}
      onClose={onClose}
      title={t("Resume payouts?")}
      action={t("Resume payouts")}
      act={async () => {
        if (released !== null)
          await api.post("/kill-switch/{switch}/release/", { switch: released.id });
      }}
      onDone={() => {
        notifications.show({ title: t("Payouts run again"), message: name });
        for (const of of ["kill-switches", "chains", "quote"])
          void queries.invalidateQueries({ queryKey: [of] });
      }}
    >
      {released === null
        ? null
        : t("{name}: pending payouts are sent and new ones are accepted.", { name })}
    </ConfirmDialog>
  );
}
