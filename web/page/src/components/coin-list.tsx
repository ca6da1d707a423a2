import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { ChoiceGroup } from "../group-choices.ts";
import { usePage } from "../page-context.ts";
import type { CoinPicker } from "../use-coin-picker.ts";
import { ChoiceRow, choiceId } from "./choice-row.tsx";

export const coinListId = "coins";

/** Currencies grouped by symbol. Handles the keyboard itself when there is no search field (`takesKeys`). */
export function CoinList({
  picker,
  takesKeys,
}: {
  readonly picker: CoinPicker;
  readonly takesKeys: boolean;
}): VNode {
  const { messages } = usePage();
  const isHeaded = picker.groups.some(({ choices }) => choices.length > 1);
  const activeId = choiceId(picker.active);
  useEffect(() => {
    if (activeId !== undefined)
      document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  return (
    <div
      id={coinListId}
      class="coins"
      role="listbox"
      aria-label={messages.value.choose.currencies}
      tabIndex={takesKeys ? 0 : -1}
      aria-activedescendant={takesKeys ? activeId : undefined}
      onKeyDown={takesKeys ? picker.onKeyDown : undefined}
    >
      {picker.groups.map((group) => (
        <CoinGroup key={group.symbol} group={group} picker={picker} isHeaded={isHeaded} />
      ))}
    </div>
  );
}

/**
 * The networks of one symbol. Either every symbol has a heading or none has, where each has one network: without its own, a currency would
 * read as one more network of the symbol above it.
 */
function CoinGroup({
  group: { symbol, choices },
  picker,
  isHeaded,
}: {
  readonly group: ChoiceGroup;
  readonly picker: CoinPicker;
  readonly isHeaded: boolean;
}): VNode {
  const rows = choices.map((choice) => (
    <ChoiceRow
      key={choice.currency}
      choice={choice}
      isActive={choice === picker.active}
      isPicked={choice === picker.picked}
      onPick={picker.pick}
    />
  ));
  if (!isHeaded) return <>{rows}</>;
  return (
    <div role="group" aria-labelledby={`group-${symbol}`}>
      <p id={`group-${symbol}`} class="coins-group" role="presentation">
        {symbol}
      </p>
      {rows}
    </div>
  );
}
