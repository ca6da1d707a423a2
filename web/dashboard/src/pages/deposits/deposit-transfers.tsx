import { useQuery } from "@tanstack/react-query";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { rowCode, useCurrencies } from "../../api/lookups.ts";
import { CodeText } from "../../components/code-text.tsx";
import { confirmationsText } from "../../components/confirmation-progress.tsx";
import { fiatColumn, fiatOf } from "../../components/fiat-values.tsx";
import {
  amountColumn,
  createdColumn,
  transferStatusColumn,
} from "../../components/list-columns.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { PathLink } from "../../components/path-link.tsx";
import { Section } from "../../components/section.tsx";
import { messageText } from "../../language/message-text.ts";
import { t } from "../../language/t.ts";
import { HeldTransfer } from "../transfers/held-transfer.tsx";

/** A deposit's transfers, read every three seconds. */
export function useDepositTransfers(depositId: string) {
  return useQuery({
    queryKey: ["deposit", depositId, "transfers"],
    queryFn: async ({ signal }) => {
      const byId = await api.list("/transfer/", {
        filter: { op_id: depositId },
        page: { size: 100 },
        signal,
      });
      // A payout may have the same ID.
      return byId.data.filter(({ attributes: { op_type: type } }) => type === 1 || type === 15);
    },
    refetchInterval: 3_000,
  });
}

/** The transfers to a deposit's address, including those that do not count as payments. */
export function DepositTransfers({ deposit }: { readonly deposit: Deposit }) {
  const currencies = useCurrencies();
  const transfers = useDepositTransfers(deposit.id);
  const held = (transfers.data ?? []).filter(({ attributes }) => attributes.status === -2);
  return (
    <>
      {held.map((transfer) => (
        <HeldTransfer key={transfer.id} transfer={transfer} />
      ))}
      <Section title={t("Transfers")}>
        <MiniTable
          name="Transfers of this deposit"
          rows={transfers.data}
          empty={t(
            "No payments yet. A payment appears here as soon as it is detected, before it is confirmed.",
          )}
          columns={[
            {
              header: "Transfer",
              cell: ({ id }) => <PathLink to={`/transfers/${id}`}>{id}</PathLink>,
            },
            transferStatusColumn,
            amountColumn("amount", "Amount", rowCode(currencies)),
            fiatColumn(currencies, fiatOf),
            {
              header: "Confirmations",
              align: "end",
              cell: ({ attributes, relationships }) => {
                const currency = currencies.get(relationships.currency.data?.id ?? "");
                const needed =
                  deposit.attributes.confirmations_needed ??
                  currency?.attributes.confirmation_blocks;
                return needed === undefined || needed === 0
                  ? attributes.confirmations
                  : confirmationsText(attributes.confirmations, needed);
              },
            },
            {
              header: "Transaction",
              cell: ({ attributes }) => (
                <CodeText value={attributes.txid} label="transaction ID" isShort />
              ),
            },
            { ...createdColumn, header: "Detected" },
            {
              header: "Note",
              cell: ({ attributes }) =>
                attributes.message === null ? "–" : messageText(attributes.message),
            },
          ]}
        />
      </Section>
    </>
  );
}
