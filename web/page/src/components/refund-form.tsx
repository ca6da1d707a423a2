import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type {
  CheckoutPayment,
  CheckoutState,
} from "../../../../src/deposits/checkout/checkout-state.ts";
import { describeRefusal } from "../describe-refusal.ts";
import { symbolOf } from "../group-choices.ts";
import { usePage } from "../page-context.ts";
import { AddressText } from "./address-text.tsx";

/**
 * Asks for the payer's refund address. The server validates it; the store decides whether to refund. The first address stays, because
 * anyone with the link could replace it.
 */
export function RefundForm({
  state: { refund, helpEmail },
  payment,
}: {
  readonly state: CheckoutState;
  readonly payment: CheckoutPayment;
}): VNode {
  const { messages } = usePage();
  const { refund: words, pay } = messages.value;
  const title = useRef<HTMLHeadingElement>(null);
  const tagLabel = refund.tagType == null ? null : pay.tag[refund.tagType];
  return (
    <section class="refund" aria-labelledby="refund-title">
      <h2 id="refund-title" ref={title} tabIndex={-1}>
        {words.title}
      </h2>
      {refund.address === null ? (
        <AddressForm
          payment={payment}
          tagLabel={tagLabel}
          onEnd={() => {
            // The form is removed, so move the focus to the heading.
            title.current?.focus();
          }}
        />
      ) : (
        <>
          <p>{words.saved}</p>
          <AddressText address={refund.address} />
          {refund.tag != null && tagLabel !== null && (
            <p>
              {tagLabel}{" "}
              <code class="address" dir="ltr" translate={false}>
                {refund.tag}
              </code>
            </p>
          )}
          <p class="hint">
            {words.fixed} {helpEmail !== null && <a href={`mailto:${helpEmail}`}>{helpEmail}</a>}
          </p>
        </>
      )}
    </section>
  );
}

type FieldName = "address" | "tag";

/** The form's inputs, what is wrong with one of them, and how to save them. */
function useAddressForm(
  { chainName }: CheckoutPayment,
  tagLabel: string | null,
  onEnd: () => void,
) {
  const { messages, saveRefundAddress, announce } = usePage();
  const address = useRef<HTMLInputElement>(null);
  const tag = useRef<HTMLInputElement>(null);
  const error = useSignal<{ readonly at: FieldName; readonly text: string } | null>(null);
  const isSending = useSignal(false);
  const fail = (at: FieldName, text: string): void => {
    error.value = { at, text };
    (at === "tag" ? tag : address).current?.focus();
  };
  const submit = async (): Promise<void> => {
    const { refund: words } = messages.value;
    const typed = address.current?.value.trim() ?? "";
    const typedTag = tag.current?.value.trim() ?? "";
    if (typed === "") {
      fail("address", words.empty);
      return;
    }
    if (isSending.value) return;
    isSending.value = true;
    const refusal = await saveRefundAddress(typed, typedTag === "" ? null : typedTag);
    isSending.value = false;
    if (refusal === null) {
      announce(`${words.saved} ${typed} ${typedTag}`.trim());
      onEnd();
    } else if (refusal.kind !== "refused" || refusal.field === null)
      fail("address", describeRefusal(refusal, messages.value, "address"));
    else if (refusal.field === "tag" && tagLabel !== null) fail("tag", words.invalidTag(tagLabel));
    else fail("address", words.invalid(chainName));
  };
  return { address, tag, error, isSending, submit };
}

function AddressForm({
  payment,
  tagLabel,
  onEnd,
}: {
  readonly payment: CheckoutPayment;
  readonly tagLabel: string | null;
  readonly onEnd: () => void;
}): VNode {
  const { refund: words, choose } = usePage().messages.value;
  const { address, tag, error, isSending, submit } = useAddressForm(payment, tagLabel, onEnd);
  const symbol = symbolOf(payment.code);
  const inputOf = (name: FieldName) => ({
    id: `refund-${name}`,
    type: "text" as const,
    dir: "ltr" as const,
    autocomplete: "off",
    autocapitalize: "none" as const,
    spellcheck: false,
    "aria-invalid": error.value?.at === name,
    "aria-describedby":
      error.value?.at === name ? "refund-error" : name === "tag" ? "refund-tag-hint" : undefined,
    onInput: () => {
      error.value = null;
    },
  });
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
      <input ref={address} {...inputOf("address")} required />
      {tagLabel !== null && (
        <>
          <label for="refund-tag">{tagLabel}</label>
          <input ref={tag} {...inputOf("tag")} maxLength={64} />
          <p class="hint" id="refund-tag-hint">
            {words.tagHint(tagLabel)}
          </p>
        </>
      )}
      {error.value !== null && (
        <p id="refund-error" class="error" role="alert">
          {error.value.text}
        </p>
      )}
      <p class="hint">{words.final}</p>
      <div class="row">
        <button type="submit" class="button is-small" aria-disabled={isSending.value}>
          {isSending.value ? choose.working : words.submit}
        </button>
      </div>
    </form>
  );
}
