import type { VNode } from "preact";
import type { CheckoutChoice } from "../../../../src/deposits/checkout/checkout-state.ts";
import { formatAmount, shortenAmount } from "../format-amount.ts";
import { symbolOf } from "../group-choices.ts";
import { usePage } from "../page-context.ts";
import { CoinMark } from "./coin-mark.tsx";

/** Enough digits to compare. The exact amount is shown after the choice. */
const digitsShown = 8;

/** DOM id of a choice's option, for `aria-activedescendant`. */
export function choiceId(choice: CheckoutChoice | undefined): string | undefined {
  return choice === undefined ? undefined : `coin-${choice.currency}`;
}

export function ChoiceRow({
  choice,
  isActive,
  isPicked,
  onPick,
}: {
  readonly choice: CheckoutChoice;
  readonly isActive: boolean;
  readonly isPicked: boolean;
  readonly onPick: (choice: CheckoutChoice) => void;
}): VNode {
  const { choose: words, locale } = usePage().messages.value;
  const { code, name, chain, chainName, amount, minimum, unavailable } = choice;
  const symbol = symbolOf(code);
  const withSymbol = (text: string): string => `${formatAmount(text, locale)} ${symbol}`;
  const roughly = (text: string): string => {
    const { amount: cut, isExact } = shortenAmount(text, digitsShown);
    return `${isExact ? "" : "≈\u00a0"}${withSymbol(cut)}`;
  };
  return (
    <div
      id={choiceId(choice)}
      class={isActive ? "coin is-active" : "coin"}
      role="option"
      aria-selected={isPicked}
      aria-disabled={unavailable !== null}
      onClick={() => {
        onPick(choice);
      }}
    >
      <CoinMark code={code} chain={chain} />
      <span class="coin-name">
        <strong>{name}</strong>
        <span>{words.onNetwork(chainName)}</span>
      </span>
      <span class="coin-amount">
        {unavailable !== null ? (
          <span class="coin-reason">{words.unavailable[unavailable](withSymbol(minimum))}</span>
        ) : amount === null ? (
          <>
            <span>{words.anyAmount}</span>
            <bdi class="digits">{words.minimum(withSymbol(minimum))}</bdi>
          </>
        ) : (
          <bdi class="digits">{roughly(amount)}</bdi>
        )}
      </span>
    </div>
  );
}
