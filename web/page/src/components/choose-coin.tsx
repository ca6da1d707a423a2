import type { VNode } from "preact";
import type { CheckoutChoice } from "../../../../src/deposits/checkout/checkout-state.ts";
import { describeRefusal } from "../describe-refusal.ts";
import { symbolOf } from "../group-choices.ts";
import { usePage } from "../page-context.ts";
import { type CoinPicker, useCoinPicker } from "../use-coin-picker.ts";
import { choiceId } from "./choice-row.tsx";
import { CoinList, coinListId } from "./coin-list.tsx";
import { Icon } from "./icon.tsx";

/** Shorter lists have no search field. */
const searchMin = 5;

/**
 * A combobox that filters a listbox (ARIA Authoring Practices): the focus stays in the field, arrow keys move the active option,
 * Enter selects it, and Enter again submits it.
 */
export function ChooseCoin({
  choices,
  isOpenAmount,
}: {
  readonly choices: readonly CheckoutChoice[];
  readonly isOpenAmount: boolean;
}): VNode {
  const { choose: words } = usePage().messages.value;
  const picker = useCoinPicker(choices);
  const isSearched = choices.length >= searchMin;
  if (choices.length === 0) return <p class="lead">{words.nothingOffered}</p>;
  return (
    <form
      class="choose"
      onSubmit={(event) => {
        event.preventDefault();
        void picker.submit();
      }}
    >
      <p class="lead">{isOpenAmount ? words.leadOpen : words.lead}</p>
      {isSearched && <CoinSearch picker={picker} />}
      {picker.groups.length === 0 && <p class="nothing">{words.nothingFound}</p>}
      <CoinList picker={picker} takesKeys={!isSearched} />
      <ChooseEnd picker={picker} />
    </form>
  );
}

function CoinSearch({ picker }: { readonly picker: CoinPicker }): VNode {
  const { choose: words } = usePage().messages.value;
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label={words.search}
        aria-expanded="true"
        aria-controls={coinListId}
        aria-autocomplete="list"
        aria-activedescendant={choiceId(picker.active)}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        enterkeyhint="search"
        placeholder={words.search}
        value={picker.search.value}
        onInput={picker.onInput}
        onKeyDown={picker.onKeyDown}
      />
    </div>
  );
}

function ChooseEnd({
  picker: { refusal, picked, isSending },
}: {
  readonly picker: CoinPicker;
}): VNode {
  const { messages } = usePage();
  const { choose: words } = messages.value;
  const submit =
    picked === undefined
      ? words.submitNone
      : words.submit(`${picked.name} (${symbolOf(picked.code)})`);
  return (
    <div class="choose-end">
      {refusal !== null && (
        <p class="error" role="alert">
          {describeRefusal(refusal, messages.value, "choice")}
        </p>
      )}
      <button class="button" type="submit" aria-disabled={picked === undefined}>
        {isSending ? words.working : submit}
      </button>
      <p class="hint">{words.irrevocable}</p>
    </div>
  );
}
