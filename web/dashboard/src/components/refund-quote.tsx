import { Stack, Text } from "@mantine/core";
import type { PayoutCalculation } from "../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies } from "../api/lookups.ts";
import { t } from "../language/t.ts";
import { Amount } from "./amount.tsx";
import { subtractDecimals } from "./decimals.ts";
import { DetailList } from "./detail-list.tsx";
import { type FeeSpeed, FeeSpeedChoice } from "./fee-speed-choice.tsx";
import type { RefundWords } from "./refund-words.ts";

/** The answer of a `calculate` route; `meta` holds the refund's `amount` and `currency`. */
export type Quoted = {
  readonly data: PayoutCalculation;
  readonly meta: Readonly<Record<string, unknown>>;
};

/** The refund amount, the network fee to choose, and what the recipient gets; empty without a quote. */
export function RefundQuote({
  quoted,
  words,
  speed,
  onSpeed,
}: {
  readonly quoted: Quoted | null;
  readonly words: RefundWords;
  readonly speed: FeeSpeed;
  readonly onSpeed: (speed: FeeSpeed) => void;
}) {
  const currencies = useCurrencies();
  if (quoted === null) return null;
  const { fee, is_internal: isInternal } = quoted.data.attributes;
  const amount = String(quoted.meta["amount"]);
  const currencyId = String(quoted.meta["currency"]);
  const code = codeOf(currencies, currencyId);
  const feeId = String(fee.currency);
  const feeCode = codeOf(currencies, feeId);
  // A token is refunded in full because its network fee is paid in another currency.
  const received = feeId === currencyId ? subtractDecimals(amount, fee[speed]) : amount;
  return (
    <Stack gap="sm" role="status" aria-label={words.quote}>
      {isInternal ? null : (
        <FeeSpeedChoice
          fees={fee}
          code={feeCode}
          value={speed}
          onChange={(value) => {
            onSpeed(value as FeeSpeed);
          }}
        />
      )}
      <DetailList
        details={[
          { label: words.amount, value: <Amount value={amount} code={code} /> },
          ...(isInternal
            ? []
            : [{ label: t("Network fee"), value: <Amount value={fee[speed]} code={feeCode} /> }]),
          { label: t("Recipient gets"), value: <Amount value={received} code={code} /> },
        ]}
      />
      {isInternal ? (
        <Text size="sm" c="dimmed">
          {t(
            "This address belongs to this service. The transfer is instant and free of network fees.",
          )}
        </Text>
      ) : null}
    </Stack>
  );
}
