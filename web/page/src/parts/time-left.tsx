import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { formatDuration } from "../format-duration.ts";
import { usePage } from "../page-context.ts";
import { Icon } from "./icon.tsx";

const minuteMs = 60_000;
/** Minutes before the end at which it is said aloud. */
const announcedMinutes = [10, 5, 1];

/** Counts down to the end of the time limit; nothing without one. */
export function TimeLeft({ until }: { readonly until: string | null }): VNode | null {
  const { messages, remaining, announce } = usePage();
  const left = remaining(until);
  const { pay, locale } = messages.value;
  const minutes = left === null ? null : Math.ceil(left / minuteMs);
  useEffect(() => {
    if (minutes !== null && announcedMinutes.includes(minutes))
      announce(pay.timeAnnounced(minutes));
  }, [minutes]);
  if (left === null) return null;
  return (
    <p class={left < 2 * minuteMs ? "time-left is-short" : "time-left"} role="timer">
      <Icon name="clock" />
      <span class="visually-hidden">{pay.timeLeft}: </span>
      <span class="digits">{formatDuration(left, locale)}</span>
    </p>
  );
}
