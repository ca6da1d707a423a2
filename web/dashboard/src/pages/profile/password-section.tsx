import { Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import type { Me } from "../../api/me.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { t } from "../../language/t.ts";

type PasswordValues = { login: string; password: string; repeated: string };

/** The member's login and password. */
export function PasswordSection({ me }: { readonly me: Me }) {
  const queryClient = useQueryClient();
  const { form, submit, isSending, problem } = useApiForm<PasswordValues, unknown>({
    initialValues: { login: me.login ?? "", password: "", repeated: "" },
    validate: {
      repeated: (value, { password }) =>
        value === password ? null : t("The passwords don't match."),
    },
    send: ({ login, password }) =>
      withReauthentication(() =>
        api.post("/me/password/", {
          attributes: { password, ...(login === me.login ? {} : { login }) },
        }),
      ),
    onDone: () => {
      form.setValues({ password: "", repeated: "" });
      notifications.show({
        title: t("Password saved"),
        message: t("Your other sessions have ended."),
        color: "lagoon",
      });
      void queryClient.invalidateQueries();
    },
  });
  return (
    <Section title={t("Login and password")}>
      <form onSubmit={submit}>
        <Stack maw={480}>
          <TextInput
            label={t("Login")}
            description={t("A username or email address.")}
            autoComplete="username"
            required
            {...form.getInputProps("login")}
          />
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
          <ProblemAlert problem={problem} />
          <Group>
            <Button type="submit" loading={isSending}>
              {t("Save password")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
