import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { OneTimeSecrets } from "../../components/one-time-secrets.tsx";
import { Section } from "../../components/section.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useAction } from "../../components/use-action.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";

const graces = [
  { value: "24", label: t("Stays valid for 1 day") },
  { value: "168", label: t("Stays valid for 1 week") },
  { value: "0", label: t("Stops working immediately (if the secret was leaked)") },
];

/** The secret that endpoints verify callbacks with (Standard Webhooks). */
export function WebhookSecretSection() {
  const [secret, setSecret] = useState<string | null>(null);
  const [isRotating, setIsRotating] = useState(false);
  const revealing = useAction({
    mutationFn: () => withReauthentication(() => api.post("/webhook-secret/show/")),
    onSuccess: ({ data }) => {
      setSecret(data.attributes.secret ?? null);
    },
  });
  return (
    <Section
      title={t("Webhook secret")}
      action={
        <Group gap="sm">
          <Button
            variant="default"
            loading={revealing.isPending}
            onClick={() => {
              revealing.mutate();
            }}
          >
            {t("Reveal")}
          </Button>
          <Button
            variant="default"
            // A rotation now would reveal the previous secret.
            disabled={revealing.isPending}
            onClick={() => {
              setIsRotating(true);
            }}
          >
            {t("Rotate")}
          </Button>
        </Group>
      }
    >
      <Stack>
        <Text>{t("Verify webhooks with this secret (Standard Webhooks).")}</Text>
        <RotationStatus />
        {secret === null ? null : (
          <OneTimeSecrets
            title={t("Webhook secret")}
            secrets={[{ label: t("Secret"), kind: "secret", value: secret }]}
          >
            {t(
              "Anyone with this secret can forge webhooks. Revealing it is recorded in the audit log.",
            )}
          </OneTimeSecrets>
        )}
      </Stack>
      <RotationDialog
        isOpen={isRotating}
        onClose={() => {
          setIsRotating(false);
        }}
        onSecret={setSecret}
      />
    </Section>
  );
}

/** The time of the last rotation, and whether the previous secret is still active. */
function RotationStatus() {
  const state = useQuery({
    queryKey: ["webhook-secret"],
    queryFn: async ({ signal }) => (await api.get("/webhook-secret/", { signal })).data.attributes,
  });
  const { rotated_at: rotatedAt = null, former_until: formerUntil = null } = state.data ?? {};
  const previous =
    rotatedAt === null ? (
      t("None|secret")
    ) : formerUntil === null ? (
      t("Inactive|secret")
    ) : (
      <>{rich("Active until {time}", { time: <TimeText value={formerUntil} /> })}</>
    );
  return (
    <DetailList
      details={[
        {
          label: t("Last rotated"),
          value: rotatedAt === null ? t("Never") : <TimeText value={rotatedAt} />,
        },
        { label: t("Previous secret"), value: previous },
      ]}
    />
  );
}

function RotationDialog({
  isOpen,
  onClose,
  onSecret,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSecret: (secret: string | null) => void;
}) {
  const queryClient = useQueryClient();
  const [grace, setGrace] = useState("24");
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t("Rotate the webhook secret?")}
      action={t("Rotate")}
      act={async () => {
        const { data } = await withReauthentication(() =>
          api.post("/webhook-secret/rotate/", { attributes: { grace_hours: Number(grace) } }),
        );
        onSecret(data.attributes.secret ?? null);
      }}
      onDone={() => void queryClient.invalidateQueries({ queryKey: ["webhook-secret"] })}
    >
      <Stack>
        <Text>
          {t(
            "While both secrets are valid, each webhook carries two signatures, so endpoints can verify it with either secret.",
          )}
        </Text>
        <NativeSelect
          label={t("Previous secret")}
          data={graces}
          value={grace}
          onChange={({ currentTarget }) => {
            setGrace(currentTarget.value);
          }}
        />
      </Stack>
    </ConfirmDialog>
  );
}
