import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
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
  onClose,
}: FormState & {
  readonly children: ReactNode;
  readonly action: string;
  readonly isDangerous?: boolean;
  /** "Close" in dialogs about a deposit or payout, where "Cancel" could be mistaken for canceling it. */
  readonly dismissal?: string;
  /** False while data that the submission needs is missing. */
  readonly canSend?: boolean;
  readonly onClose: () => void;
}) {
  useBusyDialog(isSending);
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <ProblemAlert problem={problem} />
        <Group justify="flex-end">
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {dismissal}
          </Button>
          <Button
            type="submit"
            {...(isDangerous ? { color: "red.8" } : {})}
            loading={isSending}
            disabled={!canSend}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
