import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { formatDuration } from "../format-duration.ts";
import { usePage } from "../page-context.ts";
import { Icon } from "./icon.tsx";

const minuteMs = 60_000;
/** Remaining minutes that are announced to screen readers. */
const announcedMinutes = [10, 5, 1];

/** Countdown until the payment expires; nothing without a time limit. */
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
      <span>
        {pay.expiresIn} <span class="digits">{formatDuration(left, locale)}</span>
      </span>
    </p>
  );
}
