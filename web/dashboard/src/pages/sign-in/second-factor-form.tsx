import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { describeProblem } from "../../api/problem.ts";
import { giveCode, type SecondFactorDue } from "../../api/sign-in.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useAction } from "../../components/use-action.ts";

/** After the password: a code of the app, or one for recovery. */
export function SecondFactorForm({
  due,
  onDone,
  onBack,
}: {
  readonly due: SecondFactorDue;
  readonly onDone: () => void;
  readonly onBack: () => void;
}) {
  const form = useForm({ initialValues: { code: "" } });
  const giving = useAction({
    mutationFn: ({ code }: typeof form.values) => giveCode(due.challenge, code.trim()),
    meta: { isShownByForm: true },
    onSuccess: onDone,
  });
  const takesRecovery = due.methods.includes("recovery_code");
  const takesCodes = due.methods.includes("totp") || takesRecovery;
  return (
    <form
      onSubmit={form.onSubmit((values) => {
        giving.mutate(values);
      })}
    >
      <Stack>
        <Text role="status">
          {takesCodes
            ? "Your password is right. Now the second factor."
            : "Your password is right. Now use your passkey."}
        </Text>
        <ProblemAlert problem={giving.error === null ? null : wrongCode(giving.error)} />
        {takesCodes ? (
          <TextInput
            label={
              due.methods.includes("totp") ? "Code of your authenticator app" : "Recovery code"
            }
            description={takesRecovery ? "One of your recovery codes does as well." : undefined}
            autoComplete="one-time-code"
            autoFocus
            required
            {...form.getInputProps("code")}
          />
        ) : null}
        <Group justify="space-between">
          <Button variant="subtle" onClick={onBack}>
            Back
          </Button>
          {takesCodes ? (
            <Button type="submit" loading={giving.isPending}>
              Go on
            </Button>
          ) : null}
        </Group>
      </Stack>
    </form>
  );
}

/** The service tells every wrong sign-in alike; here the password is known to be right. */
function wrongCode(error: Error) {
  const problem = describeProblem(error);
  return "status" in error && error.status === 401
    ? {
        ...problem,
        title: "This code does not work",
        detail: "It is wrong, was used before, or you took longer than five minutes.",
      }
    : problem;
}
