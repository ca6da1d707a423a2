import { Alert, Progress, Stack, Text } from "@mantine/core";
import type { Transfer } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { type Detail, DetailList } from "../../components/detail-list.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import type { PayoutView } from "./payout-page.tsx";

/** Where a payout is on its way: its transaction, what the network took, and how deep it is. */
export function PayoutProgress({ payout, transfer }: PayoutView) {
  const currencies = useCurrencies();
  const currency = currencies.get(payout.relationships.currency.data.id);
  if (transfer === null)
    return (
      <Section title="On its way">
        <Text c="dimmed">Nothing was sent yet.</Text>
      </Section>
    );
  const { attributes } = transfer;
  const feeCode = codeOf(currencies, currency?.relationships.parent.data?.id ?? currency?.id);
  return (
    <Section title="On its way">
      <Stack gap="sm">
        {attributes.message === null ? null : (
          <Alert color={attributes.status < 0 ? "red" : "gray"} title="Note">
            {attributes.message}
          </Alert>
        )}
        <DetailList
          details={[
            ...chainDetails(transfer),
            {
              label: "The receiver gets",
              value: (
                <Amount
                  value={attributes.amount_cleared}
                  code={codeOf(currencies, currency?.id)}
                  isFull
                />
              ),
            },
            {
              label: "Fee charged",
              value: <Amount value={attributes.fee} code={feeCode} isFull />,
            },
            {
              label: "Confirmations",
              value: (
                <Confirmations
                  count={attributes.confirmations}
                  needed={
                    payout.attributes.confirmations_needed ??
                    currency?.attributes.confirmation_blocks ??
                    null
                  }
                  isInside={attributes.txid === null}
                />
              ),
            },
          ]}
        />
      </Stack>
    </Section>
  );
}

function chainDetails(transfer: Transfer): readonly Detail[] {
  return [
    {
      label: "Transfer",
      value: (
        <>
          <TextLink to="/transfers/$transferId" params={{ transferId: transfer.id }}>
            {transfer.id}
          </TextLink>{" "}
          <StatusBadge kind="transfer" value={transfer.attributes.status} />
        </>
      ),
    },
    {
      label: "Transaction",
      value:
        transfer.attributes.txid === null ? (
          transfer.attributes.status === 2 ? (
            "None: it moved inside the service."
          ) : (
            "Not sent yet"
          )
        ) : (
          <CodeText value={transfer.attributes.txid} label="the transaction" />
        ),
    },
  ];
}

function Confirmations({
  count,
  needed,
  isInside,
}: {
  readonly count: number;
  readonly needed: number | null;
  readonly isInside: boolean;
}) {
  if (isInside || needed === null || needed === 0) return isInside ? "–" : count;
  const text = count >= needed ? `${count}, as many as asked for` : `${count} of ${needed}`;
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
