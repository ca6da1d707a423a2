import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../language/t.ts";

/** The operator's reason for the audit logs. */
export function ReasonInput({
  reason,
  onChange,
  error = null,
}: {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
  readonly error?: ReactNode;
}) {
  return (
    <TextInput
      label={t("Reason")}
      description={t("Recorded in the account's audit log and in yours.")}
      required
      maxLength={256}
      value={reason}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
      error={error}
    />
  );
}
