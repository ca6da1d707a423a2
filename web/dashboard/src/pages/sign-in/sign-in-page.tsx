import {
  Button,
  Card,
  Center,
  Divider,
  Group,
  PasswordInput,
  Stack,
  TextInput,
  Title,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconFingerprint } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { SluiceError } from "../../../../../client/src/sluice-error.ts";
import { describePasskeyProblem } from "../../api/passkey-problem.ts";
import { describeProblem, type Problem } from "../../api/problem.ts";
import {
  type SecondFactorChallenge,
  signIn,
  signInWithPasskey,
  supportsPasskeys,
} from "../../api/sign-in.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useAction } from "../../components/use-action.ts";
import { t } from "../../language/t.ts";
import { ColorSchemeMenu } from "../../shell/color-scheme-menu.tsx";
import { LanguageMenu } from "../../shell/language-menu.tsx";
import { Logo } from "../../shell/logo.tsx";
import { PageTitle } from "../../shell/page-title.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";

/** Signs in by password, second factor or passkey, then returns to the requested page. */
export function SignInPage() {
  const navigate = useNavigate();
  const { next } = useSearch({ from: "/login" });
  const [due, setDue] = useState<SecondFactorChallenge | null>(null);
  const enter = (): void => {
    void navigate({ to: next ?? "/", replace: true });
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <PageTitle title={t("Sign in")} />
      <Stack w="100%" maw={400}>
        <Group justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Logo size={36} />
            <Title order={1}>{t("Sign in to Sluice")}</Title>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <LanguageMenu />
            <ColorSchemeMenu />
          </Group>
        </Group>
        <Card>
          <Stack>
            {due === null ? (
              <PasswordForm
                onDone={(challenge) => {
                  if (challenge === null) enter();
                  else setDue(challenge);
                }}
              />
            ) : (
              <SecondFactorForm
                due={due}
                onDone={enter}
                onBack={() => {
                  setDue(null);
                }}
              />
            )}
            {supportsPasskeys() && (due === null || due.methods.includes("passkey")) ? (
              <PasskeyButton onDone={enter} />
            ) : null}
          </Stack>
        </Card>
      </Stack>
    </Center>
  );
}

function PasswordForm({
  onDone,
}: {
  readonly onDone: (due: SecondFactorChallenge | null) => void;
}) {
  const form = useForm({ initialValues: { login: "", password: "" } });
  const signingIn = useAction({
    mutationFn: ({ login, password }: typeof form.values) => signIn(login, password),
    meta: { isShownByForm: true },
    onSuccess: onDone,
  });
  return (
    <form
      onSubmit={form.onSubmit((values) => {
        signingIn.mutate(values);
      })}
    >
      <Stack>
        <ProblemAlert
          problem={signingIn.error === null ? null : describeSignInProblem(signingIn.error)}
        />
        <TextInput
          label={t("Login")}
          autoComplete="username webauthn"
          required
          {...form.getInputProps("login")}
        />
        <PasswordInput
          label={t("Password")}
          autoComplete="current-password"
          required
          {...form.getInputProps("password")}
        />
        <Button type="submit" loading={signingIn.isPending}>
          {t("Sign in")}
        </Button>
        <TextLink to="/forgot-password">{t("Forgot password?")}</TextLink>
      </Stack>
    </form>
  );
}

/** The service's wording for code 2007 covers tokens and API keys too; here only login and password can be wrong. */
function describeSignInProblem(error: Error): Problem {
  const problem = describeProblem(error);
  return error instanceof SluiceError && error.code === "2007"
    ? { ...problem, title: t("Incorrect login or password."), detail: "" }
    : problem;
}

function PasskeyButton({ onDone }: { readonly onDone: () => void }) {
  const signingIn = useAction({
    mutationFn: signInWithPasskey,
    meta: { isShownByForm: true },
    onSuccess: onDone,
  });
  return (
    <>
      <Divider label={t("or")} />
      <ProblemAlert
        problem={signingIn.error === null ? null : describePasskeyProblem(signingIn.error)}
      />
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} />}
        loading={signingIn.isPending}
        onClick={() => {
          signingIn.mutate();
        }}
      >
        {t("Use a passkey")}
      </Button>
    </>
  );
}
