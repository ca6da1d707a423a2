import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type {
  CheckoutPayment,
  CheckoutState,
} from "../../../../src/deposits/checkout/checkout-state.ts";
import { formatPrice, shortenAmount } from "../format-amount.ts";
import { symbolOf } from "../group-choices.ts";
import { usePage } from "../page-context.ts";

type Rate = NonNullable<CheckoutPayment["rate"]>;

/** The exchange rate and how long it is locked. An expired rate is renewed automatically once, then by a button. */
export function RateLine({
  rate,
  payment,
  price,
  expiresAt,
}: {
  readonly rate: Rate;
  readonly payment: CheckoutPayment;
  readonly price: NonNullable<CheckoutState["price"]>;
  /** When the payment expires. */
  readonly expiresAt: string | null;
}): VNode {
  const { messages, isRateExpired, isVisible, quoting, quote } = usePage();
  const { rate: words, locale } = messages.value;
  const isExpired = isRateExpired.value;
  const isUpdating = quoting.value === "loading";
  // The rate is renewed once when it expires by this device's clock, and once when the server reports it as expired.
  const end = `${rate.expiresAt ?? ""} ${rate.isExpired}`;
  const tried = useRef<string | null>(null);
  useEffect(() => {
    if (!isExpired || !isVisible.value || isUpdating || tried.current === end) return;
    tried.current = end;
    void quote();
  }, [isExpired, end, isVisible.value, isUpdating]);
  if (isExpired) {
    const isFailed = quoting.value === "failed";
    return (
      <div class="rate">
        <p role="status">
          {isUpdating ? words.updating : words.expired}
          {isFailed && ` ${words.updateFailed}`}
        </p>
        {!isUpdating && (
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
      {!rate.isHeld && <span>{words.notLocked}</span>}
      {rate.isHeld && !outlasts(rate.expiresAt, expiresAt) && (
        <LockedUntil until={rate.expiresAt} />
      )}
    </p>
  );
}

/** A rate locked until the payment expires needs no mention: the payment's timer says it. */
function outlasts(rateExpiresAt: string | null, expiresAt: string | null): boolean {
  if (rateExpiresAt === null || expiresAt === null) return false;
  return Date.parse(rateExpiresAt) >= Date.parse(expiresAt);
}

/** A time, not a countdown: the page has one timer, that of the payment. */
function LockedUntil({ until }: { readonly until: string | null }): VNode | null {
  const { messages } = usePage();
  if (until === null) return null;
  const { rate: words, locale } = messages.value;
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(until));
  return <span>{words.lockedUntil(time)}</span>;
}
