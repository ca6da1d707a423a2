import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type {
  CheckoutPayment,
  CheckoutState,
} from "../../../../src/deposits/checkout/checkout-state.ts";
import { describeRefusal } from "../describe-refusal.ts";
import { symbolOf } from "../group-choices.ts";
import { usePage } from "../page-context.ts";
import { AddressText } from "./address-text.tsx";

/** Asks for the payer's refund address. The server validates it; the store decides whether to refund. */
export function RefundForm({
  refund,
  payment,
}: {
  readonly refund: CheckoutState["refund"];
  readonly payment: CheckoutPayment;
}): VNode | null {
  const { messages } = usePage();
  const { refund: words } = messages.value;
  const isChanging = useSignal(false);
  const title = useRef<HTMLHeadingElement>(null);
  if (!refund.isAsked && refund.address === null) return null;
  return (
    <section class="refund" aria-labelledby="refund-title">
      <h2 id="refund-title" ref={title} tabIndex={-1}>
        {words.title}
      </h2>
      {refund.address !== null && (
        <>
          <p>{words.saved}</p>
          <AddressText address={refund.address} />
        </>
      )}
      {refund.isAsked &&
        (refund.address === null || isChanging.value ? (
          <AddressForm
            payment={payment}
            isChange={isChanging.value}
            onEnd={() => {
              isChanging.value = false;
              // The form is removed, so move the focus to the heading.
              title.current?.focus();
            }}
          />
        ) : (
          <button
            type="button"
            class="button is-quiet"
            onClick={() => {
              isChanging.value = true;
            }}
          >
            {words.change}
          </button>
        ))}
    </section>
  );
}

function AddressForm({
  payment,
  isChange,
  onEnd,
}: {
  readonly payment: CheckoutPayment;
  readonly isChange: boolean;
  readonly onEnd: () => void;
}): VNode {
  const { messages, saveRefundAddress, announce } = usePage();
  const { refund: words, choose } = messages.value;
  const field = useRef<HTMLInputElement>(null);
  const error = useSignal<string | null>(null);
  const isSending = useSignal(false);
  const symbol = symbolOf(payment.code);
  useEffect(() => {
    if (isChange) field.current?.focus();
  }, [isChange]);
  const fail = (text: string): void => {
    error.value = text;
    field.current?.focus();
  };
  const submit = async (): Promise<void> => {
    const address = field.current?.value.trim() ?? "";
    if (address === "") {
      fail(words.empty);
      return;
    }
    if (isSending.value) return;
    isSending.value = true;
    const refusal = await saveRefundAddress(address);
    isSending.value = false;
    if (refusal === null) {
      announce(`${words.saved} ${address}`);
      onEnd();
    } else if (refusal.kind === "refused" && refusal.isFieldError)
      fail(words.invalid(payment.chainName));
    else fail(describeRefusal(refusal, messages.value, "address"));
  };
  return (
    <form
      class="refund-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p class="hint">{words.lead(symbol, payment.chainName)}</p>
      <label for="refund-address">{words.label(symbol)}</label>
      <input
        ref={field}
        id="refund-address"
        type="text"
        dir="ltr"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        required
        aria-invalid={error.value !== null}
        aria-describedby={error.value === null ? undefined : "refund-error"}
        onInput={() => {
          error.value = null;
        }}
      />
      {error.value !== null && (
        <p id="refund-error" class="error" role="alert">
          {error.value}
        </p>
      )}
      <div class="row">
        <button type="submit" class="button is-small" aria-disabled={isSending.value}>
          {isSending.value ? choose.working : words.submit}
        </button>
        {isChange && (
          <button type="button" class="button is-quiet is-small" onClick={onEnd}>
            {words.cancel}
          </button>
        )}
      </div>
    </form>
  );
}
