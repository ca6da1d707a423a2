import { Badge } from "@mantine/core";

/** What a status means to whoever looks: done, under way, in need of somebody, gone wrong, or neither. */
export type Tone = "good" | "waiting" | "attention" | "bad" | "neutral";

type Look = { readonly label: string; readonly tone: Tone };

/** The interface's statuses in words. */
const looks = {
  deposit: {
    2: { label: "Created", tone: "waiting" },
    3: { label: "Paid", tone: "good" },
    4: { label: "Canceled", tone: "neutral" },
    5: { label: "Unresolved", tone: "attention" },
  },
  payout: {
    1: { label: "Waiting for approval", tone: "attention" },
    2: { label: "Approved", tone: "good" },
    3: { label: "Canceled", tone: "neutral" },
  },
  transfer: {
    "-3": { label: "Cancelled", tone: "neutral" },
    "-2": { label: "Blocked", tone: "bad" },
    "-1": { label: "Failed", tone: "bad" },
    0: { label: "Created", tone: "waiting" },
    1: { label: "Unconfirmed", tone: "waiting" },
    2: { label: "Confirmed", tone: "good" },
  },
  wallet: {
    1: { label: "Inactive", tone: "neutral" },
    2: { label: "Being registered", tone: "waiting" },
    3: { label: "Active", tone: "good" },
  },
  callback: {
    pending: { label: "Pending", tone: "waiting" },
    delivered: { label: "Delivered", tone: "good" },
    exhausted: { label: "Exhausted", tone: "bad" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string | number, Look>>>>;

export type StatusKind = keyof typeof looks;

/**
 * A status in a word and a colour: of the interface (`<StatusBadge kind="deposit" value={3} />`), or one of a page's own
 * (`<StatusBadge tone="bad" label="Revoked" />`). The word alone says all that the colour does.
 */
export function StatusBadge(
  props:
    | { readonly kind: StatusKind; readonly value: string | number }
    | { readonly tone: Tone; readonly label: string },
) {
  const { label, tone } = "kind" in props ? lookOf(props.kind, props.value) : props;
  return (
    <Badge className="status-badge" data-tone={tone} variant="transparent">
      {label}
    </Badge>
  );
}

/** The statuses of a kind as the choices of a filter. */
export function statusChoices(
  kind: StatusKind,
): readonly { readonly value: string; readonly label: string }[] {
  return Object.entries<Look>(looks[kind]).map(([value, { label }]) => ({ value, label }));
}

function lookOf(kind: StatusKind, value: string | number): Look {
  const known: Readonly<Record<string, Look>> = looks[kind];
  return known[String(value)] ?? { label: String(value), tone: "neutral" };
}
