import { Button, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import type { Me } from "../../api/me.ts";
import { confirmed } from "../../components/confirmed.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { useAction } from "../../components/use-action.ts";

/** Codes for the day on which the phone is lost. */
export function RecoverySection({ me }: { readonly me: Me }) {
  const queryClient = useQueryClient();
  const making = useAction({
    mutationFn: () => confirmed(() => api.post("/recovery-code/")),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["me"] }),
  });
  const codes = making.data?.data.attributes.codes ?? [];
  const left = me.recovery_codes_left;
  return (
    <Section
      title="Recovery codes"
      action={
        <Button
          variant={left === 0 ? "filled" : "default"}
          loading={making.isPending}
          onClick={() => {
            making.mutate();
          }}
        >
          {left === 0 ? "Make recovery codes" : "Make new ones"}
        </Button>
      }
    >
      <Stack gap="sm" align="flex-start">
        <StatusBadge
          tone={left === 0 ? "attention" : left < 4 ? "attention" : "good"}
          label={`${left} left`}
        />
        <Text>
          Each stands in once for the app or the passkey. Without them, and without your phone, an
          Owner has to let you in anew.
        </Text>
      </Stack>
      <Modal
        opened={codes.length > 0}
        onClose={() => {
          making.reset();
        }}
        title="Your recovery codes"
      >
        <Stack>
          <Text>
            Keep them where you find them without your phone: they are not shown again. Those from
            before are worth nothing any more.
          </Text>
          <ol className="recovery-codes" aria-label="Recovery codes">
            {codes.map((code) => (
              <li key={code} className="code-text">
                {code}
              </li>
            ))}
          </ol>
          <CopyButton value={codes.join("\n")} label="Copy all codes" />
        </Stack>
      </Modal>
    </Section>
  );
}
