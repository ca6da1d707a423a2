import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import type { Me } from "../../api/me.ts";
import { CodeText } from "../../components/code-text.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useAction } from "../../components/use-action.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";

type Enrollment = { readonly id: string; readonly secret: string; readonly uri: string };

/** The authenticator app. */
export function TotpSection({ me }: { readonly me: Me }) {
  const queryClient = useQueryClient();
  const [enrollment, setEnrollment] = useState<Enrollment | null>(null);
  const [isRemoving, setIsRemoving] = useState(false);
  const app = useQuery({
    queryKey: ["totp"],
    queryFn: async ({ signal }) => (await api.list("/totp/", { signal })).data[0] ?? null,
  });
  const starting = useAction({
    mutationFn: () => withReauthentication(() => api.post("/totp/")),
    onSuccess: ({ data: { id, attributes } }) => {
      setEnrollment({ id, secret: attributes.secret ?? "", uri: attributes.uri ?? "" });
    },
  });
  const isOn = me.has_totp;
  return (
    <Section
      title={t("Authenticator app")}
      action={
        isOn ? (
          <Button
            variant="default"
            onClick={() => {
              setIsRemoving(true);
            }}
          >
            {t("Remove app")}
          </Button>
        ) : (
          <Button
            loading={starting.isPending}
            onClick={() => {
              starting.mutate();
            }}
          >
            {t("Set up app")}
          </Button>
        )
      }
    >
      <Group gap="sm">
        <StatusBadge tone={isOn ? "good" : "neutral"} label={isOn ? t("On") : t("Off")} />
        <Text>
          {isOn ? (
            <>
              {rich("Signing in requires a code from your app. Set up {time}.", {
                time: <TimeText value={app.data?.attributes.confirmed_at ?? null} />,
              })}
            </>
          ) : (
            t("Require a six-digit code from an app on your phone when you sign in.")
          )}
        </Text>
      </Group>
      <Dialog
        opened={enrollment !== null}
        onClose={() => {
          setEnrollment(null);
        }}
        title={t("Set up authenticator app")}
      >
        {enrollment === null ? null : (
          <EnrollmentForm
            enrollment={enrollment}
            onDone={() => {
              setEnrollment(null);
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
      title={t("Remove authenticator app?")}
      action={t("Remove app")}
      isDangerous
      act={() => withReauthentication(() => api.delete("/totp/{id}/", { id: id ?? "" }))}
      onDone={() => {
        void queryClient.invalidateQueries();
      }}
    >
      {t("Signing in will no longer require a code.")}
    </ConfirmDialog>
  );
}

function EnrollmentForm({
  enrollment,
  onDone,
}: {
  readonly enrollment: Enrollment;
  readonly onDone: () => void;
}) {
  const { form, submit, isSending, problem } = useApiForm({
    initialValues: { code: "" },
    send: ({ code }) =>
      withReauthentication(() =>
        api.post("/totp/{id}/confirm/", { id: enrollment.id, attributes: { code } }),
      ),
    onDone,
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{t("Scan this code with your authenticator app, or enter the key manually.")}</Text>
        <div className="totp-code">
          <QrCode value={enrollment.uri} label={t("QR code for the authenticator app")} />
        </div>
        <CodeText value={enrollment.secret} label="key" />
        <TextInput
          label={t("Code from the app")}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          data-autofocus
          {...form.getInputProps("code")}
        />
        <ProblemAlert problem={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={isSending}>
            {t("Turn on")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
