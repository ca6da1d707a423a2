import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { copyText } from "../copy-text.ts";
import { usePage } from "../page-context.ts";
import { Icon } from "./icon.tsx";

const shownMs = 2_500;

/** Copies `text` whole. `label` says of what, for those who do not see what stands beside it. */
export function CopyButton({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): VNode {
  const { messages, announce } = usePage();
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    const { copied, copyFailed } = messages.value;
    isCopied.value = await copyText(text);
    announce(isCopied.value ? `${copied}: ${label}` : copyFailed);
    setTimeout(() => {
      isCopied.value = false;
      announce("");
    }, shownMs);
  };
  const word = isCopied.value ? messages.value.copied : messages.value.copy;
  return (
    <button
      type="button"
      class={isCopied.value ? "copy is-copied" : "copy"}
      aria-label={`${word}: ${label}`}
      onClick={() => void copy()}
    >
      <Icon name={isCopied.value ? "check" : "copy"} />
      <span>{word}</span>
    </button>
  );
}
