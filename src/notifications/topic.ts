/** What members can be notified of, in the order of the settings page. */
export const topics = [
  { value: "paid", name: "a deposit is paid" },
  { value: "on_hold", name: "a payment or payout is on hold, or a payout failed" },
  {
    value: "approval_waiting",
    name: "a payout, a batch of payouts, or a change of what protects payouts, needs approval",
  },
  { value: "webhook_failing", name: "webhook deliveries fail" },
  { value: "payouts_stopped", name: "payouts are stopped or resumed" },
  { value: "node_down", name: "a chain's node does not answer, or answers again; operators only" },
] as const;

/** Those that ask their readers for a decision. */
export const decisionTopics: readonly Topic[] = ["on_hold", "approval_waiting"];

export type Topic = (typeof topics)[number]["value"];

/** The pages of the dashboard that a message about several notices opens. */
export const topicPages: Readonly<Record<Topic, string>> = {
  paid: "deposits",
  on_hold: "",
  approval_waiting: "payouts/approvals",
  webhook_failing: "webhooks/deliveries",
  payouts_stopped: "payouts",
  node_down: "operations",
};

const known = new Set<string>(topics.map(({ value }) => value));

/** Whether a text names a topic. */
export function isTopic(text: string): text is Topic {
  return known.has(text);
}
