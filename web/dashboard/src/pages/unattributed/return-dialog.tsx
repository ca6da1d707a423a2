import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Unattributed } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { useCurrencies } from "../../api/lookups.ts";
import { Dialog } from "../../components/dialog.tsx";
import { ReasonInput } from "../../components/reason-input.tsx";
import { RefundForm } from "../../components/refund-form.tsx";
import { returnWords } from "../../components/refund-words.ts";
import { tagKindOf } from "../../components/tag-kinds.ts";
import { t } from "../../language/t.ts";

/** Returns an unattributed payment with a payout of the operator's account. */
export function ReturnDialog({
  payment: { id, attributes, relationships },
  onClose,
  onDone,
}: {
  readonly payment: Unattributed;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const [reason, setReason] = useState("");
  const currencies = useCurrencies();
  const [sender, ...others] = new Set(attributes.from_addresses);
  return (
    <Dialog opened onClose={onClose} title={t("Return payment {id}", { id })} size="lg">
      <Stack>
        <Text size="sm">
          {t(
            "A payout of your account sends the money back. It is screened and approved like any other payout and passes through your account's Enterprise wallet of the currency.",
          )}
        </Text>
        <ReasonInput reason={reason} onChange={setReason} />
        <RefundForm
          name={`unattributed-${id}`}
          words={returnWords}
          tagKind={tagKindOf(currencies, relationships.currency.data.id)}
          suggestion={
            sender === undefined || others.length > 0
              ? null
              : {
                  address: sender,
                  tag: null,
                  title: t("The sending address is filled in"),
                  text: t(
                    "Return to it only if it belongs to the payer. Exchanges send from accounts that their customers share.",
                  ),
                }
          }
          isSettled={reason.trim() !== ""}
          quote={({ address, ...tag }, signal) =>
            api.post("/unattributed/{id}/return/calculate/", {
              id,
              signal,
              attributes: { to_address: address, ...tag },
            })
          }
          complete={(members) => ({ ...members, reason: reason.trim() })}
          send={(members, key) =>
            api.post("/unattributed/{id}/return/", { id, attributes: members, ...key })
          }
          onClose={onClose}
          onDone={onDone}
        />
      </Stack>
    </Dialog>
  );
}
