import { Button, Stack, Text } from "@mantine/core";
import { anonymousApi, session } from "../../api/api.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { type NewPassword, NewPasswordFields, repeatedFault } from "./new-password-fields.tsx";
import { linkToken, PublicPage } from "./public-page.tsx";

/** Sets a new password by the link that was sent. Signing in afterwards still needs the second factors. */
export function ResetPasswordPage() {
  const { form, submit, isSending, problem, result } = useApiForm<
    NewPassword,
    { readonly login: string }
  >({
    initialValues: { password: "", repeated: "" },
    validate: { repeated: repeatedFault },
    send: async ({ password }) => {
      const attributes = { token: linkToken(), password };
      const { data } = await anonymousApi.post("/password-reset-completion/", { attributes });
      return data.attributes;
    },
    onDone: () => {
      // The service has ended it.
      session.end();
    },
  });
  return (
    <PublicPage title={t("Reset password")}>
      {result === null ? (
        <form onSubmit={submit}>
          <Stack>
            <NewPasswordFields form={form} />
            <ProblemAlert problem={problem} />
            <Button type="submit" loading={isSending}>
              {t("Save password")}
            </Button>
          </Stack>
        </form>
      ) : (
        <>
          <Text role="status">
            {t("Your new password is saved, and your sessions have ended. Your login is {login}.", {
              login: result.login,
            })}
          </Text>
          <ButtonLink to="/login">{t("Sign in")}</ButtonLink>
        </>
      )}
    </PublicPage>
  );
}
