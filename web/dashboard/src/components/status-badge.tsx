import { Badge } from "@mantine/core";

/** The meaning of a status: done, in progress, action required, failed, or neutral. */
export type Tone = "good" | "waiting" | "attention" | "bad" | "neutral";

type Look = { readonly label: string; readonly tone: Tone };

/** The labels of the API's statuses. */
const looks = {
  deposit: {
    2: { label: "Created", tone: "waiting" },
    3: { label: "Paid", tone: "good" },
    4: { label: "Canceled", tone: "neutral" },
    5: { label: "On hold", tone: "attention" },
  },
  payout: {
    1: { label: "Awaiting approval", tone: "attention" },
    2: { label: "Approved", tone: "good" },
    3: { label: "Canceled", tone: "neutral" },
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
    pending: { label: "Pending", tone: "waiting" },
    delivered: { label: "Delivered", tone: "good" },
    exhausted: { label: "Failed", tone: "bad" },
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
 * A status as a colored label: one of the API's (`<StatusBadge kind="deposit" value={3} />`) or a custom one
 * (`<StatusBadge tone="bad" label="Revoked" />`). The color never carries information that the label lacks.
 */
export function StatusBadge(
  props:
    | { readonly kind: StatusKind; readonly value: string | number }
    | { readonly tone: Tone; readonly label: string },
) {
  const { label, tone } = "kind" in props ? findLook(props.kind, props.value) : props;
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
  return Object.entries<Look>(looks[kind]).map(([value, { label }]) => ({ value, label }));
}

function findLook(kind: StatusKind, value: string | number): Look {
  const known: Readonly<Record<string, Look>> = looks[kind];
  return known[String(value)] ?? { label: String(value), tone: "neutral" };
}
