import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { CheckoutPayment } from "../../../../src/deposits/checkout/checkout-state.ts";
import type { WalletProgress } from "../create-page.ts";
import { usePage } from "../page-context.ts";
import { Icon } from "./icon.tsx";

/** A button per browser wallet that can pay the amount. Only one request is open at a time, so nothing is sent twice. */
export function WalletButtons({
  payment,
  isStale,
}: {
  readonly payment: CheckoutPayment;
  readonly isStale: boolean;
}): VNode | null {
  const { messages, wallets, wallet, payWith } = usePage();
  const { wallet: words } = messages.value;
  const { evm, chainName } = payment;
  if (evm === null || evm.units === null || evm.units === "0" || wallets.value.length === 0)
    return null;
  const progress = wallet.value;
  return (
    <>
      {progress.step !== "sent" &&
        wallets.value.map((found) => (
          <button
            key={found.id}
            type="button"
            class="button"
            aria-disabled={progress.step === "pending" || isStale}
            onClick={() => {
              if (!isStale) void payWith(found);
            }}
          >
            <Icon name="wallet" />
            {progress.step === "pending" ? words.pending : words.pay(found.name)}
          </button>
        ))}
      <WalletNote progress={progress} network={chainName} />
    </>
  );
}

function WalletNote({
  progress,
  network,
}: {
  readonly progress: WalletProgress;
  readonly network: string;
}): VNode {
  const { wallet: words } = usePage().messages.value;
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The buttons are removed, so move the focus to the note.
    if (progress.step === "sent" && document.activeElement === document.body) note.current?.focus();
  }, [progress.step]);
  if (progress.step === "idle" && progress.error !== null) {
    const { error } = progress;
    return (
      <p class="error" role="alert">
        {error === "changed" ? words.changed : words.errors[error](network)}
      </p>
    );
  }
  return (
    <p ref={note} tabIndex={-1} class={progress.step === "sent" ? "note" : "hint"} role="status">
      {progress.step === "sent" ? words.sent : words.hint}
    </p>
  );
}
