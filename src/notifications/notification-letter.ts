import type { Letter } from "./letter.ts";
import type { NoticeContent } from "./notice.ts";
import type { Topic } from "./topic.ts";

type Words = {
  readonly one: string;
  readonly many: (count: number) => string;
  readonly page: string;
};

const words: Readonly<Record<Topic, Words>> = {
  paid: {
    one: "Payment received",
    many: (count) => `${count} payments received`,
    page: "deposits",
  },
  on_hold: {
    one: "Action required: funds on hold",
    many: (count) => `Action required: ${count} payments or payouts on hold`,
    page: "",
  },
  approval_waiting: {
    one: "A payout needs approval",
    many: (count) => `${count} payouts or changes need approval`,
    page: "payouts/approvals",
  },
  webhook_failing: {
    one: "Webhook deliveries fail",
    many: (count) => `Webhook deliveries to ${count} receivers fail`,
    page: "callbacks",
  },
  payouts_stopped: {
    one: "Payouts are stopped",
    many: () => "Payouts are stopped",
    page: "payouts",
  },
  node_down: {
    one: "A node doesn't answer",
    many: (count) => `${count} messages about nodes`,
    page: "operations",
  },
};

/** The email that tells a member's notices of one topic. `count` may exceed the listed notices. */
export function notificationLetter(
  topic: Topic,
  content: { readonly count: number; readonly notices: readonly NoticeContent[] },
  site: { readonly baseUrl: string; readonly unsubscribeUrl: string | null },
): Letter {
  const { one, many, page } = words[topic];
  const { count, notices } = content;
  const [first] = notices;
  const title = count === 1 ? (first?.title ?? one) : many(count);
  const href = (path: string): string => `${site.baseUrl}/ui/${path}`;
  const rest = count - notices.length;
  return {
    subject: count === 1 && first !== undefined ? `${title}: ${first.line}` : title,
    paragraphs: [`${title}.`],
    items: [
      ...notices.map(({ line, path }) => ({ text: line, href: href(path) })),
      ...(rest === 0 ? [] : [{ text: `and ${rest} more`, href: null }]),
    ],
    action: { label: "Open the dashboard", href: href(count === 1 ? (first?.path ?? page) : page) },
    footer: [
      "You get this email because you chose it in your notification settings.",
      { text: "Change what you're told", href: href("profile") },
    ],
    unsubscribeUrl: site.unsubscribeUrl,
  };
}
