import { Button, type ButtonProps } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconHandStop } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWallets } from "../../api/lookups.ts";
import { t } from "../../language/t.ts";
import { StopPayoutsDialog } from "./stop-payouts-dialog.tsx";
import { stoppedName, useKillSwitches, useMayRelease } from "./use-kill-switches.ts";

/** Opens the dialog that sets a kill switch. */
export function StopPayoutsButton({
  isOperator,
  ...style
}: Pick<ButtonProps, "variant" | "color"> & { readonly isOperator: boolean }) {
  const queryClient = useQueryClient();
  const wallets = useWallets();
  const [isStopping, setStopping] = useState(false);
  return (
    <>
      <Button
        {...style}
        leftSection={<IconHandStop size={16} aria-hidden="true" />}
        onClick={() => {
          setStopping(true);
        }}
      >
        {t("Stop payouts")}
      </Button>
      <StopPayoutsDialog
        isOpen={isStopping}
        isOperator={isOperator}
        onClose={() => {
          setStopping(false);
        }}
        onDone={(stopped) => {
          notifications.show({
            title: t("Payouts are stopped"),
            message: stoppedName(stopped, wallets),
          });
          void queryClient.invalidateQueries({ queryKey: ["kill-switches"] });
          void queryClient.invalidateQueries({ queryKey: ["chains"] });
        }}
      />
    </>
  );
}

/** Stops payouts; nothing while all of them are stopped: the alert about it has the button that resumes them. */
export function StopUnlessStopped({ isOperator }: { readonly isOperator: boolean }) {
  const mayRelease = useMayRelease();
  const all = useKillSwitches()?.find(
    (killSwitch) => killSwitch.attributes.scope === "all" && mayRelease(killSwitch),
  );
  return all === undefined ? <StopPayoutsButton isOperator={isOperator} variant="default" /> : null;
}
