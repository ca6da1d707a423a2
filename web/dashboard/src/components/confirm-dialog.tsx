import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorAlert } from "./problem-alert.tsx";
import { useAction } from "./use-action.ts";

/**
 * Asks before something is done that cannot be undone, does it, and closes. What the service refuses is shown in the dialog.
 * `act` is the question's answer; its button is named by `action`.
 */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  action,
  isDangerous = false,
  act,
  onDone,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
}) {
  const acting = useAction({
    mutationFn: act,
    meta: { isShownByForm: true },
    onSuccess: () => {
      onClose();
      onDone?.();
    },
  });
  const close = (): void => {
    // What the service answers belongs to this question, not to the next one that is asked here.
    if (acting.isPending) return;
    acting.reset();
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={title}>
      <Stack>
        <div>{children}</div>
        <ErrorAlert error={acting.error} />
        <Group justify="flex-end">
          <Button variant="default" disabled={acting.isPending} onClick={close}>
            Cancel
          </Button>
          <Button
            {...(isDangerous ? { color: "red.8" } : {})}
            loading={acting.isPending}
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
