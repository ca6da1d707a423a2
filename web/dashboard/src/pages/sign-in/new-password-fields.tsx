import { PasswordInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { t } from "../../language/t.ts";

export type NewPassword = { password: string; repeated: string };

/** Why the repeated password is wrong; null when it is the same. */
export function repeatedFault(repeated: string, { password }: NewPassword): string | null {
  return repeated === password ? null : t("The passwords don't match.");
}

/** A new password, entered twice. */
export function NewPasswordFields<Values extends NewPassword & Record<string, unknown>>({
  form,
}: {
  readonly form: UseFormReturnType<Values>;
}) {
  return (
    <>
      <PasswordInput
        label={t("New password")}
        description={t("At least 12 characters.")}
        autoComplete="new-password"
        required
        {...form.getInputProps("password")}
      />
      <PasswordInput
        label={t("Confirm password")}
        autoComplete="new-password"
        required
        {...form.getInputProps("repeated")}
      />
    </>
  );
}
