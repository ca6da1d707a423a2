import { type Signal, useSignal } from "@preact/signals";
import type { TargetedEvent, TargetedKeyboardEvent } from "preact";
import type { CheckoutChoice } from "../../../src/deposits/checkout/checkout-state.ts";
import { type ChoiceGroup, groupChoices } from "./group-choices.ts";
import { moveChoice } from "./move-choice.ts";
import { usePage } from "./page-context.ts";
import type { Refusal } from "./server-client.ts";

export type CoinPicker = {
  readonly search: Signal<string>;
  readonly groups: readonly ChoiceGroup[];
  /** The option highlighted by the arrow keys. */
  readonly active: CheckoutChoice | undefined;
  /** The option that submitting chooses. */
  readonly picked: CheckoutChoice | undefined;
  readonly isSending: boolean;
  readonly refusal: Refusal | null;
  readonly pick: (choice: CheckoutChoice) => void;
  readonly submit: () => Promise<void>;
  readonly onKeyDown: (event: TargetedKeyboardEvent<HTMLElement>) => void;
  readonly onInput: (event: TargetedEvent<HTMLInputElement>) => void;
};

/** State of the currency list. Picking an option only selects it; submitting is the irrevocable choice. */
export function useCoinPicker(choices: readonly CheckoutChoice[]): CoinPicker {
  const { messages, choose, announce } = usePage();
  const search = useSignal("");
  const position = useSignal(-1);
  const pickedId = useSignal<string | null>(null);
  const isSending = useSignal(false);
  const refusal = useSignal<Refusal | null>(null);

  const groups = groupChoices(choices, search.value);
  const shown = groups.flatMap(({ choices: found }) => found);
  const active = shown[position.value];
  const picked = choices.find(
    ({ currency, unavailable }) => currency === pickedId.value && unavailable === null,
  );
  const submit = async (): Promise<void> => {
    if (picked === undefined || isSending.value) return;
    isSending.value = true;
    refusal.value = await choose(picked.currency);
    isSending.value = false;
  };
  const pick = (choice: CheckoutChoice): void => {
    if (choice.unavailable !== null || isSending.value) return;
    pickedId.value = choice.currency;
    position.value = shown.indexOf(choice);
    refusal.value = null;
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const next = moveChoice(event.key, position.value, shown.length);
    if (next !== null) position.value = next;
    else if (event.key === "Enter" && active !== undefined) {
      if (active.currency === pickedId.value) void submit();
      else pick(active);
    } else if (event.key === "Escape" && search.value !== "") search.value = "";
    else return;
    event.preventDefault();
  };
  const onInput = ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => {
    search.value = currentTarget.value;
    const count = groupChoices(choices, search.value).flatMap((group) => group.choices).length;
    position.value = count === 0 || search.value === "" ? -1 : 0;
    const { nothingFound, found } = messages.value.choose;
    announce(count === 0 ? nothingFound : found(count));
  };
  return {
    search,
    groups,
    active,
    picked,
    pick,
    submit,
    onKeyDown,
    onInput,
    isSending: isSending.value,
    refusal: refusal.value,
  };
}
