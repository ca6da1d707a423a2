import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { usePage } from "../page-context.ts";
import { Icon } from "./icon.tsx";

const shownMs = 2_500;

/** Copies `text`. `label` names it for screen readers. */
export function CopyButton({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): VNode {
  const { messages, announce, announcement } = usePage();
  /** The last copied text. A changed text has not been copied. */
  const copied = useSignal<string | null>(null);
  const times = useRef(0);
  const copy = async (): Promise<void> => {
    const { copied: done, copyFailed } = messages.value;
    times.current += 1;
    const time = times.current;
    // Browsers reject on pages without TLS.
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    const result = isDone ? `${done}: ${label}` : copyFailed;
    copied.value = isDone ? text : null;
    announce(result);
    setTimeout(() => {
      if (times.current === time) copied.value = null;
      if (announcement.value === result) announce("");
    }, shownMs);
  };
  const isCopied = copied.value === text;
  const word = isCopied ? messages.value.copied : messages.value.copy;
  return (
    <button
      type="button"
      class={isCopied ? "copy is-copied" : "copy"}
      aria-label={`${word}: ${label}`}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? "check" : "copy"} />
      <span>{word}</span>
    </button>
  );
}
