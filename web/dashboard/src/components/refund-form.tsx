import { Alert, Anchor, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SluiceError } from "../../../../client/src/sluice-error.ts";
import { DialogForm } from "./dialog-form.tsx";
import type { FeeSpeed } from "./fee-speed-choice.tsx";
import { ErrorAlert } from "./problem-alert.tsx";
import { type Quoted, RefundQuote } from "./refund-quote.tsx";
import { fieldOfPointer } from "./split-errors.ts";
import { TravelRuleFields } from "./travel-rule-fields.tsx";
import {
  emptyPerson,
  fieldOfPersonPointer,
  type TravelRule,
  travelRuleOf,
} from "./travel-rule-person.ts";
import { useApiForm } from "./use-api-form.ts";

/** What the service needs to send a refund. */
export type RefundRequest = {
  readonly address: string;
  /** Null for refunds inside the service. */
  readonly feeAmount: string | null;
  readonly travelRule: TravelRule;
};

/**
 * Collects the refund address and the recipient, shows the current fee, and creates the payout. `quote` and `send` name the money to
 * refund; `name` identifies it in the query cache.
 */
export function RefundForm({
  name,
  payerAddress,
  isSettled = true,
  quote,
  send,
  onClose,
  onDone,
}: {
  readonly name: string;
  /** The refund address that the payer provided; null if there is none. */
  readonly payerAddress: string | null;
  /** False while other input that the quote depends on is still changing, so that the shown quote is outdated. */
  readonly isSettled?: boolean;
  readonly quote: (address: string, signal: AbortSignal) => Promise<Quoted>;
  readonly send: (order: RefundRequest) => Promise<Pick<Quoted, "meta">>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const [prefilled] = useState(payerAddress);
  const [speed, setSpeed] = useState<FeeSpeed>("medium");
  const [typed, setTyped] = useState(payerAddress ?? "");
  const [address] = useDebouncedValue(typed.trim(), 400);
  const quoted = useQuery({
    queryKey: ["refund-quote", name, address],
    queryFn: ({ signal }) => quote(address, signal),
    enabled: address.length >= 20,
    refetchInterval: 20_000,
  });
  const { form, ...sending } = useApiForm({
    initialValues: { ...emptyPerson, address: payerAddress ?? "" },
    onValuesChange: (values) => {
      setTyped(values.address);
    },
    fieldOf: (pointer) => fieldOfPersonPointer(pointer) ?? fieldOfPointer(pointer),
    send: ({ address: to, ...person }) => {
      const fee = quoted.data?.data.attributes;
      return send({
        address: to.trim(),
        feeAmount: fee === undefined || fee.is_internal ? null : fee.fee[speed],
        travelRule: travelRuleOf(person),
      });
    },
    onDone: ({ meta }) => {
      onDone();
      onClose();
      notifications.show({
        title: "Refund sent",
        message: <PayoutLink id={String(meta["payout_id"])} />,
        autoClose: 15_000,
      });
    },
  });
  const addressError = addressErrorOf(quoted.error);
  return (
    <DialogForm
      {...sending}
      action="Send refund"
      dismissal="Close"
      // Only what was quoted is sent: never the fee or the amount of an earlier input.
      canSend={quoted.data !== undefined && isSettled && typed.trim() === address}
      onClose={onClose}
    >
      {prefilled === null ? null : (
        <Alert color="blue" title="The payer provided a refund address">
          It is filled in below. For large amounts, confirm it with the payer.
        </Alert>
      )}
      <TextInput
        label="Refund address"
        description="Ask the payer. Payments from an exchange often can't be returned to the sending address."
        required
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("address")}
        error={form.errors["address"] ?? addressError}
      />
      <RefundQuote quoted={quoted.data ?? null} speed={speed} onSpeed={setSpeed} />
      <ErrorAlert error={addressError === null ? quoted.error : null} />
      <TravelRuleFields form={form} />
    </DialogForm>
  );
}

/** Notifications are rendered outside the router, so this is a plain link. */
function PayoutLink({ id }: { readonly id: string }) {
  return (
    <Text size="sm">
      Sent by{" "}
      <Anchor href={`/ui/payouts/${id}`} size="sm" underline="always">
        payout {id}
      </Anchor>
      .
    </Text>
  );
}

function addressErrorOf(error: Error | null): string | null {
  if (!(error instanceof SluiceError)) return null;
  const found = error.errors.find(
    ({ source }) => source?.pointer === "/data/attributes/to_address",
  );
  return found?.detail ?? null;
}
