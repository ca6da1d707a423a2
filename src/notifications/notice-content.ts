import type { NoticeContent } from "./notice.ts";
import type { NoticeEvent, NoticeKind } from "./notice-event.ts";
import { noticeLine, noticeWords } from "./notice-text.ts";
import type { Topic } from "./topic.ts";

const topics: Readonly<Record<NoticeKind, Topic>> = {
  payment_received: "paid",
  payment_screened: "on_hold",
  payment_held: "on_hold",
  payout_held: "on_hold",
  payout_failed: "on_hold",
  payout_approval: "approval_waiting",
  batch_approval: "approval_waiting",
  change_approval: "approval_waiting",
  webhook_failing: "webhook_failing",
  payouts_stopped: "payouts_stopped",
  payouts_resumed: "payouts_stopped",
  node_down: "node_down",
  node_answers: "node_down",
};

/** Whom an event concerns: those who chose this topic. */
export function topicOf({ kind }: NoticeEvent): Topic {
  return topics[kind];
}

/** An event as a notice stores it. */
export function noticeContent(event: NoticeEvent): NoticeContent {
  return {
    path: pathOf(event),
    title: noticeWords.en.titles[event.kind],
    line: noticeLine(event, "en", { hasAddress: true }),
    event,
  };
}

function pathOf(event: NoticeEvent): string {
  switch (event.kind) {
    case "payment_received":
    case "payment_screened":
    case "payment_held":
      return `deposits/${event.deposit.id}`;
    case "payout_held":
    case "payout_failed":
    case "payout_approval":
      return `payouts/${event.id}`;
    case "batch_approval":
      return `batches/${event.id}`;
    case "change_approval":
      return "protection";
    case "webhook_failing":
      return "webhooks/deliveries";
    case "payouts_stopped":
    case "payouts_resumed":
      return "payouts";
    case "node_down":
    case "node_answers":
      return "operations";
  }
}
