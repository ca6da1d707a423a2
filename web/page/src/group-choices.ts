import type { CheckoutChoice } from "../../../src/deposits/checkout/checkout-state.ts";

export type ChoiceGroup = {
  readonly symbol: string;
  readonly choices: readonly CheckoutChoice[];
};

/** Returns the symbol of a currency code: `USDT` for `USDT-ETH`. */
export function symbolOf(code: string): string {
  return code.split("-", 1)[0] ?? code;
}

/** Filters choices by a search (each search word must start some word of the choice) and groups them by symbol in server order. */
export function groupChoices(
  choices: readonly CheckoutChoice[],
  search: string,
): readonly ChoiceGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, CheckoutChoice[]>();
  for (const choice of choices) {
    const text = `${choice.code} ${choice.name} ${choice.chainName}`.toLowerCase();
    const own = text.split(/[^\p{L}\p{N}]+/u);
    if (!words.every((word) => own.some((part) => part.startsWith(word)))) continue;
    const symbol = symbolOf(choice.code);
    groups.set(symbol, [...(groups.get(symbol) ?? []), choice]);
  }
  return [...groups].map(([symbol, found]) => ({ symbol, choices: found }));
}
