import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { useMe } from "../../api/me.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { PayBackForm } from "../../components/pay-back-form.tsx";

type Held = {
  readonly id: string;
  readonly attributes: {
    readonly status: number;
    readonly op_type: number;
    readonly message: string | null;
  };
};

/** A transfer that screening holds, and what those who operate the deployment can do about it; nothing for anyone else. */
export function HeldTransfer({ transfer }: { readonly transfer: Held }) {
  const isOperator = useMe()?.operates_deployment === true;
  const [reason, setReason] = useState("");
  const queries = useQueryClient();
  const [isReleasing, releasing] = useDisclosure(false);
  const [isReturning, returning] = useDisclosure(false);
  const { attributes, id } = transfer;
  if (attributes.status !== -2) return null;
  const isPayment = attributes.op_type === 1 || attributes.op_type === 15;
  const wasReturned = attributes.message?.startsWith("Paid back") === true;
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: ["transfer", id] });
    void queries.invalidateQueries({ queryKey: ["deposit"] });
    void queries.invalidateQueries({ queryKey: ["held-transfer"] });
  };
  return (
    <Alert color={wasReturned ? "gray" : "red"} title={`Transfer ${id} was held by screening`}>
      <Stack gap="sm">
        <Text size="sm">
          {attributes.message ?? "Screening found its other side too risky."}
          {isOperator || wasReturned
            ? ""
            : " Only those who operate this deployment can let it pass or send it back."}
        </Text>
        {!isOperator || wasReturned ? null : (
          <Group>
            <Button size="xs" onClick={releasing.open}>
              Let it pass
            </Button>
            {isPayment ? (
              <Button size="xs" variant="default" onClick={returning.open}>
                Pay it back
              </Button>
            ) : null}
          </Group>
        )}
      </Stack>
      <ConfirmDialog
        isOpen={isReleasing}
        onClose={releasing.close}
        title="Let it pass?"
        action="Let it pass"
        act={() => api.post("/transfer/{id}/release/", { id, attributes: { reason } })}
        onDone={refresh}
      >
        <Text mb="sm">It goes on as if screening had found nothing.</Text>
        <ReasonInput reason={reason} onChange={setReason} />
      </ConfirmDialog>
      {isReturning ? (
        <Dialog opened onClose={returning.close} title="Pay it back" size="lg">
          <ReasonInput reason={reason} onChange={setReason} />
          <PayBackForm
            name={`transfer-${id}`}
            payerAddress={null}
            quote={(address, signal) =>
              api.post("/transfer/{id}/return/calculate/", {
                id,
                signal,
                attributes: { to_address: address },
              })
            }
            send={({ address, feeAmount, travelRule }) =>
              api.post("/transfer/{id}/return/", {
                id,
                attributes: {
                  reason,
                  address,
                  fee_amount: feeAmount,
                  travel_rule_info: travelRule,
                },
              })
            }
            onClose={returning.close}
            onDone={refresh}
          />
        </Dialog>
      ) : null}
    </Alert>
  );
}

/** Why an operator decides as it does. */
function ReasonInput({
  reason,
  onChange,
}: {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
}) {
  return (
    <TextInput
      label="Reason"
      description="It stands in the audit logs of the account and of yours."
      required
      maxLength={256}
      value={reason}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
  );
}
