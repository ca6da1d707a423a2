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

const graces = [
  { value: "24", label: "Stays valid for 1 day" },
  { value: "168", label: "Stays valid for 1 week" },
  { value: "0", label: "Stops working immediately (if the secret was leaked)" },
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
      title="Webhook secret"
      action={
        <Group gap="sm">
          <Button
            variant="default"
            loading={revealing.isPending}
            onClick={() => {
              revealing.mutate();
            }}
          >
            Reveal
          </Button>
          <Button
            variant="default"
            // A rotation now would reveal the previous secret.
            disabled={revealing.isPending}
            onClick={() => {
              setIsRotating(true);
            }}
          >
            Rotate
          </Button>
        </Group>
      }
    >
      <Stack>
        <Text>Verify callbacks with this secret (Standard Webhooks).</Text>
        <RotationStatus />
        {secret === null ? null : (
          <OneTimeSecrets title="Webhook secret" secrets={[{ label: "Secret", value: secret }]}>
            Anyone with this secret can forge callbacks. Revealing it is recorded in the audit log.
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
      "None"
    ) : formerUntil === null ? (
      "Inactive"
    ) : (
      <>
        Active until <TimeText value={formerUntil} />
      </>
    );
  return (
    <DetailList
      details={[
        {
          label: "Last rotated",
          value: rotatedAt === null ? "Never" : <TimeText value={rotatedAt} />,
        },
        { label: "Previous secret", value: previous },
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
      title="Rotate the webhook secret?"
      action="Rotate"
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
          While both secrets are valid, each callback carries two signatures, so endpoints can
          verify it with either secret.
        </Text>
        <NativeSelect
          label="Previous secret"
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
