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
        <CoinGroup key={group.symbol} group={group} picker={picker} />
      ))}
    </div>
  );
}

/** The networks of one symbol; a symbol with one network has no heading. */
function CoinGroup({
  group: { symbol, choices },
  picker,
}: {
  readonly group: ChoiceGroup;
  readonly picker: CoinPicker;
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
  if (choices.length === 1) return <>{rows}</>;
  return (
    <div role="group" aria-labelledby={`group-${symbol}`}>
      <p id={`group-${symbol}`} class="coins-group" role="presentation">
        {symbol}
      </p>
      {rows}
    </div>
  );
}
