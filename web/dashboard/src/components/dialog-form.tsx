import { Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { t } from "../language/t.ts";
import { useBusyDialog } from "./dialog.tsx";
import { ProblemAlert } from "./problem-alert.tsx";
import type { ApiForm } from "./use-api-form.ts";

/** The state of a form that its frame shows. */
type FormState = Pick<
  ApiForm<Record<string, unknown>, unknown>,
  "submit" | "isSending" | "problem"
>;

/** A form in a dialog: its fields, the form-level error, and the dismiss and submit buttons. */
export function DialogForm({
  submit,
  isSending,
  problem,
  children,
  action,
  isDangerous = false,
  dismissal = t("Cancel"),
  canSend = true,
  obstacle = null,
  onClose,
}: FormState & {
  readonly children: ReactNode;
  readonly action: string;
  readonly isDangerous?: boolean;
  /** "Close" in dialogs about a deposit or payout, where "Cancel" could be mistaken for canceling it. */
  readonly dismissal?: string;
  /** False while data that the submission needs is missing. */
  readonly canSend?: boolean;
  /** Why nothing can be sent at the moment; shown beside the disabled button. Null if it can. */
  readonly obstacle?: string | null;
  readonly onClose: () => void;
}) {
  useBusyDialog(isSending);
  const obstacleId = useId();
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <ProblemAlert problem={problem} />
        <Group justify="flex-end">
          {obstacle === null ? null : (
            <Text size="sm" c="dimmed" id={obstacleId}>
              {obstacle}
            </Text>
          )}
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {dismissal}
          </Button>
          <Button
            type="submit"
            {...(isDangerous ? { color: "red.8" } : {})}
            loading={isSending}
            disabled={!canSend || obstacle !== null}
            {...(obstacle === null ? {} : { "aria-describedby": obstacleId })}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
