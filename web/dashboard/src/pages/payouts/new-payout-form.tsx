import { Alert, Button, Card, Group, Stack, Stepper, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useId, useState } from "react";
import type { Payout, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { SluiceError } from "../../../../../client/src/sluice-error.ts";
import { api } from "../../api/api.ts";
import { describeProblem } from "../../api/problem.ts";
import { isDefiniteAnswer } from "../../components/is-definite-answer.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { fieldOfPointer } from "../../components/split-errors.ts";
import { tagMembers } from "../../components/tag-kinds.ts";
import { fieldOfPersonPointer, travelRuleOf } from "../../components/travel-rule-person.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { useStop } from "../operations/use-kill-switches.ts";
import { AmountStep } from "./amount-step.tsx";
import {
  emptyPayout,
  type PayoutFacts,
  type PayoutValues,
  payoutRequest,
  payoutSteps,
  stepOfFields,
} from "./payout-request.ts";
import { PayoutTotal } from "./payout-total-text.tsx";
import { RecipientStep, type StepProps } from "./recipient-step.tsx";
import { ReviewStep } from "./review-step.tsx";
import { sendPayout } from "./send-payout.ts";
import { TravelRuleStep } from "./travel-rule-step.tsx";
import { usePayoutDraft } from "./use-payout-draft.ts";

/** The steps of a new payout. Every attempt uses the same `idempotencyKey`, so that at most one payout is created. */
export function NewPayoutForm({
  idempotencyKey,
  wallets,
  walletId,
  beneficiaryId,
  onDone,
  onUnconfirmed,
}: {
  readonly idempotencyKey: string;
  readonly wallets: readonly Wallet[];
  readonly walletId: string;
  readonly beneficiaryId: string;
  readonly onDone: (payout: Payout) => void;
  readonly onUnconfirmed: () => void;
}) {
  const [step, setStep] = useState(0);
  const [isRequoted, setRequoted] = useState(false);
  const { form, submit, isSending, problem } = useApiForm<PayoutValues, Payout>({
    initialValues: initialValues(wallets, walletId, beneficiaryId),
    fieldOf,
    send: async (values) => {
      const filled = { ...values, ...draft.filled };
      // Clear the notice of the previous attempt.
      setRequoted(false);
      try {
        return await sendPayout({
          key: idempotencyKey,
          request: payoutRequest(filled, draft.facts),
        });
      } catch (error) {
        setRequoted(error instanceof SluiceError && error.code === "4009");
        setStep((current) => stepOfError(error) ?? current);
        draft.quote.refresh();
        if (!isDefiniteAnswer(error)) onUnconfirmed();
        throw error;
      }
    },
    onDone: (payout, values) => {
      if (values.isRemembered && values.recipientKind === "address")
        void saveBeneficiary(values, draft.facts);
      onDone(payout);
    },
  });
  const draft = usePayoutDraft(form, wallets);
  const isLast = step === payoutSteps.length - 1;
  const goToNextStep = (): void => {
    const errors = draft.errorsOf(step);
    if (Object.keys(errors).length > 0) form.setErrors(errors);
    else setStep(step + 1);
  };
  return (
    <Card maw={760}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLast) goToNextStep();
          else if (!isSending) submit(event);
        }}
      >
        <Steps {...{ step, setStep, form, wallets, draft }} />
        <Stack mt="lg">
          {isRequoted ? (
            <Alert color="amber" role="alert" title={t("The network fee has changed")}>
              {t("Nothing was sent. Check the new fee and send again.")}
            </Alert>
          ) : (
            <ProblemAlert problem={problem} />
          )}
          <StepButtons {...{ step, setStep, form, draft, isSending }} />
        </Stack>
      </form>
    </Card>
  );
}

/** Leaves the step, or sends; not while a kill switch stops this payout. */
function StepButtons({
  step,
  setStep,
  form,
  draft,
  isSending,
}: StepProps & {
  readonly step: number;
  readonly setStep: (step: number) => void;
  readonly isSending: boolean;
}) {
  const stopId = useId();
  const { needsApproval: roleNeedsApproval } = useRole();
  const isLast = step === payoutSteps.length - 1;
  const stop = useStop({
    walletId: draft.wallet?.id ?? null,
    chain: draft.feeCurrency?.attributes.alpha ?? null,
  });
  return (
    <Group justify="flex-end">
      {isLast ? <PayoutTotal form={form} draft={draft} /> : null}
      {stop === undefined ? null : (
        <Text size="sm" c="dimmed" id={stopId}>
          {t("Payouts are stopped")}
        </Text>
      )}
      {step === 0 ? null : (
        <Button
          variant="default"
          onClick={() => {
            setStep(step - 1);
          }}
        >
          {t("Back")}
        </Button>
      )}
      <Button
        type="submit"
        loading={isSending}
        disabled={!draft.isReady || stop !== undefined}
        {...(stop === undefined ? {} : { "aria-describedby": stopId })}
      >
        {!isLast
          ? t("Continue")
          : roleNeedsApproval || draft.needsApproval === true
            ? t("Request approval")
            : t("Send payout")}
      </Button>
    </Group>
  );
}

function Steps({
  step,
  setStep,
  form,
  wallets,
  draft,
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
        <RecipientStep form={form} wallets={wallets} draft={draft} />
      </Stepper.Step>
      <Stepper.Step label={payoutSteps[1]}>
        <AmountStep form={form} draft={draft} />
      </Stepper.Step>
      <Stepper.Step label={payoutSteps[2]}>
        <TravelRuleStep form={form} draft={draft} />
      </Stepper.Step>
      <Stepper.Step label={payoutSteps[3]}>
        <ReviewStep form={form} draft={draft} />
      </Stepper.Step>
    </Stepper>
  );
}

function fieldOf(pointer: string): string | null {
  return fieldOfPersonPointer(pointer) ?? fieldOfPointer(pointer);
}

/** The step with the first field that the error names; null if there is none. A changed fee (4009) keeps the current step. */
function stepOfError(error: unknown): number | null {
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
    ...(beneficiary === "" ? {} : { recipientKind: "beneficiary", beneficiary }),
  };
}

/** Saves the recipient after the payout was created. A failure is shown, but must not look like a failed payout. */
async function saveBeneficiary(
  values: PayoutValues,
  { isTravelRuleRequired, tagKind }: PayoutFacts,
): Promise<void> {
  const withRecipient = isTravelRuleRequired || values.isNamed;
  try {
    await api.post("/beneficiary/", {
      attributes: {
        name: values.beneficiaryName.trim(),
        address: values.address.trim(),
        ...tagMembers(tagKind, values.tag),
        ...(withRecipient ? { travel_rule_info: travelRuleOf(values) } : {}),
      },
      relationships: { currency: { type: "currency", id: values.currency } },
    });
  } catch (error) {
    const { title, detail } = describeProblem(error);
    notifications.show({
      color: "red",
      title: t("Beneficiary not saved"),
      message: `${title} ${detail}`,
    });
  }
}
