import { Button, Group } from "@mantine/core";
import { IconLink, IconPlus } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import type { PaymentLink } from "../../../../../client/src/api-types.gen.ts";
import { listSource, type RowOf } from "../../api/list-source.ts";
import { codeOf, useCurrencies, useWallets, walletCurrency } from "../../api/lookups.ts";
import { AdministratorsOnly } from "../../components/administrators-only.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import { createdColumn } from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { StatusBadge, statusLabel } from "../../components/status-badge.tsx";
import { t } from "../../language/t.ts";
import { EmbedDialog } from "./embed-dialog.tsx";
import { PaymentLinkDialog } from "./payment-link-dialog.tsx";
import { QrDialog } from "./qr-dialog.tsx";

const source = listSource("/payment-link/");
type Row = RowOf<typeof source>;

/** Links that anyone can pay by, as often as their stock allows. */
export function PaymentLinkListPage() {
  return (
    <AdministratorsOnly title={t("Payment links")}>
      <PaymentLinks />
    </AdministratorsOnly>
  );
}

function PaymentLinks() {
  const [edited, setEdited] = useState<PaymentLink | "new" | null>(null);
  const [embedded, setEmbedded] = useState<PaymentLink | null>(null);
  const [coded, setCoded] = useState<PaymentLink | null>(null);
  const create = (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={() => {
        setEdited("new");
      }}
    >
      {t("New payment link")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("Payment links")}
        description={t(
          "Share a link, print its QR code, or put its button on your website. Each customer who opens it gets a payment of their own.",
        )}
        actions={create}
      />
      <ResourceTable
        name="Payment links"
        source={source}
        columns={useColumns(setEdited, setCoded, setEmbedded)}
        filters={[]}
        search={{ label: t("Search by name"), toFilter: (name) => ({ name }) }}
        empty={
          <EmptyList icon={IconLink} title={t("No payment links yet")} action={create}>
            {t(
              "Sell something, or take donations, without a shop. “Embed” then shows the code of a button for your website.",
            )}
          </EmptyList>
        }
      />
      {edited === null ? null : (
        <PaymentLinkDialog
          link={edited === "new" ? null : edited}
          onClose={() => {
            setEdited(null);
          }}
        />
      )}
      {coded === null ? null : (
        <QrDialog
          link={coded}
          onClose={() => {
            setCoded(null);
          }}
        />
      )}
      {embedded === null ? null : (
        <EmbedDialog
          link={embedded}
          onClose={() => {
            setEmbedded(null);
          }}
        />
      )}
    </>
  );
}

function useColumns(
  onEdit: (link: PaymentLink) => void,
  onCode: (link: PaymentLink) => void,
  onEmbed: (link: PaymentLink) => void,
): readonly TableColumn<Row>[] {
  const currencies = useCurrencies();
  const wallets = useWallets();
  return useMemo((): readonly TableColumn<Row>[] => {
    const code = ({ relationships }: Row) =>
      codeOf(currencies, walletCurrency(wallets.get(relationships.wallet.data.id))) ?? "";
    return [
      {
        id: "name",
        header: "Name",
        sort: "name",
        cell: ({ attributes }) => attributes.name,
        csv: ({ attributes }) => attributes.name,
      },
      {
        id: "state",
        header: "Status",
        cell: ({ attributes }) => <StatusBadge kind="paymentLink" value={attributes.state} />,
        csv: ({ attributes }) => statusLabel("paymentLink", attributes.state),
      },
      {
        id: "amount",
        header: "Amount",
        cell: (row) => amountText(row, code(row)),
        csv: (row) => amountText(row, code(row)),
      },
      {
        id: "paid",
        header: "Paid",
        cell: ({ attributes }) => countText(attributes),
        csv: ({ attributes }) => String(attributes.paid_count),
      },
      {
        id: "url",
        header: "Link",
        cell: ({ attributes }) => <CodeText value={attributes.url} label="payment link" />,
        csv: ({ attributes }) => attributes.url,
      },
      createdColumn,
      {
        id: "edit",
        header: "Actions",
        cell: (row) => (
          <Group gap="xs" wrap="nowrap">
            <Button
              size="xs"
              variant="default"
              aria-label={t("Edit {name}", { name: row.attributes.name })}
              onClick={() => {
                onEdit(row);
              }}
            >
              {t("Edit")}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={t("QR code of {name}", { name: row.attributes.name })}
              onClick={() => {
                onCode(row);
              }}
            >
              {t("QR code")}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={t("Embed {name}", { name: row.attributes.name })}
              onClick={() => {
                onEmbed(row);
              }}
            >
              {t("Embed")}
            </Button>
          </Group>
        ),
        csv: () => "",
      },
    ];
  }, [currencies, wallets, onEdit, onCode, onEmbed]);
}

function amountText({ attributes }: Row, code: string): string {
  const { amount_type: type, amount, amount_min: min, amount_max: max } = attributes;
  if (type === "open") return t("Any amount");
  if (type === "fixed") return `${amount ?? ""} ${code}`;
  if (min === null && max === null) return t("Payer chooses");
  if (max === null) return t("Payer chooses, from {min} {code}", { min: min ?? "", code });
  return min === null
    ? t("Payer chooses, to {max} {code}", { max, code })
    : t("Payer chooses, from {min} to {max} {code}", { min, max, code });
}

/** "3", or "3 of 12" with a stock. */
function countText({ paid_count: paid, stock }: PaymentLink["attributes"]): string {
  return stock === null ? String(paid) : t("{paid} of {stock}", { paid, stock });
}
