import type { VNode } from "preact";
import type { CheckoutState } from "../../../../src/deposits/checkout/checkout-state.ts";
import { usePage } from "../page-context.ts";
import { Arrivals } from "./arrivals.tsx";
import { ChooseCoin } from "./choose-coin.tsx";
import { Pay } from "./pay.tsx";
import { Receipt } from "./receipt.tsx";
import { Redirect } from "./redirect.tsx";
import { RefundForm } from "./refund-form.tsx";

/** The content of the current stage. */
export function StageBody({ state }: { readonly state: CheckoutState }): VNode {
  const { stage, choices, payment, arrivals, price, refund, receipt } = state;
  const hasReceipt = stage === "paid" && receipt.isShown;
  const shown = hasReceipt ? arrivals.filter(({ state: is }) => is !== "confirmed") : arrivals;
  const hasUncredited = arrivals.some(
    ({ state: is }) => !["pending", "confirmed", "waiting"].includes(is),
  );
  return (
    <>
      {stage === "choose" && <ChooseCoin choices={choices ?? []} isOpenAmount={price === null} />}
      {stage === "unresolved" && <NextSteps />}
      {payment !== null && refund.isAsked && <RefundForm state={state} payment={payment} />}
      {hasUncredited && <Arrivals arrivals={shown} />}
      {payment !== null && (stage === "waiting" || stage === "partial") && (
        <Pay state={state} payment={payment} />
      )}
      {hasReceipt && payment !== null && <Receipt state={state} payment={payment} />}
      {receipt.isMailed && (
        <section
          class="refund"
          data-paid={stage === "paid"}
          ref={(section) => void showMailReceipt(section)}
        />
      )}
      {!hasUncredited && <Arrivals arrivals={shown} />}
      <Redirect state={state} />
    </>
  );
}

/** The form for a receipt by email is fetched when it is shown; without it, the page still works. */
async function showMailReceipt(section: HTMLElement | null): Promise<void> {
  if (section?.firstChild === null) (await import("../mail-receipt.ts")).show(section);
}

function NextSteps(): VNode {
  const { unresolved } = usePage().messages.value;
  return (
    <section class="next" aria-labelledby="next-title">
      <h2 id="next-title">{unresolved.next}</h2>
      <ol>
        {unresolved.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
