import { Progress, Text } from "@mantine/core";

/** "3 of 12". Confirmations beyond the required ones say nothing more: "12 of 12". */
export function confirmationsText(count: number, needed: number): string {
  return `${Math.min(count, needed)} of ${needed}`;
}

/** Confirmations out of `needed`, with a bar; `doneLabel` names the state in which all of them are there. */
export function ConfirmationProgress({
  count,
  needed,
  doneLabel,
}: {
  readonly count: number;
  readonly needed: number | null;
  readonly doneLabel: "Confirmed" | "Final";
}) {
  if (needed === null || needed === 0) return count;
  const reached = confirmationsText(count, needed);
  const text = count >= needed ? `${doneLabel} (${reached})` : reached;
  return (
    <div>
      <Text>{text}</Text>
      <Progress
        value={Math.min(100, (100 * count) / needed)}
        aria-label={`Confirmations: ${text}`}
        mt={4}
        maw={240}
      />
    </div>
  );
}

/** The text for an object without a confirmation count of its own: the currency's default applies. */
export function defaultConfirmationsText(currencyDefault: number | undefined): string {
  return currencyDefault === undefined ? "Default" : `Default (${currencyDefault})`;
}
