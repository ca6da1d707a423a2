import type { VNode } from "preact";
import type {
  CheckoutPayment,
  CheckoutState,
} from "../../../../src/deposits/checkout/checkout-state.ts";
import { isPositive, plainAmount } from "../format-amount.ts";
import { symbolOf } from "../group-choices.ts";
import { usePage } from "../page-context.ts";
import { AddressText } from "./address-text.tsx";
import { AmountText } from "./amount-text.tsx";
import { CoinMark } from "./coin-mark.tsx";
import { Field } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { QrCode } from "./qr-code.tsx";
import { RateLine } from "./rate-line.tsx";
import { TimeLeft } from "./time-left.tsx";
import { WalletButtons } from "./wallet-buttons.tsx";

/** Payment instructions, for the full amount or the amount remaining after a partial payment. */
export function Pay({
  state,
  payment,
}: {
  readonly state: CheckoutState;
  readonly payment: CheckoutPayment;
}): VNode {
  const { messages, isRateExpired } = usePage();
  const { pay: words } = messages.value;
  const { code, name, chain, chainName, missing } = payment;
  const symbol = symbolOf(code);
  const isStale = isRateExpired.value;
  const isPart = isPositive(payment.received) || isPositive(payment.pending);
  return (
    <section class="pay" aria-label={words.network(name, chainName)}>
      <div class="pay-coin">
        <CoinMark code={code} chain={chain} />
        <p>
          <strong>{name}</strong>
          <span>{messages.value.choose.onNetwork(chainName)}</span>
        </p>
        <TimeLeft until={state.expiresAt} />
      </div>
      <div class={isStale ? "pay-qr is-stale" : "pay-qr"}>
        <QrCode rows={payment.qr} title={words.qr(symbol)} />
      </div>
      <dl class="fields">
        {missing === null ? (
          <div class="field">
            <dt>{words.amountOpen}</dt>
            <dd class="hint">{words.feeHint}</dd>
          </div>
        ) : (
          <Field
            label={isPart ? words.amountRemaining : words.amount}
            copied={plainAmount(missing)}
          >
            <span class={`amount ${sizeOf(missing)}${isStale ? " is-stale" : ""}`}>
              <AmountText amount={missing} code={code} />
            </span>
          </Field>
        )}
        <Field label={words.address} copied={payment.address}>
          <AddressText address={payment.address} />
        </Field>
        <TagField payment={payment} />
      </dl>
      <p class="warning">
        <Icon name="warning" />
        <span>{words.networkWarning(symbol, chainName)}</span>
      </p>
      <div class="actions">
        {/^[a-z][a-z0-9+.-]*:/i.test(payment.uri) && (
          <a class="button open-wallet" href={payment.uri}>
            <Icon name="out" />
            {words.openWallet}
          </a>
        )}
        <WalletButtons payment={payment} isStale={isStale} />
      </div>
      <Notes state={state} payment={payment} />
    </section>
  );
}

/** Exchange rate and hints below the payment instructions. */
function Notes({
  state,
  payment,
}: {
  readonly state: CheckoutState;
  readonly payment: CheckoutPayment;
}): VNode {
  const { pay: words } = usePage().messages.value;
  const { code, missing, rate } = payment;
  return (
    <div class="pay-end">
      {rate !== null && state.price !== null && state.price.code !== code && (
        <RateLine rate={rate} payment={payment} price={state.price} expiresAt={state.expiresAt} />
      )}
      {missing !== null && <p class="hint">{words.exactly}</p>}
      {payment.isSimulated && !state.isSandbox && <p class="hint">{words.simulated}</p>}
      <p class="hint">{words.alreadyPaid}</p>
    </div>
  );
}

/** The tag, and the account to which it belongs where the address contains both. Otherwise an address that does, if there is one. */
function TagField({
  payment: { account, combined, tag },
}: {
  readonly payment: CheckoutPayment;
}): VNode | null {
  const { pay: words } = usePage().messages.value;
  if (tag === null) return null;
  const label = words.tag[tag.type];
  return (
    <>
      {account !== null && (
        <Field label={words.account} copied={account}>
          <AddressText address={account} />
        </Field>
      )}
      <Field label={label} copied={tag.value}>
        <code class="address" dir="ltr" translate={false}>
          {tag.value}
        </code>
      </Field>
      <div class="field">
        <dd class="warning is-strong">
          <Icon name="warning" />
          <span>{account === null ? words.tagWarning(label) : words.accountHint(label)}</span>
        </dd>
      </div>
      {combined !== null && (
        <Field label={words.combined(label)} copied={combined}>
          <AddressText address={combined} />
        </Field>
      )}
    </>
  );
}

/** Longer amounts use a smaller font to fit on one line of a phone. */
function sizeOf(amount: string): string {
  const { length } = plainAmount(amount);
  if (length > 14) return "is-long";
  return length > 9 ? "is-medium" : "is-short";
}
