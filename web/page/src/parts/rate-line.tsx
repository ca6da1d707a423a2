import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type {
  CheckoutPayment,
  CheckoutState,
} from "../../../../src/deposits/checkout/checkout-state.ts";
import { formatPrice, shortenAmount } from "../format-amount.ts";
import { formatDuration } from "../format-duration.ts";
import { symbolOf } from "../group-choices.ts";
import { usePage } from "../page-context.ts";

type Rate = NonNullable<CheckoutPayment["rate"]>;

/** The price of the coin, how long it holds, and its renewal: by itself once, then by the payer's hand. */
export function RateLine({
  rate,
  payment,
  price,
}: {
  readonly rate: Rate;
  readonly payment: CheckoutPayment;
  readonly price: NonNullable<CheckoutState["price"]>;
}): VNode {
  const { messages, isRateExpired, isVisible, quoting, quote } = usePage();
  const { rate: words, locale } = messages.value;
  const isExpired = isRateExpired.value;
  const isAsking = quoting.value === "asking";
  // Once when it is over by this device's reckoning, and once when the server says so, where that comes later.
  const end = `${rate.expiresAt ?? ""} ${rate.isExpired}`;
  const tried = useRef<string | null>(null);
  useEffect(() => {
    if (!isExpired || !isVisible.value || isAsking || tried.current === end) return;
    tried.current = end;
    void quote();
  }, [isExpired, end, isVisible.value, isAsking]);
  if (isExpired) {
    const isFailed = quoting.value === "failed";
    return (
      <div class="rate">
        <p role="status">
          {isAsking ? words.updating : words.expired}
          {isFailed && ` ${words.updateFailed}`}
        </p>
        {!isAsking && (
          <button type="button" class="button is-small" onClick={() => void quote()}>
            {words.update}
          </button>
        )}
      </div>
    );
  }
  const { amount, isExact } = shortenAmount(rate.value, price.precision);
  const shown = formatPrice(amount, price.code, price.precision, locale);
  return (
    <p class="rate">
      <bdi>{words.line(symbolOf(payment.code), shown, isExact)}</bdi>
      {rate.isHeld ? <HoldsFor until={rate.expiresAt} /> : <span>{words.notFixed}</span>}
    </p>
  );
}

function HoldsFor({ until }: { readonly until: string | null }): VNode | null {
  const { messages, remaining } = usePage();
  const left = remaining(until);
  if (left === null) return null;
  const { rate: words, locale } = messages.value;
  return (
    <span>
      {words.fixedFor} <span class="digits">{formatDuration(left, locale)}</span>
    </span>
  );
}
