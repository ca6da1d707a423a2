import type { VNode } from "preact";
import { formatAmount } from "../format-amount.ts";
import { symbolOf } from "../group-choices.ts";
import { usePage } from "../page-context.ts";

/** An amount with all digits and its symbol. */
export function AmountText({
  amount,
  code,
}: {
  readonly amount: string;
  readonly code: string;
}): VNode {
  const { locale } = usePage().messages.value;
  return (
    <bdi class="digits">
      {formatAmount(amount, locale)} {symbolOf(code)}
    </bdi>
  );
}
