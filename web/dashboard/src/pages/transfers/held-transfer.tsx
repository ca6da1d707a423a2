import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import type { Transfer } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { PayBackForm } from "../../components/pay-back-form.tsx";
import { useRole } from "../../components/use-role.ts";

/** A transfer that screening holds, and what its account's Owner can do about it; nothing for any other. */
export function HeldTransfer({ transfer }: { readonly transfer: Transfer }) {
  const { isOwner } = useRole();
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
  };
  return (
    <Alert color={wasReturned ? "gray" : "red"} title={`Transfer ${id} was held by screening`}>
      <Stack gap="sm">
        <Text size="sm">
          {attributes.message ?? "Screening found its other side too risky."}
          {isOwner || wasReturned
            ? ""
            : " Only the account's Owner can let it pass or send it back."}
        </Text>
        {!isOwner || wasReturned ? null : (
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
        act={() => api.post("/transfer/{id}/release/", { id })}
        onDone={refresh}
      >
        It goes on as if screening had found nothing.
      </ConfirmDialog>
      {isReturning ? (
        <Dialog opened onClose={returning.close} title="Pay it back" size="lg">
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
