import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { CheckoutState } from "../../../../src/deposits/checkout/checkout-state.ts";
import { applyBrand } from "../apply-brand.ts";
import { formatPrice } from "../format-amount.ts";
import { usePage } from "../page-context.ts";
import { stageLead, stageTitle } from "../stage-lead.ts";
import { Failure } from "./failure.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import { StageBody } from "./stage-body.tsx";
import { StageHead } from "./stage-head.tsx";

/** The whole page: a card for the payment and a footer. */
export function Card(): VNode {
  const { state, isFollowed, failure, messages } = usePage();
  const current = state.value;
  const { direction, locale } = messages.value;
  useLayoutEffect(() => {
    document.documentElement.lang = locale;
    document.documentElement.dir = direction;
  }, [direction, locale]);
  return (
    <div class="page">
      {current?.isSandbox === true && <p class="sandbox">{messages.value.sandbox}</p>}
      <main class="card">
        {current === null ? (
          <Failure failure={failure.value ?? "unavailable"} />
        ) : (
          <Checkout state={current} />
        )}
      </main>
      <Footer helpEmail={current?.helpEmail ?? null} isFollowed={isFollowed.value} />
      <Announcer />
    </div>
  );
}

/** A component of its own, so that announcements re-render nothing else. */
function Announcer(): VNode {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {usePage().announcement.value}
    </div>
  );
}

function Checkout({ state }: { readonly state: CheckoutState }): VNode {
  const { messages, announce, isFocusWanted } = usePage();
  const { payment, paymentTo, orderNumber, locale } = messages.value;
  const heading = stageTitle(state, messages.value);
  const title = useRef<HTMLHeadingElement>(null);
  const announced = useRef(state.stage);
  const { shop, stage, price, brand, description, order } = state;
  useLayoutEffect(() => {
    applyBrand(brand, document.documentElement);
  }, [brand]);
  useLayoutEffect(() => {
    document.title = `${heading} · ${shop === null ? payment : paymentTo(shop)}`;
  }, [heading, shop, payment, paymentTo]);
  useEffect(() => {
    if (announced.current === stage) return;
    announced.current = stage;
    announce(`${heading}. ${stageLead(state, messages.value).join(" ")}`);
    // Move the focus only after the payer's own action, or when the focused element was removed.
    if (isFocusWanted.value || document.activeElement === document.body) title.current?.focus();
    isFocusWanted.value = false;
  }, [stage]);
  return (
    <>
      <header class="masthead">
        <p class="shop">
          {brand.logo !== null && <img class="logo" src={brand.logo} alt="" />}
          {shop ?? payment}
        </p>
        {price !== null && (
          <p class="price">
            <bdi class="digits">
              {formatPrice(price.amount, price.code, price.precision, locale)}
            </bdi>
          </p>
        )}
        {description !== null && <p class="description">{description}</p>}
        {order !== null && (
          <p class="hint">
            {orderNumber} <bdi translate={false}>{order}</bdi>
          </p>
        )}
      </header>
      <StageHead state={state} title={title} />
      <StageBody state={state} />
    </>
  );
}

function Footer({
  helpEmail,
  isFollowed,
}: {
  readonly helpEmail: string | null;
  readonly isFollowed: boolean;
}): VNode {
  const { messages, connection } = usePage();
  const { help, selfUpdating, connection: words } = messages.value;
  return (
    <footer class="footer">
      {isFollowed && (
        <p class="connection" role="status">
          <span class={`dot is-${connection.value}`} />
          {connection.value === "live" ? selfUpdating : words[connection.value]}
        </p>
      )}
      <LanguageSwitch />
      {helpEmail !== null && (
        <p class="help">
          <a href={`mailto:${helpEmail}`}>{help(helpEmail)}</a>
        </p>
      )}
    </footer>
  );
}
