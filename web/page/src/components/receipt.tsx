import type { VNode } from "preact";
import type {
  CheckoutArrival,
  CheckoutPayment,
  CheckoutState,
} from "../../../../src/deposits/checkout/checkout-state.ts";
import { formatPrice } from "../format-amount.ts";
import { usePage } from "../page-context.ts";
import { AmountText } from "./amount-text.tsx";
import { ExplorerLink } from "./explorer-link.tsx";
import { Icon } from "./icon.tsx";

/** A printable receipt: amounts requested and received, time, and transactions. */
export function Receipt({
  state,
  payment,
}: {
  readonly state: CheckoutState;
  readonly payment: CheckoutPayment;
}): VNode {
  const { messages } = usePage();
  const { paid: words, orderNumber, locale } = messages.value;
  const counted = state.arrivals.filter(
    (arrival) => arrival.state === "confirmed" || arrival.state === "pending",
  );
  const newest = counted[0];
  return (
    <section class="receipt" aria-labelledby="receipt-title">
      <h2 id="receipt-title">{words.receipt}</h2>
      <dl>
        {state.shop !== null && <Line name={words.store}>{state.shop}</Line>}
        {state.description !== null && <Line name={words.description}>{state.description}</Line>}
        {state.order !== null && (
          <Line name={orderNumber}>
            <bdi translate={false}>{state.order}</bdi>
          </Line>
        )}
        {state.price !== null && (
          <Line name={words.price}>
            <bdi class="digits">
              {formatPrice(state.price.amount, state.price.code, state.price.precision, locale)}
            </bdi>
          </Line>
        )}
        <Amounts payment={payment} />
        <Line name={words.network}>{payment.chainName}</Line>
        {newest !== undefined && (
          <Line name={words.time}>
            <time dateTime={newest.seenAt}>
              {new Date(newest.seenAt).toLocaleString(locale, {
                dateStyle: "medium",
                timeStyle: "short",
              })}
            </time>
          </Line>
        )}
        <Transactions arrivals={counted} />
        <Line name={words.reference}>
          <code class="address is-small" dir="ltr" translate={false}>
            {state.id}
          </code>
        </Line>
      </dl>
      {state.receipt.note !== null && <p class="receipt-note">{state.receipt.note}</p>}
      <button
        type="button"
        class="button is-quiet"
        onClick={() => {
          print();
        }}
      >
        <Icon name="print" />
        {words.print}
      </button>
    </section>
  );
}

function Amounts({ payment }: { readonly payment: CheckoutPayment }): VNode {
  const { paid: words } = usePage().messages.value;
  return (
    <>
      {payment.requested !== null && (
        <Line name={words.requested}>
          <AmountText amount={payment.requested} code={payment.code} />
        </Line>
      )}
      <Line name={words.received}>
        <AmountText amount={payment.received} code={payment.code} />
      </Line>
      {/* An api of the former version leaves it out. */}
      {payment.refunded != null && (
        <Line name={words.refunded}>
          <AmountText amount={payment.refunded} code={payment.code} />
        </Line>
      )}
    </>
  );
}

function Transactions({
  arrivals,
}: {
  readonly arrivals: readonly CheckoutArrival[];
}): VNode | null {
  const { paid: words } = usePage().messages.value;
  const onChain = arrivals.flatMap(({ txid, link }) => (txid === null ? [] : [{ txid, link }]));
  if (onChain.length === 0) return null;
  return (
    <Line name={words.transaction(onChain.length)}>
      {onChain.map(({ txid, link }) => (
        <span key={txid} class="transaction">
          <code class="address is-small" dir="ltr" translate={false}>
            {txid}
          </code>
          <ExplorerLink link={link} />
        </span>
      ))}
    </Line>
  );
}

function Line({
  name,
  children,
}: {
  readonly name: string;
  readonly children: VNode | string | readonly VNode[];
}): VNode {
  return (
    <div class="line">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
