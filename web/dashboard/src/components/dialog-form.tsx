import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useBusyDialog } from "./dialog.tsx";
import { ProblemAlert } from "./problem-alert.tsx";
import type { ApiForm } from "./use-api-form.ts";

/** What of a form's state its frame shows, whatever its fields are. */
type FormState = Pick<
  ApiForm<Record<string, unknown>, unknown>,
  "submit" | "isSending" | "problem"
>;

/** The fields of a dialog with what is wrong as a whole and the two buttons below them: leave it, or send it as `action` says. */
export function DialogForm({
  submit,
  isSending,
  problem,
  children,
  action,
  isDangerous = false,
  dismissal = "Cancel",
  canSend = true,
  onClose,
}: FormState & {
  readonly children: ReactNode;
  readonly action: string;
  readonly isDangerous?: boolean;
  /** "Close" where "Cancel" could be taken for what is done to a deposit or a payout. */
  readonly dismissal?: "Cancel" | "Close";
  /** False while something that it needs is not known yet. */
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
