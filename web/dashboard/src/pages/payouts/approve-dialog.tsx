import { Card, Skeleton, Stack, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import type { Currency, Payout, PayoutApproval } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { type ById, codeOf, useCurrencies, useWallets } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { addDecimals } from "../../components/decimals.ts";
import { DetailList } from "../../components/detail-list.tsx";
import { ErrorAlert } from "../../components/problem-alert.tsx";
import { t } from "../../language/t.ts";
import { FiatText } from "../wallets/fiat-text.tsx";
import { fiatTotal, fiatValue, type Price } from "../wallets/fiat-value.ts";
import { useFiat, usePrices } from "../wallets/use-prices.ts";
import { DecisionPrice } from "./decision-price.tsx";
import { feeLabel } from "./fee-label.ts";
import { PayoutTarget } from "./payout-list-page.tsx";
import { RecipientText } from "./recipient-text.tsx";

/** A payout that waits for approval. */
export type WaitingPayout = { readonly payout: Payout; readonly approval: PayoutApproval };

/** Shows everything that an approval sends, in full, before it is given. */
export function ApproveDialog({
  waiting,
  onClose,
  act,
  onDone,
}: {
  readonly waiting: readonly WaitingPayout[];
  readonly onClose: () => void;
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
}) {
  const [first, ...others] = waiting;
  // Lists omit recipient details, so each payout is read by itself.
  const details = useQueries({
    queries: waiting.map(({ payout: { id } }) => ({
      queryKey: ["payout", id, "details"],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await api.get("/payout/{id}/", { id, signal })).data,
    })),
  });
  const currencies = useCurrencies();
  const fiat = useFiat();
  const prices = usePrices(
    waiting.map(({ payout }) => payout.relationships.currency.data.id),
    fiat.id,
  );
  const isComplete = details.every(({ data }) => data !== undefined) && currencies.size > 0;
  const unread = details.find(({ data, error }) => data === undefined && error !== null);
  const shown = waiting.map((one, index) => ({ ...one, details: details[index]?.data }));
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={
        others.length === 0
          ? t("Approve payout {id}?", { id: first?.payout.id ?? "" })
          : t("Approve {count} payouts?", { count: waiting.length })
      }
      action={t("Approve")}
      dismissal={t("Back")}
      size="lg"
      canAct={isComplete}
      act={act}
      {...(onDone === undefined ? {} : { onDone })}
    >
      <Stack gap="md">
        <Text size="sm">
          {others.length === 0
            ? t("It is sent once you approve.")
            : t("They are sent once you approve.")}{" "}
          {t("Payouts can't be reversed: compare the recipient and the whole address.")}
        </Text>
        {shown.map(({ payout, approval, details: read }) => (
          <PayoutSummary
            key={payout.id}
            {...{ payout, approval, prices, fiat }}
            details={read}
            hasTitle={others.length > 0}
          />
        ))}
        <ErrorAlert error={unread?.error ?? null} />
        {others.length === 0 ? null : (
          <Total payouts={waiting.map(({ payout }) => payout)} {...{ currencies, prices, fiat }} />
        )}
      </Stack>
    </ConfirmDialog>
  );
}

type Prices = ReadonlyMap<string, Price> | null;
type Fiat = { readonly id: string; readonly code: string };

function valueOf({ attributes, relationships }: Payout, fiat: Fiat, prices: Prices) {
  if (prices === null) return undefined;
  return fiatValue(attributes.amount, relationships.currency.data.id, fiat.id, prices);
}

function PayoutSummary({
  payout,
  approval,
  details,
  hasTitle,
  prices,
  fiat,
}: WaitingPayout & {
  /** Undefined while it is read. */
  readonly details: Payout | undefined;
  readonly hasTitle: boolean;
  readonly prices: Prices;
  readonly fiat: Fiat;
}) {
  const { attributes, relationships } = payout;
  const currencies = useCurrencies();
  const wallet = useWallets().get(relationships.wallet.data.id);
  const currency = currencies.get(relationships.currency.data.id);
  const code = codeOf(currencies, currency?.id);
  const feeCode = codeOf(currencies, currency?.relationships.parent.data?.id ?? currency?.id);
  const isInternal = attributes.target_wallet !== null || attributes.target_deposit !== null;
  return (
    <Card withBorder padding="sm">
      {hasTitle ? (
        <Text fw={600}>{attributes.label ?? t("Payout {id}", { id: payout.id })}</Text>
      ) : null}
      <DetailList
        details={[
          {
            label: t("Recipient"),
            value:
              details === undefined ? (
                <Skeleton height={20} />
              ) : (
                <RecipientText info={details.attributes.travel_rule_info} />
              ),
          },
          {
            label: attributes.address === null ? t("To") : t("Address"),
            value:
              attributes.address === null ? (
                <PayoutTarget row={payout} />
              ) : (
                <CodeText value={attributes.address} label="address" />
              ),
          },
          ...(attributes.tag === null ? [] : [{ label: t("Tag"), value: attributes.tag }]),
          { label: t("Blockchain"), value: currency?.attributes.blockchain_name ?? null },
          { label: t("Amount"), value: <Amount value={attributes.amount} code={code} /> },
          {
            label: t("Value"),
            value: <FiatText value={valueOf(payout, fiat, prices)} code={fiat.code} />,
          },
          {
            label: feeLabel(payout, approval, currency),
            value: isInternal ? (
              t("None (internal transfer)")
            ) : (
              <Amount value={attributes.fee_amount} code={feeCode} />
            ),
          },
          { label: t("From"), value: wallet?.attributes.label ?? relationships.wallet.data.id },
          { label: t("Requested by"), value: approval.attributes.created_by.name },
        ]}
      />
      <DecisionPrice payout={payout} approval={approval} />
    </Card>
  );
}

/** The sums of several payouts, per currency and in fiat. */
function Total({
  payouts,
  currencies,
  prices,
  fiat,
}: {
  readonly payouts: readonly Payout[];
  readonly currencies: ById<Currency>;
  readonly prices: Prices;
  readonly fiat: Fiat;
}) {
  const sums = new Map<string, string>();
  for (const { attributes, relationships } of payouts) {
    const { id } = relationships.currency.data;
    sums.set(id, addDecimals(sums.get(id) ?? "0", attributes.amount) ?? attributes.amount);
  }
  const value =
    prices === null
      ? undefined
      : fiatTotal(payouts.map((payout) => valueOf(payout, fiat, prices) ?? null));
  return (
    <DetailList
      details={[
        ...[...sums].map(([id, sum]) => ({
          label: t("Total {code}", { code: codeOf(currencies, id) ?? "" }),
          value: <Amount value={sum} code={codeOf(currencies, id)} />,
        })),
        { label: t("Total value"), value: <FiatText value={value} code={fiat.code} /> },
      ]}
    />
  );
}
