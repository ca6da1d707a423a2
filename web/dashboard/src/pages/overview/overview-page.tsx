import { Card, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { IconChevronRight, IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useWallets, walletCurrency } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Section } from "../../components/section.tsx";
import { fiatTotal, fiatValue } from "../wallets/fiat-value.ts";
import { useFiat, usePrices } from "../wallets/use-prices.ts";
import { type SpanName, spans, sumByBucket } from "./fill-buckets.ts";
import { FirstPayment } from "./first-payment.tsx";
import { FeeChart, VolumeChart } from "./money-charts.tsx";
import "./overview.css";
import { CallbackChart, ConfirmationChart } from "./progress-charts.tsx";
import { useAttention, useHasDeposits } from "./use-attention.ts";
import { useBuckets, useVolume } from "./use-statistics.ts";

/** How the account does: what waits for a decision, its money, and what came of the last weeks. */
export function OverviewPage() {
  const [span, setSpan] = useState<SpanName>("30");
  const fiat = useFiat();
  const hasDeposits = useHasDeposits();
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          <SegmentedControl
            aria-label="Time span of the charts"
            value={span}
            onChange={(value) => {
              setSpan(value as SpanName);
            }}
            data={Object.entries(spans).map(([value, { label }]) => ({ value, label }))}
          />
        }
      />
      <Stack gap="lg">
        {hasDeposits === false ? <FirstPayment /> : null}
        <Figures fiat={fiat} />
        <AttentionList />
        <VolumeChart span={span} fiat={fiat} />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <ConfirmationChart span={span} />
          <CallbackChart span={span} />
        </SimpleGrid>
        <FeeChart span={span} fiat={fiat} />
      </Stack>
    </>
  );
}

type Fiat = { readonly id: string; readonly code: string };

function Figures({ fiat }: { readonly fiat: Fiat }) {
  const today = useVolume("7", fiat.id).data;
  const starts = useBuckets("7");
  const of = (direction: string): string | null => {
    if (today === undefined) return null;
    return (
      sumByBucket(
        starts,
        today
          .map(({ attributes }) => attributes)
          .filter((attributes) => attributes.direction === direction),
      ).at(-1) ?? "0.00"
    );
  };
  const worth = useWorth(fiat.id);
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="lg">
      <Figure
        name="Balances"
        value={<Amount value={worth.amount} code={fiat.code} />}
        note={
          worth.unpriced === 0
            ? "Of all your wallets, at current prices"
            : `Without ${worth.unpriced} wallets that have no price`
        }
      />
      <Figure
        name="Came in today"
        value={<Amount value={of("deposit")} code={fiat.code} />}
        note="Confirmed since midnight UTC"
      />
      <Figure
        name="Paid out today"
        value={<Amount value={of("payout")} code={fiat.code} />}
        note="Confirmed since midnight UTC"
      />
    </SimpleGrid>
  );
}

function useWorth(fiatId: string) {
  const wallets = [...useWallets().values()];
  const currencyIds = wallets.flatMap((wallet) => walletCurrency(wallet) ?? []);
  const prices = usePrices(currencyIds, fiatId);
  // A price too old to be called current is what there is: the list of wallets says so beside each.
  return fiatTotal(
    wallets.map((wallet) =>
      fiatValue(wallet.attributes.balance_confirmed, walletCurrency(wallet) ?? "", fiatId, prices),
    ),
  );
}

function Figure({
  name,
  value,
  note,
}: {
  readonly name: string;
  readonly value: React.ReactNode;
  readonly note: string;
}) {
  return (
    <Card padding="md">
      <div className="figure-name">{name}</div>
      <div className="figure-value">{value}</div>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Card>
  );
}

function AttentionList() {
  const items = useAttention();
  return (
    <Section title="Needs a decision">
      {items === undefined ? (
        <Skeleton height={44} />
      ) : items.length === 0 ? (
        <Group gap="xs" c="dimmed">
          <IconCircleCheck size={18} aria-hidden="true" />
          Nothing waits for anybody.
        </Group>
      ) : (
        <ul className="attention-list">
          {items.map(({ id, count, text, hint, to, search }) => (
            <li key={id}>
              <Link to={to} search={search}>
                <span className="count">{count}</span>
                <span>
                  <Text component="span" display="block" fw={600}>
                    {text}
                  </Text>
                  <Text component="span" display="block" size="sm" c="dimmed">
                    {hint}
                  </Text>
                </span>
                <IconChevronRight className="leads" size={18} aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
