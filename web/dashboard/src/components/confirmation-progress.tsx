import { Progress, Text } from "@mantine/core";
import type { TextKey } from "../language/catalogs.ts";
import { t } from "../language/t.ts";

/** "3 of 12". Confirmations beyond the required ones say nothing more: "12 of 12". */
export function confirmationsText(count: number, needed: number): string {
  return t("{count} of {needed}", { count: Math.min(count, needed), needed });
}

const doneTexts = {
  Confirmed: "Confirmed ({reached})",
  Final: "Final ({reached})",
} as const satisfies Readonly<Record<string, TextKey>>;

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
  const text = count >= needed ? t(doneTexts[doneLabel], { reached }) : reached;
  return (
    <div>
      <Text>{text}</Text>
      <Progress
        value={Math.min(100, (100 * count) / needed)}
        aria-label={t("Confirmations: {text}", { text })}
        mt={4}
        maw={240}
      />
    </div>
  );
}

/** The text for an object without a confirmation count of its own: the currency's default applies. */
export function defaultConfirmationsText(currencyDefault: number | undefined): string {
  return currencyDefault === undefined
    ? t("Default")
    : t("Default ({count})", { count: currencyDefault });
}
