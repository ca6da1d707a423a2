import { Card, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { IconChevronRight, IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Amount } from "../../components/amount.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Section } from "../../components/section.tsx";
import { plural, t } from "../../language/t.ts";
import { StoppedPayouts } from "../operations/stopped-payouts.tsx";
import { useFiat } from "../wallets/use-prices.ts";
import { useTotalBalance } from "../wallets/use-total-balance.ts";
import { type SpanName, spans, sumByBucket } from "./buckets.ts";
import { FirstPayment } from "./first-payment.tsx";
import { FeeChart, VolumeChart } from "./money-charts.tsx";
import "./overview.css";
import { CallbackChart, ConfirmationChart } from "./progress-charts.tsx";
import { useAttention, useHasDeposits } from "./use-attention.ts";
import { useBuckets, useVolume } from "./use-statistics.ts";

/** The account at a glance: balances, required actions and charts. */
export function OverviewPage() {
  const [span, setSpan] = useState<SpanName>("30");
  const fiat = useFiat();
  const hasDeposits = useHasDeposits();
  return (
    <>
      <PageHeader
        title={t("Overview")}
        actions={
          <SegmentedControl
            aria-label={t("Chart period")}
            value={span}
            onChange={(value) => {
              setSpan(value as SpanName);
            }}
            data={Object.entries(spans).map(([value, { label }]) => ({ value, label }))}
          />
        }
      />
      <StoppedPayouts />
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
  const of = (direction: string): string | undefined => {
    if (today === undefined) return undefined;
    return (
      sumByBucket(
        starts,
        today
          .map(({ attributes }) => attributes)
          .filter((attributes) => attributes.direction === direction),
      ).at(-1) ?? "0.00"
    );
  };
  const balances = useTotalBalance(fiat.id);
  const figure = (value: string | undefined) =>
    value === undefined ? (
      <Skeleton height={24} width={140} aria-busy="true" />
    ) : (
      <Amount value={value} code={fiat.code} />
    );
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="lg">
      <Figure
        name={t("Balances")}
        value={figure(balances?.amount)}
        note={
          balances === undefined || balances.unpriced === 0
            ? t("All wallets, at current prices")
            : plural(
                balances.unpriced,
                "Excludes {count} wallet without a price",
                "Excludes {count} wallets without a price",
              )
        }
      />
      <Figure
        name={t("Received today")}
        value={figure(of("deposit"))}
        note={t("Confirmed since midnight UTC")}
      />
      <Figure
        name={t("Paid out today")}
        value={figure(of("payout"))}
        note={t("Confirmed since midnight UTC")}
      />
    </SimpleGrid>
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
    <Section title={t("Action required")}>
      {items === undefined ? (
        <Skeleton height={44} />
      ) : items.length === 0 ? (
        <Group gap="xs" c="dimmed">
          <IconCircleCheck size={18} aria-hidden="true" />
          {t("You\'re all caught up.")}
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
