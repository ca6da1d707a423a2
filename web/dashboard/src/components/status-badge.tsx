import { Badge } from "@mantine/core";
import type { PlainText } from "../language/catalogs.ts";
import { t } from "../language/t.ts";

/** The meaning of a status: done, in progress, action required, failed, or neutral. */
export type Tone = "good" | "waiting" | "attention" | "bad" | "neutral";

type Look = { readonly label: PlainText; readonly tone: Tone };

/** The labels of the API's statuses; those of deposits and payouts are their states. */
const looks = {
  deposit: {
    new: { label: "New", tone: "neutral" },
    pending: { label: "Pending", tone: "waiting" },
    partially_paid: { label: "Partially paid", tone: "waiting" },
    paid: { label: "Paid", tone: "good" },
    overpaid: { label: "Overpaid", tone: "good" },
    expired: { label: "Expired", tone: "neutral" },
    canceled: { label: "Canceled", tone: "neutral" },
    on_hold: { label: "On hold", tone: "attention" },
    refunded: { label: "Refunded", tone: "neutral" },
  },
  payout: {
    needs_approval: { label: "Needs approval", tone: "attention" },
    queued: { label: "Queued", tone: "waiting" },
    sent: { label: "Sent", tone: "waiting" },
    confirmed: { label: "Confirmed", tone: "good" },
    failed: { label: "Failed", tone: "bad" },
    canceled: { label: "Canceled", tone: "neutral" },
    on_hold: { label: "On hold", tone: "attention" },
  },
  transfer: {
    "-3": { label: "Canceled", tone: "neutral" },
    "-2": { label: "Held", tone: "attention" },
    "-1": { label: "Failed", tone: "bad" },
    0: { label: "Created", tone: "waiting" },
    1: { label: "Unconfirmed", tone: "waiting" },
    2: { label: "Confirmed", tone: "good" },
  },
  wallet: {
    1: { label: "Inactive", tone: "neutral" },
    2: { label: "Registering", tone: "waiting" },
    3: { label: "Active", tone: "good" },
  },
  callback: {
    pending: { label: "Pending|callback", tone: "waiting" },
    delivered: { label: "Delivered", tone: "good" },
    exhausted: { label: "Failed", tone: "bad" },
  },
  paymentLink: {
    active: { label: "Active", tone: "good" },
    inactive: { label: "Off", tone: "neutral" },
    ended: { label: "Ended", tone: "neutral" },
    sold_out: { label: "Sold out", tone: "neutral" },
  },
  unattributed: {
    waiting: { label: "Waiting", tone: "attention" },
    assigned: { label: "Assigned", tone: "good" },
    returning: { label: "Returning", tone: "waiting" },
    returned: { label: "Returned", tone: "good" },
    dust: { label: "Dust", tone: "neutral" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string | number, Look>>>>;

export type StatusKind = keyof typeof looks;

/**
 * A status as a colored label: one of the API's (`<StatusBadge kind="deposit" value="paid" />`) or a custom one
 * (`<StatusBadge tone="bad" label="Revoked" />`). The color never carries information that the label lacks.
 */
export function StatusBadge(
  props:
    | { readonly kind: StatusKind; readonly value: string | number }
    | { readonly tone: Tone; readonly label: string },
) {
  const { label, tone } =
    "kind" in props
      ? {
          label: statusLabel(props.kind, props.value),
          tone: findLook(props.kind, props.value)?.tone ?? "neutral",
        }
      : props;
  return (
    <Badge className="status-badge" data-tone={tone} variant="transparent">
      {label}
    </Badge>
  );
}

/** The statuses of a kind as filter choices. */
export function statusChoices(
  kind: StatusKind,
): readonly { readonly value: string; readonly label: string }[] {
  return Object.entries<Look>(looks[kind]).map(([value, { label }]) => ({
    value,
    label: t(label),
  }));
}

/** The label of a status, for text without a badge. */
export function statusLabel(kind: StatusKind, value: string | number): string {
  const look = findLook(kind, value);
  return look === undefined ? String(value) : t(look.label);
}

function findLook(kind: StatusKind, value: string | number): Look | undefined {
  const known: Readonly<Record<string, Look>> = looks[kind];
  return known[String(value)];
}
