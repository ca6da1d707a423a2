import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import type { Me } from "../../api/me.ts";
import { CodeText } from "../../components/code-text.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { confirmed } from "../../components/confirmed.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useAction } from "../../components/use-action.ts";
import { useApiForm } from "../../components/use-api-form.ts";

type Enrolment = { readonly id: string; readonly secret: string; readonly uri: string };

/** The authenticator app. */
export function TotpSection({ me }: { readonly me: Me }) {
  const queryClient = useQueryClient();
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [isRemoving, setIsRemoving] = useState(false);
  const app = useQuery({
    queryKey: ["totp"],
    queryFn: async ({ signal }) => (await api.list("/totp/", { signal })).data[0] ?? null,
  });
  const beginning = useAction({
    mutationFn: () => confirmed(() => api.post("/totp/")),
    onSuccess: ({ data: { id, attributes } }) => {
      setEnrolment({ id, secret: attributes.secret ?? "", uri: attributes.uri ?? "" });
    },
  });
  const isOn = me.has_totp;
  return (
    <Section
      title="Authenticator app"
      action={
        isOn ? (
          <Button
            variant="default"
            onClick={() => {
              setIsRemoving(true);
            }}
          >
            Remove the app
          </Button>
        ) : (
          <Button
            loading={beginning.isPending}
            onClick={() => {
              beginning.mutate();
            }}
          >
            Set up an app
          </Button>
        )
      }
    >
      <Group gap="sm">
        <StatusBadge tone={isOn ? "good" : "neutral"} label={isOn ? "On" : "Off"} />
        <Text>
          {isOn ? (
            <>
              A code of the app is asked for after the password. Set up{" "}
              <TimeText value={app.data?.attributes.confirmed_at ?? null} />.
            </>
          ) : (
            "An app on your phone shows six digits that change every half a minute."
          )}
        </Text>
      </Group>
      <Dialog
        opened={enrolment !== null}
        onClose={() => {
          setEnrolment(null);
        }}
        title="Set up an authenticator app"
      >
        {enrolment === null ? null : (
          <EnrolmentForm
            enrolment={enrolment}
            onDone={() => {
              setEnrolment(null);
              void queryClient.invalidateQueries();
            }}
          />
        )}
      </Dialog>
      <RemovalDialog
        id={isRemoving ? (app.data?.id ?? null) : null}
        onClose={() => {
          setIsRemoving(false);
        }}
      />
    </Section>
  );
}

function RemovalDialog({
  id,
  onClose,
}: {
  /** Null: closed. */
  readonly id: string | null;
  readonly onClose: () => void;
}) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      isOpen={id !== null}
      onClose={onClose}
      title="Remove the app?"
      action="Remove it"
      isDangerous
      act={() => confirmed(() => api.delete("/totp/{id}/", { id: id ?? "" }))}
      onDone={() => {
        void queryClient.invalidateQueries();
      }}
    >
      Its codes are no longer asked for when you sign in.
    </ConfirmDialog>
  );
}

function EnrolmentForm({
  enrolment,
  onDone,
}: {
  readonly enrolment: Enrolment;
  readonly onDone: () => void;
}) {
  const { form, submit, isSending, problem } = useApiForm({
    initialValues: { code: "" },
    send: ({ code }) =>
      confirmed(() => api.post("/totp/{id}/confirm/", { id: enrolment.id, attributes: { code } })),
    onDone,
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>Scan this with the app, or type the key into it.</Text>
        <div className="totp-code">
          <QrCode value={enrolment.uri} label="QR code of the app's key" />
        </div>
        <CodeText value={enrolment.secret} label="the key" />
        <TextInput
          label="Code that the app shows"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          data-autofocus
          {...form.getInputProps("code")}
        />
        <ProblemAlert problem={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={isSending}>
            Turn it on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
