import { Alert, Anchor, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PayoutCalculation } from "../../../../client/src/api-types.gen.ts";
import { SluiceError } from "../../../../client/src/sluice-error.ts";
import { DialogForm } from "./dialog-form.tsx";
import { PayBackQuote, type Speed } from "./pay-back-quote.tsx";
import { ErrorAlert } from "./problem-alert.tsx";
import { fieldOfPointer } from "./sort-errors.ts";
import { TravelRuleFields } from "./travel-rule-fields.tsx";
import {
  emptyPerson,
  fieldOfPersonPointer,
  type TravelRule,
  travelRuleOf,
} from "./travel-rule-person.ts";
import { useApiForm } from "./use-api-form.ts";

/** What the service is told of a payment that goes back. */
export type PayBackOrder = {
  readonly address: string;
  /** Null where the money stays inside the service. */
  readonly feeAmount: string | null;
  readonly travelRule: TravelRule;
};

type Answered = { readonly meta: Readonly<Record<string, unknown>> };
export type Quoted = Answered & { readonly data: PayoutCalculation };

/**
 * Asks where money goes back to and who receives it, shows what that costs now, and makes the payout. `quote` and `send` say which
 * money; `name` tells quotes of one from those of another.
 */
export function PayBackForm({
  name,
  payerAddress,
  isSettled = true,
  quote,
  send,
  onClose,
  onDone,
}: {
  readonly name: string;
  /** The address that the payer left; null: none. */
  readonly payerAddress: string | null;
  /** False while what else the quote depends on is being typed: what is shown is then of what stood there before. */
  readonly isSettled?: boolean;
  readonly quote: (address: string, signal: AbortSignal) => Promise<Quoted>;
  readonly send: (order: PayBackOrder) => Promise<Answered>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const [filledIn] = useState(payerAddress);
  const [speed, setSpeed] = useState<Speed>("medium");
  const [typed, setTyped] = useState(payerAddress ?? "");
  const [address] = useDebouncedValue(typed.trim(), 400);
  const quoted = useQuery({
    queryKey: ["pay-back-quote", name, address],
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
        title: "It goes back",
        message: <PayoutLink id={String(meta["payout_id"])} />,
        autoClose: 15_000,
      });
    },
  });
  const addressFault = faultOfAddress(quoted.error);
  return (
    <DialogForm
      {...sending}
      action="Pay it back"
      dismissal="Close"
      // What was quoted is what is sent: neither the fee nor the amount of what stood here before.
      canSend={quoted.data !== undefined && isSettled && typed.trim() === address}
      onClose={onClose}
    >
      {filledIn === null ? null : (
        <Alert color="blue" title="The payer left an address">
          It is filled in below. Check it with the payer where the amount matters.
        </Alert>
      )}
      <TextInput
        label="Address it goes back to"
        description="Ask the payer: money from an exchange often has to go elsewhere than where it came from."
        required
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("address")}
        error={form.errors["address"] ?? addressFault}
      />
      <PayBackQuote quoted={quoted.data ?? null} speed={speed} onSpeed={setSpeed} />
      <ErrorAlert error={addressFault === null ? quoted.error : null} />
      <TravelRuleFields form={form} />
    </DialogForm>
  );
}

/** Messages stand outside of the router: the link is a plain one. */
function PayoutLink({ id }: { readonly id: string }) {
  return (
    <Text size="sm">
      <Anchor href={`/ui/payouts/${id}`} size="sm" underline="always">
        Payout {id}
      </Anchor>{" "}
      carries it.
    </Text>
  );
}

function faultOfAddress(error: Error | null): string | null {
  if (!(error instanceof SluiceError)) return null;
  const fault = error.errors.find(
    ({ source }) => source?.pointer === "/data/attributes/to_address",
  );
  return fault?.detail ?? null;
}
