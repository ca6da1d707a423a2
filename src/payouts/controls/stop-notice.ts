import type { Audience, Notice } from "../../notifications/notice.ts";
import type { NoticeEvent } from "../../notifications/notice-event.ts";

type Stop = Omit<Extract<NoticeEvent, { readonly kind: "payouts_stopped" }>, "kind">;

/** What members are notified when payouts are stopped. */
export function stopNotice(audience: Audience, stop: Stop): Notice {
  return { audience, event: { kind: "payouts_stopped", ...stop }, paidDepositId: null };
}
