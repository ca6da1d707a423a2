import { Alert, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Transfer } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { ConfirmationProgress } from "../../components/confirmation-progress.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { FiatDetail } from "../../components/fiat-values.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PathLink } from "../../components/path-link.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Section } from "../../components/section.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { TransferBadge } from "../../components/transfer-badge.tsx";
import { messageText } from "../../language/message-text.ts";
import { t } from "../../language/t.ts";
import { HeldTransfer } from "./held-transfer.tsx";
import { ownerPath, riskText, sourceText } from "./transfer-labels.ts";

const back = { to: "/transfers", label: t("Transfers") };

/** One transfer: its amounts, transaction and confirmations. */
export function TransferPage() {
  const { transferId = "" } = useParams({ strict: false });
  const transfer = useQuery({
    queryKey: ["transfer", transferId],
    queryFn: async ({ signal }) =>
      (await api.get("/transfer/{id}/", { id: transferId, signal })).data,
    refetchInterval: 5_000,
  });
  return (
    <QueryView query={transfer} back={back}>
      {(data) => <TransferView key={data.id} transfer={data} />}
    </QueryView>
  );
}

function TransferView({ transfer }: { readonly transfer: Transfer }) {
  const { attributes } = transfer;
  return (
    <>
      <PageHeader
        title={t("Transfer {id}", { id: transfer.id })}
        back={back}
        badge={<TransferBadge transfer={transfer} />}
      />
      <Stack>
        <HeldTransfer transfer={transfer} />
        {attributes.message === null || attributes.status === -2 ? null : (
          <Alert color="gray" title={t("Note")}>
            {messageText(attributes.message)}
          </Alert>
        )}
        <Amounts transfer={transfer} />
        <OnTheChain transfer={transfer} />
      </Stack>
    </>
  );
}

function Amounts({ transfer }: { readonly transfer: Transfer }) {
  const { attributes, relationships } = transfer;
  const currencies = useCurrencies();
  const currency = currencies.get(relationships.currency.data?.id ?? "");
  const code = currency?.attributes.alpha ?? null;
  const owner = ownerPath(attributes.op_type, attributes.op_id);
  const operation = sourceText(attributes.op_type, attributes.op_id);
  return (
    <Section title={t("Payment")}>
      <DetailList
        details={[
          {
            label: t("Source"),
            value: owner === null ? operation : <PathLink to={owner}>{operation}</PathLink>,
          },
          { label: t("Amount"), value: <Amount value={attributes.amount} code={code} /> },
          {
            label: t("Fiat value"),
            value: <FiatDetail transfer={transfer} currencies={currencies} />,
          },
          {
            label: t("Net amount"),
            value: <Amount value={attributes.amount_cleared} code={code} />,
          },
          { label: t("Commission"), value: <Amount value={attributes.commission} code={code} /> },
          { label: t("Network fee"), value: <Fee transfer={transfer} /> },
        ]}
      />
    </Section>
  );
}

function OnTheChain({ transfer }: { readonly transfer: Transfer }) {
  const { attributes, relationships } = transfer;
  const currency = useCurrencies().get(relationships.currency.data?.id ?? "");
  return (
    <Section title={t("Transaction")}>
      <DetailList
        details={[
          { label: t("Blockchain"), value: currency?.attributes.blockchain_name ?? null },
          {
            label: t("Transaction ID"),
            value:
              attributes.txid === null ? (
                t("None (internal, or not sent yet)")
              ) : (
                <CodeText value={attributes.txid} label="transaction ID" />
              ),
          },
          {
            label: t("Confirmations"),
            value: (
              <ConfirmationProgress
                count={attributes.confirmations}
                needed={currency?.attributes.confirmation_blocks ?? null}
                doneLabel="Final"
              />
            ),
          },
          { label: t("Screening"), value: riskText(attributes.risk_status, attributes.risk) },
          {
            label: t("Created"),
            value: <TimeText value={attributes.created_at} withSeconds />,
          },
          {
            label: t("Last updated"),
            value: <TimeText value={attributes.updated_at} withSeconds />,
          },
        ]}
      />
    </Section>
  );
}

/** The network fee. A token's payout fee is paid in the chain's own coin. */
function Fee({ transfer }: { readonly transfer: Transfer }) {
  const currencies = useCurrencies();
  const own = currencies.get(transfer.relationships.currency.data?.id ?? "");
  const parent = own?.relationships.parent.data?.id ?? own?.id;
  const isPayout = transfer.attributes.op_type === 2;
  return (
    <Amount
      value={transfer.attributes.fee}
      code={codeOf(currencies, isPayout ? parent : own?.id)}
    />
  );
}
