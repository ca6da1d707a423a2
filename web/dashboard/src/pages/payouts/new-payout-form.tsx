import { Alert, Button, Card, Group, Stack, Stepper } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { Payout, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { SluiceError } from "../../../../../client/src/sluice-error.ts";
import { describeProblem } from "../../api/problem.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { fieldOfPointer } from "../../components/sort-errors.ts";
import { fieldOfPersonPointer } from "../../components/travel-rule-person.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { AmountStep } from "./amount-step.tsx";
import { isAnswered } from "./is-answered.ts";
import { PayeeStep, type StepProps } from "./payee-step.tsx";
import { emptyPayout } from "./payout-draft.ts";
import { orderOf, type PayoutValues, payoutSteps, stepOfFields } from "./payout-order.ts";
import { ReceiverStep } from "./receiver-step.tsx";
import { rememberBeneficiary } from "./remember-beneficiary.ts";
import { ReviewStep } from "./review-step.tsx";
import { sendPayout } from "./send-payout.ts";
import { useOrder } from "./use-order.ts";

/** The steps of a payout. `draftKey` goes with whatever is sent from here: of all that is sent, one payout at most comes. */
export function NewPayoutForm({
  draftKey,
  wallets,
  walletId,
  beneficiaryId,
  onDone,
  onUnanswered,
}: {
  readonly draftKey: string;
  readonly wallets: readonly Wallet[];
  readonly walletId: string;
  readonly beneficiaryId: string;
  readonly onDone: (payout: Payout) => void;
  readonly onUnanswered: () => void;
}) {
  const [step, setStep] = useState(0);
  const [isRequoted, setRequoted] = useState(false);
  const { form, submit, isSending, problem } = useApiForm<PayoutValues, Payout>({
    initialValues: initialValues(wallets, walletId, beneficiaryId),
    fieldOf,
    send: async (values) => {
      const filled = { ...values, ...order.filled };
      // What was said of the sending before is over.
      setRequoted(false);
      try {
        return await sendPayout({ key: draftKey, order: orderOf(filled, order.facts) }, false);
      } catch (error) {
        setRequoted(error instanceof SluiceError && error.code === "4009");
        setStep((current) => stepOfFault(error) ?? current);
        order.quote.refresh();
        if (!isAnswered(error)) onUnanswered();
        throw error;
      }
    },
    onDone: (payout, values) => {
      remember(values, order.facts.isTravelRuleRequired);
      onDone(payout);
    },
  });
  const order = useOrder(form, wallets);
  const isLast = step === payoutSteps.length - 1;
  const goOn = (): void => {
    const faults = order.faultsOf(step);
    if (Object.keys(faults).length > 0) form.setErrors(faults);
    else setStep(step + 1);
  };
  return (
    <Card maw={760}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLast) goOn();
          else if (!isSending) submit(event);
        }}
      >
        <Steps {...{ step, setStep, form, wallets, order }} />
        <Stack mt="lg">
          {isRequoted ? (
            <Alert color="amber" role="alert" title="The network's fee has changed">
              It was quoted anew. Nothing was sent: look at the new fee and send again.
            </Alert>
          ) : (
            <ProblemAlert problem={problem} />
          )}
          <Group justify="flex-end">
            {step === 0 ? null : (
              <Button
                variant="default"
                onClick={() => {
                  setStep(step - 1);
                }}
              >
                Back
              </Button>
            )}
            <Button type="submit" loading={isSending} disabled={!order.isReady}>
              {isLast ? "Send" : "Go on"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

function Steps({
  step,
  setStep,
  form,
  wallets,
  order,
}: StepProps & {
  readonly step: number;
  readonly setStep: (step: number) => void;
  readonly wallets: readonly Wallet[];
}) {
  return (
    <Stepper
      active={step}
      onStepClick={setStep}
      allowNextStepsSelect={false}
      size="sm"
      classNames={{ steps: "steps", separator: "step-line" }}
    >
      <Stepper.Step label={payoutSteps[0]}>
        <PayeeStep form={form} wallets={wallets} order={order} />
      </Stepper.Step>
      <Stepper.Step label={payoutSteps[1]}>
        <AmountStep form={form} order={order} />
      </Stepper.Step>
      <Stepper.Step label={payoutSteps[2]}>
        <ReceiverStep form={form} order={order} />
      </Stepper.Step>
      <Stepper.Step label={payoutSteps[3]}>
        <ReviewStep form={form} order={order} />
      </Stepper.Step>
    </Stepper>
  );
}

function fieldOf(pointer: string): string | null {
  return fieldOfPersonPointer(pointer) ?? fieldOfPointer(pointer);
}

/** Where the first fault is shown; null where none has a field. A fee that moved on is shown with the new one. */
function stepOfFault(error: unknown): number | null {
  if (!(error instanceof SluiceError) || error.code === "4009") return null;
  return stepOfFields(error.errors.flatMap(({ source }) => fieldOf(source?.pointer ?? "") ?? []));
}

function initialValues(
  wallets: readonly Wallet[],
  walletId: string,
  beneficiary: string,
): PayoutValues {
  const wallet = wallets.find(({ id }) => id === walletId);
  return {
    ...emptyPayout,
    wallet: wallet?.id ?? "",
    currency:
      wallet === undefined || wallet.attributes.type === 1
        ? ""
        : wallet.relationships.currency.data.id,
    ...(beneficiary === "" ? {} : { payeeKind: "beneficiary", beneficiary }),
  };
}

/** After the payout, as it must not keep it from being made. */
function remember(values: PayoutValues, isTravelRuleRequired: boolean): void {
  if (!values.isRemembered || values.payeeKind !== "address") return;
  void rememberBeneficiary(values, isTravelRuleRequired || values.isNamed).catch(
    (error: unknown) => {
      const { title, detail } = describeProblem(error);
      notifications.show({ color: "red", title: `Not remembered: ${title}`, message: detail });
    },
  );
}
