import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { describeProblem } from "../../api/problem.ts";
import { type SecondFactorChallenge, submitCode } from "../../api/sign-in.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useAction } from "../../components/use-action.ts";
import { t } from "../../language/t.ts";

/** The second step of signing in: an authenticator or recovery code. */
export function SecondFactorForm({
  due,
  onDone,
  onBack,
}: {
  readonly due: SecondFactorChallenge;
  readonly onDone: () => void;
  readonly onBack: () => void;
}) {
  const form = useForm({ initialValues: { code: "" } });
  const submitting = useAction({
    mutationFn: ({ code }: typeof form.values) => submitCode(due.challenge, code.trim()),
    meta: { isShownByForm: true },
    onSuccess: onDone,
  });
  const takesRecovery = due.methods.includes("recovery_code");
  const takesCodes = due.methods.includes("totp") || takesRecovery;
  return (
    <form
      onSubmit={form.onSubmit((values) => {
        submitting.mutate(values);
      })}
    >
      <Stack>
        <Text role="status">
          {takesCodes
            ? t("Enter a code to finish signing in.")
            : t("Use your passkey to finish signing in.")}
        </Text>
        <ProblemAlert problem={submitting.error === null ? null : wrongCode(submitting.error)} />
        {takesCodes ? (
          <TextInput
            label={due.methods.includes("totp") ? t("Authenticator code") : t("Recovery code")}
            description={takesRecovery ? t("You can also use a recovery code.") : undefined}
            autoComplete="one-time-code"
            autoFocus
            required
            {...form.getInputProps("code")}
          />
        ) : null}
        <Group justify="space-between">
          <Button variant="subtle" onClick={onBack}>
            {t("Back")}
          </Button>
          {takesCodes ? (
            <Button type="submit" loading={submitting.isPending}>
              {t("Continue")}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </form>
  );
}

/** The service answers every failed sign-in alike; at this step the password is known to be correct. */
function wrongCode(error: Error) {
  const problem = describeProblem(error);
  return "status" in error && error.status === 401
    ? {
        ...problem,
        title: t("Invalid code"),
        detail: t(
          "The code is wrong or was already used. If more than five minutes have passed, go back and sign in again.",
        ),
      }
    : problem;
}
