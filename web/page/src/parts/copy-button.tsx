import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
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
  const { messages, announce, announcement } = usePage();
  /** What was copied last: another text in its place was not. */
  const copied = useSignal<string | null>(null);
  const times = useRef(0);
  const copy = async (): Promise<void> => {
    const { copied: done, copyFailed } = messages.value;
    times.current += 1;
    const time = times.current;
    const isDone = await copyText(text);
    const told = isDone ? `${done}: ${label}` : copyFailed;
    copied.value = isDone ? text : null;
    announce(told);
    setTimeout(() => {
      if (times.current === time) copied.value = null;
      if (announcement.value === told) announce("");
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
