import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { confirmed } from "../../components/confirmed.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { Section } from "../../components/section.tsx";
import { ShownOnce } from "../../components/shown-once.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useAction } from "../../components/use-action.ts";

const graces = [
  { value: "24", label: "Both sign for a day" },
  { value: "168", label: "Both sign for a week" },
  { value: "0", label: "The old one stops at once: it became known to others" },
];

/** The secret by which receivers check whole callbacks (Standard Webhooks). */
export function WebhookSecretSection() {
  const [secret, setSecret] = useState<string | null>(null);
  const [isRotating, setIsRotating] = useState(false);
  const showing = useAction({
    mutationFn: () => confirmed(() => api.post("/webhook-secret/show/")),
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
            loading={showing.isPending}
            onClick={() => {
              showing.mutate();
            }}
          >
            Show it
          </Button>
          <Button
            variant="default"
            // What is being shown would be the one before.
            disabled={showing.isPending}
            onClick={() => {
              setIsRotating(true);
            }}
          >
            Change it
          </Button>
        </Group>
      }
    >
      <Stack>
        <Text>
          Callbacks carry a signature over their whole body by this secret, in the headers of
          Standard Webhooks.
        </Text>
        <RotationState />
        {secret === null ? null : (
          <ShownOnce title="The secret" secrets={[{ label: "Secret", value: secret }]}>
            Whoever has it can sign callbacks in the service's name. That it was shown is in the
            audit log.
          </ShownOnce>
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

/** When it was last changed, and whether the one before it still signs. */
function RotationState() {
  const state = useQuery({
    queryKey: ["webhook-secret"],
    queryFn: async ({ signal }) => (await api.get("/webhook-secret/", { signal })).data.attributes,
  });
  const { rotated_at: rotatedAt = null, former_until: formerUntil = null } = state.data ?? {};
  const former =
    formerUntil === null ? (
      "Does not sign"
    ) : (
      <>
        Signs too, until <TimeText value={formerUntil} />
      </>
    );
  return (
    <DetailList
      details={[
        {
          label: "Last changed",
          value: rotatedAt === null ? "Never" : <TimeText value={rotatedAt} />,
        },
        { label: "The one before it", value: former },
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
      title="Change the webhook secret?"
      action="Change it"
      act={async () => {
        const { data } = await confirmed(() =>
          api.post("/webhook-secret/rotate/", { attributes: { grace_hours: Number(grace) } }),
        );
        onSecret(data.attributes.secret ?? null);
      }}
      onDone={() => void queryClient.invalidateQueries({ queryKey: ["webhook-secret"] })}
    >
      <Stack>
        <Text>
          While both sign, each callback carries two signatures, and a receiver with either secret
          accepts it.
        </Text>
        <NativeSelect
          label="The old secret"
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
