import type { VNode } from "preact";
import type { CheckoutArrival } from "../../../../src/deposits/checkout/checkout-state.ts";
import { symbolOf } from "../group-choices.ts";
import { usePage } from "../page-context.ts";
import { hasConfirmations } from "../stage-lead.ts";
import { AmountText } from "./amount-text.tsx";
import { CopyButton } from "./copy-button.tsx";
import { ExplorerLink } from "./explorer-link.tsx";

/** Lists all payments to the address, including ones that are not credited, with the reason. */
export function Arrivals({
  arrivals,
}: {
  readonly arrivals: readonly CheckoutArrival[];
}): VNode | null {
  const { arrivals: words } = usePage().messages.value;
  if (arrivals.length === 0) return null;
  return (
    <section class="arrivals" aria-labelledby="arrivals-title">
      <h2 id="arrivals-title">{words.title}</h2>
      <ul>
        {arrivals.map((arrival, index) => (
          <Arrival key={`${arrival.txid ?? ""} ${index}`} arrival={arrival} />
        ))}
      </ul>
    </section>
  );
}

function Arrival({ arrival }: { readonly arrival: CheckoutArrival }): VNode {
  const { messages } = usePage();
  const { arrivals: words, paid, seen } = messages.value;
  const { amount, code, txid, confirmations, needed } = arrival;
  const state =
    arrival.state === "pending" && hasConfirmations(arrival) ? "confirmed" : arrival.state;
  const explain =
    state === "pending" || state === "confirmed" || state === "waiting"
      ? null
      : words.explained[state](symbolOf(code));
  return (
    <li>
      <p class="arrival">
        <strong>
          {amount === "" ? <bdi>{code}</bdi> : <AmountText amount={amount} code={code} />}
        </strong>
        <span class={`chip is-${state}`}>{words.states[state]}</span>
      </p>
      {state === "pending" && needed > 0 && (
        <div class="progress">
          <progress max={needed} value={confirmations} aria-label={words.states.pending} />
          <p class="hint">
            {confirmations === 0 ? seen.waitsForBlock : seen.confirmations(confirmations, needed)}
          </p>
        </div>
      )}
      {explain !== null && <p class="hint">{explain}</p>}
      {txid !== null && (
        <p class="txid">
          <code dir="ltr" translate={false} title={txid}>
            {txid}
          </code>
          <CopyButton text={txid} label={paid.transaction(1)} />
        </p>
      )}
      <ExplorerLink link={arrival.link} />
    </li>
  );
}
