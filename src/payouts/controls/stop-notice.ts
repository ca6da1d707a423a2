import type { Audience, Notice } from "../../notifications/notice.ts";
import type { NoticeEvent } from "../../notifications/notice-event.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

type Resumption = Omit<Extract<NoticeEvent, { readonly kind: "payouts_resumed" }>, "kind" | "at">;
type Stop = Omit<Extract<NoticeEvent, { readonly kind: "payouts_stopped" }>, "kind">;

/** What members are notified when payouts are stopped. */
export function stopNotice(audience: Audience, stop: Stop): Notice {
  return { audience, event: { kind: "payouts_stopped", ...stop }, paidDepositId: null };
}

/** What the same members are notified when payouts are resumed. */
export function resumptionNotice(audience: Audience, resumed: Resumption, now: Instant): Notice {
  const at = formatTimestamp(now);
  return { audience, event: { kind: "payouts_resumed", ...resumed, at }, paidDepositId: null };
}
