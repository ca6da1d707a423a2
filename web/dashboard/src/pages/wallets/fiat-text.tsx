import { Text, Tooltip } from "@mantine/core";
import { Amount } from "../../components/amount.tsx";
import type { FiatValue } from "./fiat-value.ts";

/** What something is worth: about, since prices move; an old price says so, a missing one too. */
export function FiatText({
  value,
  code,
}: {
  readonly value: FiatValue | null;
  readonly code: string;
}) {
  if (value === null)
    return (
      <Text component="span" c="dimmed">
        no price
      </Text>
    );
  return (
    <span>
      ≈ <Amount value={value.amount} code={code} />
      {value.isStale ? (
        <Tooltip label="The price is older than it may be to be called current.">
          <Text component="span" c="dimmed" size="sm" tabIndex={0}>
            {" "}
            (old price)
          </Text>
        </Tooltip>
      ) : null}
    </span>
  );
}
