import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { useCurrencies } from "../../api/lookups.ts";
import { useMe } from "../../api/me.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ReasonInput } from "../../components/reason-input.tsx";
import { RefundForm } from "../../components/refund-form.tsx";
import { tagKindOf } from "../../components/tag-kinds.ts";
import { isReturned } from "../../components/transfer-badge.tsx";
import { messageText } from "../../language/message-text.ts";
import { t } from "../../language/t.ts";

type Held = {
  readonly id: string;
  readonly attributes: {
    readonly status: number;
    readonly op_type: number;
    readonly message: string | null;
  };
  readonly relationships: { readonly currency: { readonly data: { readonly id: string } | null } };
};

/** A transfer held by screening, with the operator's actions; null for other transfers. */
export function HeldTransfer({ transfer }: { readonly transfer: Held }) {
  const isOperator = useMe()?.operates_deployment === true;
  const [reason, setReason] = useState("");
  const queries = useQueryClient();
  const currencies = useCurrencies();
  const [isReleasing, releasing] = useDisclosure(false);
  const [isReturning, returning] = useDisclosure(false);
  const { attributes, id } = transfer;
  if (attributes.status !== -2) return null;
  const isPayment = attributes.op_type === 1 || attributes.op_type === 15;
  const wasReturned = isReturned(transfer);
  const refundTitle = t("Refund transfer {id}", { id });
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: ["transfer", id] });
    void queries.invalidateQueries({ queryKey: ["deposit"] });
    void queries.invalidateQueries({ queryKey: ["held-transfer"] });
  };
  return (
    <Alert color={wasReturned ? "gray" : "red"} title={titleOf(transfer)}>
      <Stack gap="sm">
        <Text size="sm">
          {attributes.message === null
            ? t("Screening rated the counterparty as high risk.")
            : messageText(attributes.message)}{" "}
          {isOperator || wasReturned ? "" : t("Only your operator can release or refund it.")}
        </Text>
        {!isOperator || wasReturned ? null : (
          <Group>
            <Button size="xs" onClick={releasing.open}>
              {t("Release")}
            </Button>
            {isPayment ? (
              <Button size="xs" variant="default" onClick={returning.open}>
                {t("Refund")}
              </Button>
            ) : null}
          </Group>
        )}
      </Stack>
      <ConfirmDialog
        isOpen={isReleasing}
        onClose={releasing.close}
        title={t("Release transfer {id}?", { id })}
        action={t("Release")}
        act={() => api.post("/transfer/{id}/release/", { id, attributes: { reason } })}
        onDone={refresh}
      >
        <Text mb="sm">{t("The transfer is processed as if screening had approved it.")}</Text>
        <ReasonInput reason={reason} onChange={setReason} />
      </ConfirmDialog>
      {isReturning ? (
        <Dialog opened onClose={returning.close} title={refundTitle} size="lg">
          <Stack>
            <ReasonInput reason={reason} onChange={setReason} />
            <RefundForm
              name={`transfer-${id}`}
              tagKind={tagKindOf(currencies, transfer.relationships.currency.data?.id ?? null)}
              suggestion={null}
              quote={({ address, ...tag }, signal) =>
                api.post("/transfer/{id}/return/calculate/", {
                  id,
                  signal,
                  attributes: { to_address: address, ...tag },
                })
              }
              complete={(attributes) => ({ ...attributes, reason })}
              send={(attributes, key) =>
                api.post("/transfer/{id}/return/", { id, attributes, ...key })
              }
              onClose={returning.close}
              onDone={refresh}
            />
          </Stack>
        </Dialog>
      ) : null}
    </Alert>
  );
}

function titleOf(transfer: Held): string {
  const { id } = transfer;
  return isReturned(transfer)
    ? t("Transfer {id} was refunded", { id })
    : t("Transfer {id} needs review", { id });
}
