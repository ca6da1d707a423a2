import { Button, Stack, Text, TextInput } from "@mantine/core";
import { anonymousApi } from "../../api/api.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { PublicPage } from "./public-page.tsx";

/** Asks for a link that resets a forgotten password. It does not say whether anybody has the login. */
export function ForgotPasswordPage() {
  const { form, submit, isSending, problem, result } = useApiForm({
    initialValues: { login: "" },
    send: ({ login }) => anonymousApi.post("/password-reset/", { attributes: { login } }),
  });
  return (
    <PublicPage title={t("Forgot password")}>
      {result === null ? (
        <form onSubmit={submit}>
          <Stack>
            <Text>
              {t("Enter your login or email address. You'll get a link to set a new password.")}
            </Text>
            <TextInput
              label={t("Login or email")}
              autoComplete="username"
              required
              {...form.getInputProps("login")}
            />
            <ProblemAlert problem={problem} />
            <Button type="submit" loading={isSending}>
              {t("Send link")}
            </Button>
          </Stack>
        </form>
      ) : (
        <Text role="status">
          {t(
            "If this login has a confirmed email address, a link is on its way. It works for one hour. Without a confirmed address, ask an Owner of your account to reset your access.",
          )}
        </Text>
      )}
      <ButtonLink to="/login" variant="subtle">
        {t("Back to sign-in")}
      </ButtonLink>
    </PublicPage>
  );
}
