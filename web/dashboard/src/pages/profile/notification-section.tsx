import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import type { Me } from "../../api/me.ts";
import { describeProblem } from "../../api/problem.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { Section } from "../../components/section.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { t } from "../../language/t.ts";

const key = ["notification-settings"];

const load = async (signal: AbortSignal) =>
  (await api.get("/notification-settings/", { signal })).data.attributes;

type Settings = Awaited<ReturnType<typeof load>>;
type Topic = Settings["topics"][number];

const topics: readonly {
  readonly value: Topic;
  readonly label: string;
  readonly operators?: true;
}[] = [
  { value: "paid", label: t("A deposit is paid") },
  { value: "on_hold", label: t("A payment or payout is on hold") },
  {
    value: "approval_waiting",
    label: t("A payout or a change of payout protection needs approval"),
  },
  { value: "webhook_failing", label: t("Webhook deliveries fail") },
  { value: "payouts_stopped", label: t("Payouts are stopped") },
  {
    value: "node_down",
    label: t("A blockchain node doesn't answer, or answers again"),
    operators: true,
  },
];

/** What the member is notified by email, and at which address. */
export function NotificationSection({ me }: { readonly me: Me }) {
  const settings = useQuery({ queryKey: key, queryFn: ({ signal }) => load(signal) });
  if (settings.data === undefined) return null;
  return (
    <Section title={t("Notifications")}>
      {settings.data.sends_email ? (
        <Stack>
          <EmailForm settings={settings.data} />
          <TopicList settings={settings.data} isOperator={me.operates_deployment} />
        </Stack>
      ) : (
        <Text c="dimmed">{t("This deployment doesn't send email.")}</Text>
      )}
    </Section>
  );
}

function EmailForm({ settings }: { readonly settings: Settings }) {
  const queries = useQueryClient();
  const { form, submit, isSending, problem } = useApiForm<{ email: string }, Settings>({
    initialValues: { email: settings.pending_email ?? settings.email ?? "" },
    send: async ({ email }) => {
      const attributes = { email: email.trim() === "" ? null : email.trim() };
      const { data } = await withReauthentication(() =>
        api.patch("/notification-settings/", { attributes }),
      );
      return data.attributes;
    },
    onDone: (saved) => {
      queries.setQueryData(key, saved);
      notifications.show({
        title: saved.pending_email === null ? t("Email saved") : t("Check your inbox"),
        message:
          saved.pending_email === null
            ? t("You get no email without an address.")
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

function TopicList({
  settings,
  isOperator,
}: {
  readonly settings: Settings;
  readonly isOperator: boolean;
}) {
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: async (chosen: readonly Topic[]) =>
      (await api.patch("/notification-settings/", { attributes: { topics: [...chosen] } })).data
        .attributes,
    meta: { isShownByForm: true },
    // Quick clicks are saved one after the other, so the last one wins.
    scope: { id: "notification-topics" },
    onSuccess: (saved) => {
      queries.setQueryData(key, saved);
    },
  });
  // A click shows in the same frame, and falls back if the service refuses.
  const [clicked, setClicked] = useState<readonly Topic[] | null>(null);
  const chosen = clicked ?? settings.topics;
  return (
    <Stack gap="xs">
      <Checkbox.Group
        label={t("Email me when")}
        value={[...chosen]}
        onChange={(values) => {
          setClicked(values);
          saving.mutate(values, {
            onSettled: () => {
              setClicked(null);
            },
          });
        }}
      >
        <Stack gap="xs" mt="xs">
          {topics
            .filter(({ operators }) => operators !== true || isOperator)
            .map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
        </Stack>
      </Checkbox.Group>
      <ProblemAlert problem={saving.error === null ? null : describeProblem(saving.error)} />
    </Stack>
  );
}
