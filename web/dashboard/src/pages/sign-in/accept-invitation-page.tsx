import { Button, Stack, Text, TextInput } from "@mantine/core";
import { anonymousApi } from "../../api/api.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { type NewPassword, NewPasswordFields, repeatedFault } from "./new-password-fields.tsx";
import { linkToken, PublicPage } from "./public-page.tsx";

/** Makes an invited person a member, with a login and password of their own. */
export function AcceptInvitationPage() {
  const { form, submit, isSending, problem, result } = useApiForm<
    NewPassword & { login: string },
    { readonly login: string }
  >({
    initialValues: { login: "", password: "", repeated: "" },
    validate: { repeated: repeatedFault },
    send: async ({ login, password }) => {
      const name = login.trim();
      const attributes = { token: linkToken(), password, ...(name === "" ? {} : { login: name }) };
      return (await anonymousApi.post("/invitation-acceptance/", { attributes })).data.attributes;
    },
  });
  return (
    <PublicPage title={t("Join the team")}>
      {result === null ? (
        <form onSubmit={submit}>
          <Stack>
            <Text>{t("Choose how you sign in.")}</Text>
            <TextInput
              label={t("Login")}
              description={t("Leave empty to sign in with the invited email address.")}
              autoComplete="username"
              {...form.getInputProps("login")}
            />
            <NewPasswordFields form={form} />
            <ProblemAlert problem={problem} />
            <Button type="submit" loading={isSending}>
              {t("Join")}
            </Button>
          </Stack>
        </form>
      ) : (
        <>
          <Text role="status">
            {t("You're a member now. Your login is {login}.", { login: result.login })}
          </Text>
          <ButtonLink to="/login">{t("Sign in")}</ButtonLink>
        </>
      )}
    </PublicPage>
  );
}
