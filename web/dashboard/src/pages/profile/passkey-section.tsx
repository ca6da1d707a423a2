import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { startRegistration } from "@simplewebauthn/browser";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { describePasskeyProblem } from "../../api/passkey-problem.ts";
import { supportsPasskeys } from "../../api/sign-in.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";

type RegistrationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
type Named = { readonly id: string; readonly name: string };

/** The member's passkeys. */
export function PasskeySection() {
  const queryClient = useQueryClient();
  const [removing, setRemoving] = useState<Named | null>(null);
  const [renaming, setRenaming] = useState<Named | null>(null);
  const passkeys = useQuery({
    queryKey: ["passkeys"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/passkey/", { signal })),
  });
  const refresh = (): void => {
    void queryClient.invalidateQueries();
  };
  return (
    <Section title={t("Passkeys")}>
      <Stack>
        <Text>{t("Sign in with your face, fingerprint or PIN.")}</Text>
        {(passkeys.data ?? []).length === 0 ? null : (
          <ul className="plain-list" aria-label={t("Your passkeys")}>
            {passkeys.data?.map(({ id, attributes: { name, created_at, last_used_at } }) => (
              <li key={id}>
                <Group justify="space-between">
                  <div>
                    <Text fw={600}>{name}</Text>
                    <Text size="sm" c="dimmed">
                      {last_used_at === null
                        ? rich("Added {time}, last used never", {
                            time: <TimeText value={created_at} />,
                          })
                        : rich("Added {time}, last used {used}", {
                            time: <TimeText value={created_at} />,
                            used: <TimeText value={last_used_at} />,
                          })}
                    </Text>
                  </div>
                  <Group gap="xs">
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={t("Rename {name}", { name })}
                      onClick={() => {
                        setRenaming({ id, name });
                      }}
                    >
                      {t("Rename")}
                    </Button>
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={t("Remove {name}", { name })}
                      onClick={() => {
                        setRemoving({ id, name });
                      }}
                    >
                      {t("Remove")}
                    </Button>
                  </Group>
                </Group>
              </li>
            ))}
          </ul>
        )}
        {renaming === null ? null : (
          <RenameForm
            key={renaming.id}
            passkey={renaming}
            onDone={() => {
              setRenaming(null);
              refresh();
            }}
          />
        )}
        {supportsPasskeys() ? (
          <NewPasskeyForm onDone={refresh} />
        ) : (
          <Text c="dimmed">
            {t("Passkeys don\'t work on an IP address.")}{" "}
            {isLoopback(location.hostname)
              ? rich("Open {address} instead.", {
                  address: <code>{`http://localhost:${location.port}/ui/`}</code>,
                })
              : null}
          </Text>
        )}
      </Stack>
      <ConfirmDialog
        isOpen={removing !== null}
        onClose={() => {
          setRemoving(null);
        }}
        title={t("Remove {name}?", { name: removing?.name ?? "" })}
        action={t("Remove passkey")}
        isDangerous
        act={() =>
          withReauthentication(() => api.delete("/passkey/{id}/", { id: removing?.id ?? "" }))
        }
        onDone={refresh}
      >
        {t(
          "You can no longer sign in with it. Your device may still offer it: remove it there as well.",
        )}
      </ConfirmDialog>
    </Section>
  );
}

function isLoopback(hostname: string): boolean {
  return hostname.startsWith("127.") || hostname === "[::1]";
}

function NewPasskeyForm({ onDone }: { readonly onDone: () => void }) {
  const [failure, setFailure] = useState<unknown>(null);
  const { form, submit, isSending, problem } = useApiForm({
    initialValues: { name: "" },
    send: async ({ name }) => {
      setFailure(null);
      try {
        return await withReauthentication(() => register(name));
      } catch (error) {
        setFailure(error);
        throw error;
      }
    },
    onDone: () => {
      form.reset();
      onDone();
    },
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={480}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t("Device name")}
            placeholder={t("Laptop")}
            maxLength={64}
            required
            flex="1 1 14rem"
            {...form.getInputProps("name")}
          />
          <Button type="submit" loading={isSending}>
            {t("Add passkey")}
          </Button>
        </Group>
        <ProblemAlert problem={problem === null ? null : describePasskeyProblem(failure)} />
      </Stack>
    </form>
  );
}

async function register(name: string): Promise<unknown> {
  const { data } = await api.post("/passkey/options/");
  const { challenge, options } = data.attributes;
  const response = await startRegistration({
    optionsJSON: options as unknown as RegistrationOptions,
  });
  return api.post("/passkey/", {
    attributes: { name, challenge, response: response as never },
  });
}

function RenameForm({ passkey, onDone }: { readonly passkey: Named; readonly onDone: () => void }) {
  const { form, submit, isSending, problem } = useApiForm({
    initialValues: { name: passkey.name },
    send: ({ name }) => api.patch("/passkey/{id}/", { id: passkey.id, attributes: { name } }),
    onDone,
  });
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm" maw={480}>
        <TextInput
          label={t("New name for {name}", { name: passkey.name })}
          maxLength={64}
          required
          autoFocus
          flex="1 1 14rem"
          {...form.getInputProps("name")}
        />
        <Button type="submit" variant="default" loading={isSending}>
          {t("Save")}
        </Button>
      </Group>
      <ProblemAlert problem={problem} />
    </form>
  );
}
