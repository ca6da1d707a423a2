import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconFingerprint } from "@tabler/icons-react";
import { SluiceError } from "../../../../client/src/sluice-error.ts";
import { api } from "../api/api.ts";
import { describePasskeyProblem } from "../api/passkey-problem.ts";
import { answerByPasskey, hasPasskeys } from "../api/sign-in.ts";
import { ProblemAlert } from "./problem-alert.tsx";
import { useAction } from "./use-action.ts";
import { useApiForm } from "./use-api-form.ts";

/**
 * Does what the service does only for people who proved who they are within minutes: where it asks for that, a dialog does, and
 * the action is tried again. Throws the service's refusal when the dialog is closed.
 */
export async function confirmed<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== "confirmation_required") throw error;
    await ask(error);
    return action();
  }
}

function ask(refusal: SluiceError): Promise<void> {
  return new Promise((resolve, reject) => {
    const id = modals.open({
      title: "Is it you?",
      // Above the dialog that asked.
      zIndex: 400,
      onClose: () => {
        reject(refusal);
      },
      children: (
        <ConfirmationForm
          onDone={() => {
            resolve();
            modals.close(id);
          }}
        />
      ),
    });
  });
}

function ConfirmationForm({ onDone }: { readonly onDone: () => void }) {
  const { form, submit, isSending, problem } = useApiForm({
    initialValues: { proof: "" },
    send: ({ proof }) => {
      const isCode = /^\s*\d{3}\s?\d{3}\s*$/.test(proof);
      return api.post("/session/confirm/", {
        attributes: isCode ? { code: proof } : { password: proof },
      });
    },
    fieldOf: () => "proof",
    onDone,
  });
  const byPasskey = useAction({
    mutationFn: async () => api.post("/session/confirm/", { attributes: await answerByPasskey() }),
    meta: { isShownByForm: true },
    onSuccess: onDone,
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>This changes who may get at your account, so it is asked again.</Text>
        <TextInput
          type="password"
          label="Password, or a code of your app"
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
          {hasPasskeys() ? (
            <Button
              variant="default"
              leftSection={<IconFingerprint size={16} />}
              loading={byPasskey.isPending}
              onClick={() => {
                byPasskey.mutate();
              }}
            >
              Use a passkey
            </Button>
          ) : null}
          <Button type="submit" loading={isSending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
