import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { MiniTable } from "../../components/mini-table.tsx";
import { Section } from "../../components/section.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { locale } from "../../language/language.ts";
import { t } from "../../language/t.ts";
import { barLength, gaps, rangeBars } from "./range-bars.ts";

const refreshMs = 3_000;

function useChains() {
  return useQuery({
    queryKey: ["chains", "operated"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/chain/", { signal })),
    refetchInterval: refreshMs,
  });
}

const pauseLabels = {
  none: t("Enabled"),
  kill_switch: t("Stopped"),
  reconciliation: t("Paused: reconciliation"),
  restore: t("Paused: restore"),
  node: t("Paused: node"),
} as const;

type Chain = NonNullable<ReturnType<typeof useChains>["data"]>[number];

/** The sync state of each chain, refreshed every few seconds, and the block ranges scanned. */
export function ChainsSection() {
  const { data } = useChains();
  return (
    <>
      <Section title={t("Blockchains")}>
        <MiniTable
          name="Blockchains"
          rows={data}
          empty={t("No blockchain is configured.")}
          columns={[
            {
              header: "Chain",
              cell: ({ id, attributes }) => (
                <div>
                  {attributes.name}
                  <Text size="xs" c="dimmed">
                    {id}, {attributes.is_simulated === true ? t("Simulated") : attributes.network}
                  </Text>
                </div>
              ),
            },
            {
              header: "Status",
              cell: ({ attributes }) => (
                <StatusBadge
                  tone={attributes.is_up ? "good" : "bad"}
                  label={attributes.is_up ? t("Synced") : t("Syncing")}
                />
              ),
            },
            {
              header: "Scanned block",
              align: "end",
              cell: ({ attributes }) => number(attributes.height),
            },
            {
              header: "Node block",
              align: "end",
              cell: ({ attributes }) => number(attributes.node_height),
            },
            {
              header: "Lag",
              align: "end",
              cell: ({ attributes }) => number(attributes.lag_blocks),
            },
            {
              header: "Blocks/s",
              align: "end",
              cell: ({ attributes }) => speed(attributes.blocks_per_second),
            },
            {
              header: "Latest block",
              cell: ({ attributes }) => <TimeText value={attributes.block_time} withSeconds />,
            },
            {
              header: "Reorg limit",
              cell: ({ attributes }) => attributes.reorg_limit ?? t("None|reorg limit"),
            },
            {
              header: "Payouts",
              cell: ({ attributes }) => (
                <StatusBadge
                  tone={attributes.is_paused === true ? "attention" : "good"}
                  label={pauseLabels[attributes.pause_kind ?? "none"]}
                />
              ),
            },
            {
              header: "Node status",
              cell: ({ attributes }) =>
                attributes.node_problem === null ? (
                  <StatusBadge tone="good" label="OK" />
                ) : (
                  <span className="chain-node-problem">{attributes.node_problem}</span>
                ),
            },
          ]}
        />
      </Section>
      <Section title={t("Scanned blocks")}>
        <Stack gap="md">
          {data?.map((chain) => (
            <Ranges key={chain.id} chain={chain} />
          ))}
        </Stack>
      </Section>
    </>
  );
}

function Ranges({ chain: { id, attributes } }: { readonly chain: Chain }) {
  const ranges = useQuery({
    queryKey: ["scanned-ranges", id],
    queryFn: async ({ signal }) =>
      Array.fromAsync(api.each("/chain/{chain}/scanned-range/", { chain: id, signal })),
    refetchInterval: refreshMs * 5,
  });
  const scanned = (ranges.data ?? []).map((range) => range.attributes);
  if (scanned.length === 0) return null;
  // The scan continues during this request: blocks above the newest range are not a gap.
  const tip = Math.max(...scanned.map(({ to_height }) => to_height));
  const { from, to, bars } = rangeBars(scanned, tip);
  const missing = gaps(scanned, tip);
  const text =
    missing.length === 0
      ? t("All blocks from {from} to {to} scanned.", {
          from: number(from),
          to: number(to),
        })
      : t("Not scanned: {ranges}.", { ranges: missing.join(", ") });
  return (
    <div>
      <Text fw={600} size="sm">
        {attributes.name}
      </Text>
      <svg
        className="range-bar"
        viewBox={`0 0 ${barLength} 10`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${attributes.name}: ${text}`}
      >
        <rect className="unread" width={barLength} height={10} />
        {bars.map(({ start, length }) => (
          <rect key={start} className="read" x={start} width={length} height={10} />
        ))}
      </svg>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </div>
  );
}

const grouped = new Intl.NumberFormat(locale);
const twoDigits = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });

function speed(blocksPerSecond: number | null): string {
  return blocksPerSecond === null ? "–" : twoDigits.format(blocksPerSecond);
}

function number(value: number | null): string {
  return value === null ? "–" : grouped.format(value);
}
