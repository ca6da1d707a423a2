import { Alert, Anchor, Button, Group, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { randomKey } from "../../../../client/src/random-key.ts";
import type { KeyOptions } from "../../../../client/src/route-types.ts";
import { SluiceError } from "../../../../client/src/sluice-error.ts";
import type { TagKind } from "../../../../src/currencies/chain-record.ts";
import { session } from "../api/api.ts";
import { codeOf, useCurrencies } from "../api/lookups.ts";
import { rich } from "../language/rich.tsx";
import { t } from "../language/t.ts";
import { useBusyDialog } from "./dialog.tsx";
import { DialogForm } from "./dialog-form.tsx";
import type { FeeSpeed } from "./fee-speed-choice.tsx";
import { isDefiniteAnswer } from "./is-definite-answer.ts";
import { ErrorAlert } from "./problem-alert.tsx";
import { type Quoted, RefundQuote } from "./refund-quote.tsx";
import { type RefundWords, refundWords } from "./refund-words.ts";
import { forgetSent, readSent, type SentRequest, sendRecorded, sentBy } from "./sent-request.ts";
import { fieldOfPointer } from "./split-errors.ts";
import { tagLabels, tagMembers } from "./tag-kinds.ts";
import { TravelRuleFields } from "./travel-rule-fields.tsx";
import {
  emptyPerson,
  fieldOfPersonPointer,
  type TravelRule,
  travelRuleOf,
} from "./travel-rule-person.ts";
import { TravelRuleReason } from "./travel-rule-reason.tsx";
import { useAction } from "./use-action.ts";
import { useApiForm } from "./use-api-form.ts";

/** Where a refund goes; `tag` is omitted where there is none. */
export type RefundReceiver = {
  readonly address: string;
  readonly tag?: string;
  readonly tag_type?: string;
};

/** What the service needs to send a refund: the names of its API members. */
export type RefundAttributes = RefundReceiver & {
  /** Null for refunds inside the service. */
  readonly fee_amount: string | null;
  /** Null below the travel rule threshold, unless the form adds it. */
  readonly travel_rule_info: TravelRule | null;
};

type RefundProps<Attributes extends object> = {
  /** Names the money to refund: `deposit-7`. Identifies its quotes, and its request while no response has arrived. */
  readonly name: string;
  readonly words?: RefundWords;
  /** How receivers share an address on the chain of the refund; null where each has its own. */
  readonly tagKind: TagKind | null;
  /** The filled-in address with the reason for it; null for none; undefined while loading. */
  readonly suggestion:
    | (Alerted & { readonly address: string; readonly tag: string | null })
    | null
    | undefined;
  /** False while other input that the quote depends on is missing or still changing. */
  readonly isSettled?: boolean;
  /** Changes with other input that the quote depends on. */
  readonly quotedFor?: string;
  readonly quote: (to: RefundReceiver, signal: AbortSignal) => Promise<Quoted>;
  /** Adds what else the request consists of. */
  readonly complete: (attributes: RefundAttributes) => Attributes;
  readonly send: (attributes: Attributes, key: KeyOptions) => Promise<Pick<Quoted, "meta">>;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

type Alerted = { readonly title: string; readonly text: string };

/**
 * Collects the refund address and the recipient, shows the current fee, and creates the payout. `quote` and `send` name the money to
 * refund. A refund whose response was lost is resolved first: it is sent again with its own idempotency key.
 */
export function RefundForm<Attributes extends object>(props: RefundProps<Attributes>) {
  const { name, onClose, onDone, words = refundWords } = props;
  const [stored] = useState(() => sentBy(session.memberId(), `refund-${name}`));
  const [key, setKey] = useState(randomKey);
  const [lost, setLost] = useState(() => readSent<Attributes>(sessionStorage, stored));
  // It may have been sent before: the payout that its key made is then returned.
  const post = async (sent: SentRequest<Attributes>) =>
    sendRecorded(sessionStorage, stored, sent, () =>
      props.send(sent.request, { idempotencyKey: sent.key, isResumed: true }),
    );
  const done = ({ meta }: Pick<Quoted, "meta">): void => {
    onDone();
    onClose();
    notifications.show({
      title: words.sent,
      message: <PayoutLink id={String(meta["payout_id"])} />,
      autoClose: 15_000,
    });
  };
  if (lost !== null) {
    return (
      <Unconfirmed
        words={words}
        retry={() => post(lost)}
        onDone={done}
        onDiscard={() => {
          forgetSent(sessionStorage, stored);
          setLost(null);
          setKey(randomKey());
        }}
      />
    );
  }
  return (
    <NewRefund
      {...props}
      words={words}
      post={(request) => post({ key, request })}
      onSent={done}
      onLost={() => {
        setLost(readSent<Attributes>(sessionStorage, stored));
      }}
    />
  );
}

type NewRefundProps<Attributes extends object> = RefundProps<Attributes> & {
  readonly words: RefundWords;
  readonly post: (request: Attributes) => Promise<Pick<Quoted, "meta">>;
  readonly onSent: (answer: Pick<Quoted, "meta">) => void;
  readonly onLost: () => void;
};

/** The form, with the quote of its settled input. */
function useRefund<Attributes extends object>(props: NewRefundProps<Attributes>) {
  const { tagKind, suggestion } = props;
  const [speed, setSpeed] = useState<FeeSpeed>("medium");
  const [isRequoted, setRequoted] = useState(false);
  const initial = { address: suggestion?.address ?? "", tag: suggestion?.tag ?? "" };
  const [typed, setTyped] = useState(initial);
  const [settled] = useDebouncedValue(typed, 400);
  const to = receiverOf(settled, tagKind);
  const quoted = useQuery({
    queryKey: ["refund-quote", props.name, props.quotedFor ?? "", to],
    queryFn: ({ signal }) => props.quote(to, signal),
    enabled: to.address.length >= 20,
    refetchInterval: 20_000,
  });
  const meta = quoted.data?.meta;
  const from = meta?.["travel_rule_from"];
  const rule =
    meta === undefined
      ? null
      : { from: typeof from === "string" ? from : null, currency: String(meta["currency"]) };
  // Until the quote says otherwise, recipient details are required.
  const isRequired = meta?.["needs_travel_rule"] !== false;
  const { form, ...sending } = useApiForm({
    initialValues: { ...emptyPerson, ...initial, isNamed: false },
    onValuesChange: ({ address, tag }) => {
      setTyped({ address, tag });
    },
    fieldOf: (pointer) => fieldOfPersonPointer(pointer) ?? fieldOfPointer(pointer),
    send: async (values) => {
      const fee = quoted.data?.data.attributes;
      setRequoted(false);
      try {
        return await props.post(
          props.complete({
            ...receiverOf(values, tagKind),
            fee_amount: fee === undefined || fee.is_internal ? null : fee.fee[speed],
            travel_rule_info: isRequired || values.isNamed ? travelRuleOf(values) : null,
          }),
        );
      } catch (error) {
        setRequoted(error instanceof SluiceError && error.code === "4009");
        void quoted.refetch();
        if (!isDefiniteAnswer(error)) props.onLost();
        throw error;
      }
    },
    onDone: props.onSent,
  });
  const { setFieldValue } = form;
  const suggested = { address: suggestion?.address ?? "", tag: suggestion?.tag ?? "" };
  const offered = useRef(initial.address);
  useEffect(() => {
    // A suggestion that arrives late replaces nothing that was typed, and is made once.
    if (suggested.address === offered.current || typed.address !== "") return;
    offered.current = suggested.address;
    setFieldValue("address", suggested.address);
    setFieldValue("tag", suggested.tag);
  }, [suggested.address, suggested.tag, typed.address, setFieldValue]);
  const prefilled = suggestion?.address === typed.address ? suggestion : null;
  // Only what was quoted is sent: never the fee or the amount of an earlier input.
  const isQuoted =
    quoted.data !== undefined && typed.address.trim() === to.address && typed.tag === settled.tag;
  const state = { form, sending, quoted, prefilled, rule, speed, setSpeed };
  return { ...state, isQuoted, isRequoted, isRequired };
}

function NewRefund<Attributes extends object>(props: NewRefundProps<Attributes>) {
  const { words, tagKind, isSettled = true, onClose } = props;
  const { form, sending, quoted, prefilled, rule, speed, setSpeed, ...state } = useRefund(props);
  const { isQuoted, isRequoted, isRequired } = state;
  const code = codeOf(useCurrencies(), rule?.currency);
  const errors = quoteErrorsOf(quoted.error);
  return (
    <DialogForm
      {...sending}
      problem={isRequoted ? null : sending.problem}
      action={words.action}
      dismissal={t("Close")}
      canSend={isQuoted && isSettled}
      onClose={onClose}
    >
      {prefilled == null ? null : (
        <Alert color="blue" title={prefilled.title}>
          {prefilled.text}
        </Alert>
      )}
      <TextInput
        label={words.address}
        description={t(
          "Ask the payer. Payments from an exchange often can't be returned to the sending address.",
        )}
        required
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("address")}
        error={form.errors["address"] ?? errors.address}
      />
      {tagKind === null ? null : (
        <TextInput
          label={tagLabels[tagKind]}
          description={t("Required by most exchanges. Without it, the funds may not be credited.")}
          autoComplete="off"
          {...form.getInputProps("tag")}
          error={form.errors["tag"] ?? errors.tag}
        />
      )}
      <RefundQuote quoted={quoted.data ?? null} words={words} speed={speed} onSpeed={setSpeed} />
      <ErrorAlert error={errors.rest} />
      {isRequired ? (
        <TravelRuleReason rule={rule} code={code}>
          {t("The travel rule requires the recipient's name and address.")}
        </TravelRuleReason>
      ) : (
        <Switch
          label={t("Add recipient details")}
          description={t("Optional: the amount is below the travel rule threshold.")}
          {...form.getInputProps("isNamed", { type: "checkbox" })}
        />
      )}
      {isRequired || form.values.isNamed ? <TravelRuleFields form={form} /> : null}
      {isRequoted ? (
        <Alert color="amber" role="alert" title={t("The network fee has changed")}>
          {t("Nothing was sent. Check the new fee and send again.")}
        </Alert>
      ) : null}
    </DialogForm>
  );
}

function receiverOf(
  { address, tag }: { readonly address: string; readonly tag: string },
  tagKind: TagKind | null,
): RefundReceiver {
  return { address: address.trim(), ...tagMembers(tagKind, tag) };
}

/** Resolves a refund without a response: retrying with the same idempotency key never creates a second payout. */
function Unconfirmed({
  words,
  retry,
  onDone,
  onDiscard,
}: {
  readonly words: RefundWords;
  readonly retry: () => Promise<Pick<Quoted, "meta">>;
  readonly onDone: (answer: Pick<Quoted, "meta">) => void;
  readonly onDiscard: () => void;
}) {
  const retrying = useAction({
    mutationFn: retry,
    meta: { isShownByForm: true },
    onSuccess: onDone,
  });
  useBusyDialog(retrying.isPending);
  return (
    <Stack>
      <Alert color="amber" role="alert" title={words.lostTitle}>
        {words.lostText}{" "}
        {t(
          "Retry to find out: it won't be paid twice. If you discard it, check the payouts before you send another one.",
        )}
      </Alert>
      <ErrorAlert error={retrying.error} />
      <Group justify="flex-end">
        <Button variant="default" disabled={retrying.isPending} onClick={onDiscard}>
          {t("Discard")}
        </Button>
        <Button
          loading={retrying.isPending}
          onClick={() => {
            retrying.mutate();
          }}
        >
          {t("Retry")}
        </Button>
      </Group>
    </Stack>
  );
}

/** Notifications are rendered outside the router, so this is a plain link. */
function PayoutLink({ id }: { readonly id: string }) {
  return (
    <Text size="sm">
      {rich("Sent by {link}.", {
        link: (
          <Anchor href={`/ui/payouts/${id}`} size="sm" underline="always">
            {t("payout {id}", { id })}
          </Anchor>
        ),
      })}
    </Text>
  );
}

/** The errors of the quote at the fields that they name, and any other error. */
function quoteErrorsOf(error: Error | null) {
  if (!(error instanceof SluiceError)) return { address: null, tag: null, rest: error };
  const at = (pointer: string): string | null =>
    error.errors.find(({ source }) => source?.pointer === pointer)?.detail ?? null;
  const address = at("/data/attributes/to_address");
  const tag = at("/data/attributes/tag") ?? at("/data/attributes/tag_type");
  return { address, tag, rest: address === null && tag === null ? error : null };
}
