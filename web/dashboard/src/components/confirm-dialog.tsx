import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../language/t.ts";
import { ErrorAlert } from "./problem-alert.tsx";
import { useAction } from "./use-action.ts";
import { useReturnFocus } from "./use-return-focus.ts";

/**
 * Asks for confirmation, runs `act`, and closes. Errors are shown in the dialog. `action` labels the confirming button; give
 * `dismissal` where "Cancel" could be mistaken for the action itself ("Cancel payout").
 */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  action,
  dismissal = t("Cancel"),
  isDangerous = false,
  canAct = true,
  size = "md",
  act,
  onDone,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly dismissal?: string;
  readonly isDangerous?: boolean;
  /** False while what is to be confirmed is not shown completely. */
  readonly canAct?: boolean;
  readonly size?: "md" | "lg";
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
}) {
  useReturnFocus(isOpen);
  const acting = useAction({
    mutationFn: act,
    meta: { isShownByForm: true },
    onSuccess: () => {
      onClose();
      onDone?.();
    },
  });
  const close = (): void => {
    // The pending answer belongs to this dialog: closing it now would show the answer in the next one.
    if (acting.isPending) return;
    acting.reset();
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={title} size={size} returnFocus={false}>
      <Stack>
        <div>{children}</div>
        <ErrorAlert error={acting.error} />
        <Group justify="flex-end">
          <Button variant="default" disabled={acting.isPending} onClick={close}>
            {dismissal}
          </Button>
          <Button
            {...(isDangerous ? { color: "red.8" } : {})}
            loading={acting.isPending}
            disabled={!canAct}
            onClick={() => {
              acting.mutate();
            }}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
