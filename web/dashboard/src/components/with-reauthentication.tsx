import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconFingerprint } from "@tabler/icons-react";
import { SluiceError } from "../../../../client/src/sluice-error.ts";
import { api } from "../api/api.ts";
import { useMe } from "../api/me.ts";
import { describePasskeyProblem } from "../api/passkey-problem.ts";
import { ReauthenticationCanceled } from "../api/reauthentication-canceled.ts";
import { getPasskeyAssertion, supportsPasskeys } from "../api/sign-in.ts";
import { t } from "../language/t.ts";
import { ProblemAlert } from "./problem-alert.tsx";
import { useAction } from "./use-action.ts";
import { useApiForm } from "./use-api-form.ts";

/**
 * Runs an action that may require recent authentication. When the service asks for it, a dialog collects the password, code or
 * passkey, and the action runs again. Throws `ReauthenticationCanceled` when the dialog is closed.
 */
export async function withReauthentication<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== "confirmation_required") throw error;
    await reauthenticate();
    return action();
  }
}

function reauthenticate(): Promise<void> {
  return new Promise((resolve, reject) => {
    const id = modals.open({
      title: t("Confirm it's you"),
      // Above the dialog that started the action.
      zIndex: 400,
      onClose: () => {
        reject(new ReauthenticationCanceled());
      },
      children: (
        <ReauthenticationForm
          onDone={() => {
            resolve();
            modals.close(id);
          }}
        />
      ),
    });
  });
}

function ReauthenticationForm({ onDone }: { readonly onDone: () => void }) {
  const hasApp = useMe()?.has_totp !== false;
  const { form, submit, isSending, problem } = useApiForm({
    initialValues: { proof: "" },
    send: ({ proof }) => {
      const isCode = hasApp && /^\s*\d{3}\s?\d{3}\s*$/.test(proof);
      return api.post("/session/confirm/", {
        attributes: isCode ? { code: proof } : { password: proof },
      });
    },
    fieldOf: () => "proof",
    onDone,
  });
  const byPasskey = useAction({
    mutationFn: async () =>
      api.post("/session/confirm/", { attributes: await getPasskeyAssertion() }),
    meta: { isShownByForm: true },
    onSuccess: onDone,
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>
          {t("This change affects access to your account. Confirm your identity to continue.")}
        </Text>
        <TextInput
          type="password"
          label={hasApp ? t("Password or authenticator code") : t("Password")}
          autoComplete="current-password"
          data-autofocus
          required
          key={form.key("proof")}
          {...form.getInputProps("proof")}
        />
        <ProblemAlert
          problem={byPasskey.error === null ? problem : describePasskeyProblem(byPasskey.error)}
        />
        <Group justify="flex-end">
          {supportsPasskeys() ? (
            <Button
              variant="default"
              leftSection={<IconFingerprint size={16} />}
              loading={byPasskey.isPending}
              onClick={() => {
                byPasskey.mutate();
              }}
            >
              {t("Use a passkey")}
            </Button>
          ) : null}
          <Button type="submit" loading={isSending}>
            {t("Confirm")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
