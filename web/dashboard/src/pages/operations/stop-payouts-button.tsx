import { Button, type ButtonProps } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../language/t.ts";
import { StopPayoutsDialog } from "./stop-payouts-dialog.tsx";

/** Opens the dialog that sets a kill switch. */
export function StopPayoutsButton({
  isOperator,
  ...style
}: Pick<ButtonProps, "variant" | "color"> & { readonly isOperator: boolean }) {
  const queryClient = useQueryClient();
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
        onDone={() => {
          void queryClient.invalidateQueries({ queryKey: ["kill-switches"] });
          void queryClient.invalidateQueries({ queryKey: ["chains"] });
        }}
      />
    </>
  );
}
