import { SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { rowCode, useCurrencies } from "../../api/lookups.ts";
import { refreshEvery } from "../../api/refresh-every.ts";
import {
  amountColumn,
  createdColumn,
  stateColumn,
  transferStatusColumn,
} from "../../components/list-columns.tsx";
import { MiniTable } from "../../components/mini-table.tsx";
import { PathLink } from "../../components/path-link.tsx";
import { Section } from "../../components/section.tsx";
import { TextLink } from "../../components/text-link.tsx";
import type { PlainText } from "../../language/catalogs.ts";
import { t } from "../../language/t.ts";

/** The wallet's latest deposits, payouts and transfers, each with a link to the full list. */
export function WalletActivity({
  walletId,
  code,
}: {
  readonly walletId: string;
  readonly code: string | null;
}) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Deposits walletId={walletId} code={code} />
        <Payouts walletId={walletId} />
      </SimpleGrid>
      <Transfers walletId={walletId} />
    </>
  );
}

const newest = { size: 5 };
const refreshMs = 15_000;

const allTexts = {
  deposits: "View all deposits",
  payouts: "View all payouts",
  transfers: "View all transfers",
} as const satisfies Readonly<Record<string, PlainText>>;

function AllLink({
  list,
  walletId,
}: {
  readonly list: keyof typeof allTexts;
  readonly walletId: string;
}) {
  return (
    <PathLink to={`/${list}`} search={{ "filter[wallet]": walletId }} size="sm">
      {t(allTexts[list])}
    </PathLink>
  );
}

function Deposits({ walletId, code }: { readonly walletId: string; readonly code: string | null }) {
  const rows = useQuery({
    queryKey: ["wallet", walletId, "deposits"],
    queryFn: async ({ signal }) =>
      (await api.list("/deposit/", { filter: { wallet: walletId }, page: newest, signal })).data,
    refetchInterval: refreshEvery(refreshMs),
  });
  return (
    <Section title={t("Deposits")} action={<AllLink list="deposits" walletId={walletId} />}>
      <MiniTable
        name="Latest deposits"
        rows={rows.data}
        empty={t("No deposits yet. Create one to receive a payment.")}
        columns={[
          {
            header: "Deposit",
            cell: ({ id, attributes }) => (
              <TextLink to="/deposits/$depositId" params={{ depositId: id }}>
                {attributes.label ?? id}
              </TextLink>
            ),
          },
          stateColumn("deposit"),
          amountColumn("target_paid", "Received", () => code),
        ]}
      />
    </Section>
  );
}

function Payouts({ walletId }: { readonly walletId: string }) {
  const currencies = useCurrencies();
  const rows = useQuery({
    queryKey: ["wallet", walletId, "payouts"],
    queryFn: async ({ signal }) =>
      (await api.list("/payout/", { filter: { wallet: walletId }, page: newest, signal })).data,
    refetchInterval: refreshEvery(refreshMs),
  });
  return (
    <Section title={t("Payouts")} action={<AllLink list="payouts" walletId={walletId} />}>
      <MiniTable
        name="Latest payouts"
        rows={rows.data}
        empty={t("No payouts from this wallet yet.")}
        columns={[
          {
            header: "Payout",
            cell: ({ id, attributes }) => (
              <PathLink to={`/payouts/${id}`}>{attributes.label ?? id}</PathLink>
            ),
          },
          stateColumn("payout"),
          amountColumn("amount", "Amount", rowCode(currencies)),
        ]}
      />
    </Section>
  );
}

function Transfers({ walletId }: { readonly walletId: string }) {
  const currencies = useCurrencies();
  const rows = useQuery({
    queryKey: ["wallet", walletId, "transfers"],
    queryFn: async ({ signal }) =>
      (await api.list("/transfer/", { filter: { wallet: walletId }, page: newest, signal })).data,
    refetchInterval: refreshEvery(refreshMs),
  });
  return (
    <Section title={t("Transfers")} action={<AllLink list="transfers" walletId={walletId} />}>
      <MiniTable
        name="Latest transfers"
        rows={rows.data}
        empty={t("No transfers yet.")}
        columns={[
          {
            header: "Transfer",
            cell: ({ id }) => (
              <TextLink to="/transfers/$transferId" params={{ transferId: id }}>
                {id}
              </TextLink>
            ),
          },
          transferStatusColumn,
          amountColumn("amount", "Amount", rowCode(currencies)),
          createdColumn,
        ]}
      />
    </Section>
  );
}
