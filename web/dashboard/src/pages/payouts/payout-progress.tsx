import { Alert, Stack, Text } from "@mantine/core";
import type { Payout, Transfer } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { ConfirmationProgress } from "../../components/confirmation-progress.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { FiatDetail } from "../../components/fiat-values.tsx";
import { Section } from "../../components/section.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TransferBadge } from "../../components/transfer-badge.tsx";
import { t } from "../../language/t.ts";

/** The payout's transfer: transaction, amount received, fee and confirmations. */
export function PayoutProgress({
  payout,
  transfer,
}: {
  readonly payout: Payout;
  readonly transfer: Transfer | null;
}) {
  const currencies = useCurrencies();
  const currency = currencies.get(payout.relationships.currency.data.id);
  if (transfer === null)
    return (
      <Section title={t("Progress")}>
        <Text c="dimmed">{t("Nothing has been sent yet.")}</Text>
      </Section>
    );
  const { attributes } = transfer;
  const code = codeOf(currencies, currency?.id);
  const feeCode = codeOf(currencies, currency?.relationships.parent.data?.id ?? currency?.id);
  return (
    <Section title={t("Progress")}>
      <Stack gap="sm">
        {attributes.message === null ? null : (
          <Alert color={attributes.status < 0 ? "red" : "gray"} title={t("Note")}>
            {attributes.message}
          </Alert>
        )}
        <DetailList
          details={[
            { label: t("Transfer"), value: <TransferLink transfer={transfer} /> },
            { label: t("Transaction ID"), value: <TransactionId transfer={transfer} /> },
            {
              label: t("Recipient gets"),
              value: <Amount value={attributes.amount_cleared} code={code} />,
            },
            {
              label: t("Fiat value"),
              value: <FiatDetail transfer={transfer} currencies={currencies} />,
            },
            {
              label: t("Fee charged"),
              value: <Amount value={attributes.fee} code={feeCode} />,
            },
            {
              label: t("Confirmations"),
              value:
                attributes.txid === null ? (
                  "–"
                ) : (
                  <ConfirmationProgress
                    count={attributes.confirmations}
                    needed={
                      payout.attributes.confirmations_needed ??
                      currency?.attributes.confirmation_blocks ??
                      null
                    }
                    doneLabel="Confirmed"
                  />
                ),
            },
          ]}
        />
      </Stack>
    </Section>
  );
}

function TransferLink({ transfer }: { readonly transfer: Transfer }) {
  const { id } = transfer;
  return (
    <>
      <TextLink to="/transfers/$transferId" params={{ transferId: id }}>
        {id}
      </TextLink>{" "}
      <TransferBadge transfer={transfer} />
    </>
  );
}

function TransactionId({ transfer: { attributes } }: { readonly transfer: Transfer }) {
  if (attributes.txid !== null) return <CodeText value={attributes.txid} label="transaction ID" />;
  return attributes.status === 2 ? t("None (internal transfer)") : t("Not sent yet");
}
