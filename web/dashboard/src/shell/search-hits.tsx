import { Group, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import type { SearchHit } from "../../../../client/src/api-types.gen.ts";
import { api } from "../api/api.ts";
import { ErrorAlert } from "../components/problem-alert.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { plural, t } from "../language/t.ts";

const names = {
  deposit: t("Deposit"),
  payout: t("Payout"),
  transfer: t("Transfer"),
  unattributed: t("Unattributed payment"),
} as const;
const pages = {
  deposit: "deposits",
  payout: "payouts",
  transfer: "transfers",
  unattributed: "unattributed",
} as const;
const matches = {
  id: "ID",
  page: t("Payment page"),
  txid: t("Transaction"),
  tracking_id: t("Tracking ID"),
  label: t("Label"),
  address: t("Address"),
  tag: t("Tag"),
  from_address: t("Sender"),
} as const;

/** The search results, best first; their count is announced to screen readers. */
export function SearchHits({
  text,
  isTyping,
  isOpening,
  onChoose,
}: {
  readonly text: string;
  /** Whether a new search is about to start. */
  readonly isTyping: boolean;
  /** Whether the best result is opened without a click. */
  readonly isOpening: boolean;
  readonly onChoose: () => void;
}) {
  const found = useQuery({
    queryKey: ["search", text],
    queryFn: async ({ signal }) =>
      (await api.list("/search/", { filter: { text: text.slice(0, 256) }, signal })).data,
    enabled: text !== "",
    placeholderData: keepPreviousData,
  });
  const navigate = useNavigate();
  const hits = text === "" ? undefined : found.data;
  // Results of the previous text stay visible but inert: the new text may mean something else.
  const isOutdated = isTyping || found.isPlaceholderData;
  const best = isOpening && !isOutdated ? hits?.[0] : undefined;
  useEffect(() => {
    if (best === undefined) return;
    onChoose();
    void navigate({ to: pathOf(best) });
  }, [best, navigate, onChoose]);
  if (found.error !== null) return <ErrorAlert error={found.error} />;
  return (
    <>
      <Text role="status" size="sm" c="dimmed">
        {hits === undefined || isOutdated ? "" : countText(hits.length)}
      </Text>
      {hits === undefined || hits.length === 0 ? null : (
        <ul className="search-hits" inert={isOutdated}>
          {hits.map((hit) => (
            <li key={hit.id}>
              <Hit hit={hit} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The router's types know these pages only as patterns. */
function pathOf({ attributes: { object_type, object_id } }: SearchHit): "/" {
  return `/${pages[object_type]}/${object_id}` as "/";
}

function countText(count: number): string {
  if (count === 0) return t("No results.");
  return plural(count, "1 result", "{count} results");
}

function Hit({ hit, onChoose }: { readonly hit: SearchHit; readonly onChoose: () => void }) {
  const { object_type, object_id, matched, value, status, state } = hit.attributes;
  return (
    <Link className="search-hit" to={pathOf(hit)} onClick={onChoose}>
      <Group justify="space-between" wrap="nowrap">
        <Text component="span" fw={600}>
          {names[object_type]} {object_id}
        </Text>
        <StatusBadge kind={object_type} value={state ?? status ?? ""} />
      </Group>
      {matched === "id" ? null : (
        <Text component="span" size="sm" c="dimmed">
          {matches[matched]} <span className="code-text">{value}</span>
        </Text>
      )}
    </Link>
  );
}
