import { Skeleton, Text, Tooltip } from "@mantine/core";
import { Amount } from "../../components/amount.tsx";
import { t } from "../../language/t.ts";
import type { FiatValue } from "./fiat-value.ts";

/** A fiat value, approximate unless the balance is in that currency; marks outdated and missing prices. Undefined: still loading. */
export function FiatText({
  value,
  code,
}: {
  readonly value: FiatValue | null | undefined;
  readonly code: string;
}) {
  if (value === undefined)
    return <Skeleton component="span" display="inline-block" height={12} width={80} />;
  if (value === null)
    return (
      <Text component="span" c="dimmed">
        {t("No price")}
      </Text>
    );
  return (
    <span className="one-line">
      {value.isExact ? null : "≈ "}
      <Amount value={value.amount} code={code} />
      {value.isStale ? (
        <Tooltip label={t("This price is out of date.")}>
          <Text component="span" c="dimmed" size="sm" tabIndex={0}>
            {t("(outdated price)")}
          </Text>
        </Tooltip>
      ) : null}
    </span>
  );
}
