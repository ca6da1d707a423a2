import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { startRegistration } from "@simplewebauthn/browser";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { describePasskeyProblem } from "../../api/passkey-problem.ts";
import { hasPasskeys } from "../../api/sign-in.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { confirmed } from "../../components/confirmed.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useApiForm } from "../../components/use-api-form.ts";

type RegistrationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
type Named = { readonly id: string; readonly name: string };

/** Passkeys: the device itself signs in, unlocked as it always is. */
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
    <Section title="Passkeys">
      <Stack>
        <Text>
          A phone, a computer or a security key signs you in without a password: it holds one half
          of a key, unlocks by face, finger or code, and works on this site alone.
        </Text>
        {(passkeys.data ?? []).length === 0 ? null : (
          <ul className="plain-list" aria-label="Your passkeys">
            {passkeys.data?.map(({ id, attributes: { name, created_at, last_used_at } }) => (
              <li key={id}>
                <Group justify="space-between">
                  <div>
                    <Text fw={600}>{name}</Text>
                    <Text size="sm" c="dimmed">
                      Made <TimeText value={created_at} />, last used{" "}
                      {last_used_at === null ? "never" : <TimeText value={last_used_at} />}
                    </Text>
                  </div>
                  <Group gap="xs">
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={`Rename ${name}`}
                      onClick={() => {
                        setRenaming({ id, name });
                      }}
                    >
                      Rename
                    </Button>
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={`Remove ${name}`}
                      onClick={() => {
                        setRemoving({ id, name });
                      }}
                    >
                      Remove
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
        {hasPasskeys() ? (
          <NewPasskeyForm onDone={refresh} />
        ) : (
          <Text c="dimmed">
            Passkeys belong to a name, and this page was opened by a bare address. In the sandbox
            open it at <code>localhost</code>.
          </Text>
        )}
      </Stack>
      <ConfirmDialog
        isOpen={removing !== null}
        onClose={() => {
          setRemoving(null);
        }}
        title={`Remove ${removing?.name ?? ""}?`}
        action="Remove it"
        isDangerous
        act={() => confirmed(() => api.delete("/passkey/{id}/", { id: removing?.id ?? "" }))}
        onDone={refresh}
      >
        It signs nobody in any more. The device may still offer it: remove it there too.
      </ConfirmDialog>
    </Section>
  );
}

function NewPasskeyForm({ onDone }: { readonly onDone: () => void }) {
  const [failure, setFailure] = useState<unknown>(null);
  const { form, submit, isSending, problem } = useApiForm({
    initialValues: { name: "" },
    send: async ({ name }) => {
      setFailure(null);
      try {
        return await confirmed(() => register(name));
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
            label="Name of the device"
            placeholder="Laptop"
            maxLength={64}
            required
            flex={1}
            {...form.getInputProps("name")}
          />
          <Button type="submit" loading={isSending}>
            Add a passkey
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
          label={`New name of ${passkey.name}`}
          maxLength={64}
          required
          autoFocus
          flex={1}
          {...form.getInputProps("name")}
        />
        <Button type="submit" variant="default" loading={isSending}>
          Save
        </Button>
      </Group>
      <ProblemAlert problem={problem} />
    </form>
  );
}
