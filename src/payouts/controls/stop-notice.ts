import type { Audience, Notice } from "../../notifications/notice.ts";

/** What members are notified when payouts are stopped. */
export function stopNotice(audience: Audience, line: string): Notice {
  return {
    audience,
    topic: "payouts_stopped",
    content: { path: "payouts", line },
    paidDepositId: null,
  };
}
