import { Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import type { Me } from "../../api/me.ts";
import { confirmed } from "../../components/confirmed.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { useApiForm } from "../../components/use-api-form.ts";

type PasswordValues = { login: string; password: string; again: string };

/** Login and password of one's own. */
export function PasswordSection({ me }: { readonly me: Me }) {
  const queryClient = useQueryClient();
  const { form, submit, isSending, problem } = useApiForm<PasswordValues, unknown>({
    initialValues: { login: me.login ?? "", password: "", again: "" },
    validate: {
      again: (value, { password }) =>
        value === password ? null : "This is not the same password.",
    },
    send: ({ login, password }) =>
      confirmed(() =>
        api.post("/me/password/", {
          attributes: { password, ...(login === me.login ? {} : { login }) },
        }),
      ),
    onDone: () => {
      form.setValues({ password: "", again: "" });
      notifications.show({
        title: "Saved",
        message: "Your other sessions have ended.",
        color: "lagoon",
      });
      void queryClient.invalidateQueries();
    },
  });
  return (
    <Section title="Login and password">
      <form onSubmit={submit}>
        <Stack maw={480}>
          <TextInput
            label="Login"
            description="A name or e-mail address."
            autoComplete="username"
            required
            {...form.getInputProps("login")}
          />
          <PasswordInput
            label="New password"
            description="At least 12 characters. Length is what counts."
            autoComplete="new-password"
            required
            {...form.getInputProps("password")}
          />
          <PasswordInput
            label="The same again"
            autoComplete="new-password"
            required
            {...form.getInputProps("again")}
          />
          <ProblemAlert problem={problem} />
          <Group>
            <Button type="submit" loading={isSending}>
              Change
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
