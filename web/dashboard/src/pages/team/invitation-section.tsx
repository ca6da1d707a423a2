import { Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { roleName } from "../../components/role-names.ts";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useAction } from "../../components/use-action.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";

const loadOpen = async (signal: AbortSignal) =>
  (await Array.fromAsync(api.each("/invitation/", { signal }))).filter(
    ({ attributes }) => attributes.state !== "accepted",
  );

type OpenInvitation = Awaited<ReturnType<typeof loadOpen>>[number];

/** People who were invited and have not joined yet; nothing where there are none. */
export function InvitationSection() {
  const queries = useQueryClient();
  const [withdrawing, setWithdrawing] = useState<OpenInvitation | null>(null);
  const invitations = useQuery({
    queryKey: ["invitations"],
    queryFn: ({ signal }) => loadOpen(signal),
  });
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: ["invitations"] });
  };
  const open = invitations.data ?? [];
  return (
    <>
      {open.length === 0 ? null : (
        <Section title={t("Invitations")}>
          <ul className="plain-list" aria-label={t("Open invitations")}>
            {open.map((invitation) => (
              <li key={invitation.id}>
                <Group justify="space-between">
                  <Stack gap={2}>
                    <Text fw={600}>{invitation.attributes.name}</Text>
                    <Text size="sm" c="dimmed">
                      {invitation.attributes.email}, {roleName(invitation.attributes.role)}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {rich(
                        invitation.attributes.state === "expired"
                          ? "Expired {time}"
                          : "Expires {time}",
                        { time: <TimeText value={invitation.attributes.expired_at} /> },
                      )}
                    </Text>
                  </Stack>
                  <Group gap="xs">
                    {invitation.attributes.state === "expired" ? (
                      <StatusBadge tone="attention" label={t("Expired")} />
                    ) : (
                      <StatusBadge tone="waiting" label={t("Pending|invitation")} />
                    )}
                    <ResendButton invitation={invitation} onDone={refresh} />
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={t("Withdraw the invitation of {name}", {
                        name: invitation.attributes.name,
                      })}
                      onClick={() => {
                        setWithdrawing(invitation);
                      }}
                    >
                      {t("Withdraw")}
                    </Button>
                  </Group>
                </Group>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <ConfirmDialog
        isOpen={withdrawing !== null}
        onClose={() => {
          setWithdrawing(null);
        }}
        title={t("Withdraw the invitation of {name}?", {
          name: withdrawing?.attributes.name ?? "",
        })}
        action={t("Withdraw invitation")}
        isDangerous
        act={() =>
          withReauthentication(() => api.delete("/invitation/{id}/", { id: withdrawing?.id ?? "" }))
        }
        onDone={refresh}
      >
        {t("The link in the email stops working.")}
      </ConfirmDialog>
    </>
  );
}

function ResendButton({
  invitation: { id, attributes },
  onDone,
}: {
  readonly invitation: OpenInvitation;
  readonly onDone: () => void;
}) {
  const resending = useAction({
    mutationFn: () => withReauthentication(() => api.post("/invitation/{id}/resend/", { id })),
    onSuccess: () => {
      notifications.show({
        title: t("Invitation sent"),
        message: t("A new link is on its way to {email}. The earlier one no longer works.", {
          email: attributes.email,
        }),
        color: "lagoon",
      });
      onDone();
    },
  });
  return (
    <Button
      variant="default"
      size="xs"
      loading={resending.isPending}
      aria-label={t("Send again: invitation of {name}", { name: attributes.name })}
      onClick={() => {
        resending.mutate();
      }}
    >
      {t("Send again")}
    </Button>
  );
}
