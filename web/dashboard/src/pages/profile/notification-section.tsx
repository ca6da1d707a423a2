import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import type { Me } from "../../api/me.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { t } from "../../language/t.ts";
import { BrowserList } from "./browser-list.tsx";
import { type NotificationSettings, notificationSettingsQuery } from "./notification-settings.ts";
import { TopicTable } from "./topic-table.tsx";

type Saved = Omit<NotificationSettings, "memberId">;

/** What the member is notified by email and in its browsers, and where. */
export function NotificationSection({ me }: { readonly me: Me }) {
  const queries = useQueryClient();
  const settings = useQuery(notificationSettingsQuery).data;
  if (settings === undefined) return null;
  const { sends_email, push_key, memberId } = settings;
  const keep = (saved: Saved): void => {
    queries.setQueryData(notificationSettingsQuery.queryKey, { ...saved, memberId });
  };
  return (
    <Section title={t("Notifications")}>
      {sends_email || push_key !== null ? (
        <Stack>
          {sends_email ? <EmailForm settings={settings} keep={keep} /> : null}
          <TopicTable
            settings={settings}
            isOperator={me.operates_deployment}
            save={async (chosen) => {
              const attributes = Object.fromEntries(
                Object.entries(chosen).map(([member, topics]) => [member, [...topics]]),
              );
              keep((await api.patch("/notification-settings/", { attributes })).data.attributes);
            }}
          />
          {push_key === null ? null : (
            <>
              <Title order={3} size="h5">
                {t("Notifications in browsers")}
              </Title>
              <BrowserList pushKey={push_key} memberId={memberId} />
            </>
          )}
        </Stack>
      ) : (
        <Text c="dimmed">{t("This deployment sends no notifications.")}</Text>
      )}
    </Section>
  );
}

function EmailForm({
  settings,
  keep,
}: {
  readonly settings: NotificationSettings;
  readonly keep: (saved: Saved) => void;
}) {
  const { form, submit, isSending, problem } = useApiForm<{ email: string }, Saved>({
    initialValues: { email: settings.pending_email ?? settings.email ?? "" },
    send: async ({ email }) => {
      const attributes = { email: email.trim() === "" ? null : email.trim() };
      const { data } = await withReauthentication(() =>
        api.patch("/notification-settings/", { attributes }),
      );
      return data.attributes;
    },
    onDone: (saved) => {
      keep(saved);
      notifications.show({
        title: saved.pending_email === null ? t("Email saved") : t("Check your inbox"),
        message:
          saved.pending_email === null
            ? t("Without an address, you don't receive emails.")
            : t("Open the link that was sent to {email}.", {
                email: saved.pending_email,
              }),
        color: "lagoon",
      });
    },
  });
  return (
    <form onSubmit={submit}>
      <Stack maw={480} gap="sm">
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t("Email")}
            type="email"
            autoComplete="email"
            flex="1 1 14rem"
            {...form.getInputProps("email")}
          />
          <Button type="submit" variant="default" loading={isSending}>
            {t("Save email")}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {settings.pending_email === null
            ? settings.email === null
              ? t("Add an address to get notifications and to reset your password by email.")
              : t("Notifications and password resets go to {email}.", { email: settings.email })
            : t("Not confirmed yet: open the link that was sent to {email}.", {
                email: settings.pending_email,
              })}
        </Text>
        <ProblemAlert problem={problem} />
      </Stack>
    </form>
  );
}
