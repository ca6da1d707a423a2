import { Group, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { SearchHit } from "../../../../client/src/api-types.gen.ts";
import { api } from "../api/api.ts";
import { ErrorAlert } from "../components/problem-alert.tsx";
import { StatusBadge } from "../components/status-badge.tsx";

const names = { deposit: "Deposit", payout: "Payout", transfer: "Transfer" } as const;
const matches = {
  id: "number",
  page: "payment page",
  txid: "transaction",
  tracking_id: "tracking id",
  label: "label",
  address: "address",
} as const;

/** What a text names, best first; how many there are is told to screen readers. */
export function SearchHits({
  text,
  isTyping,
  onChoose,
}: {
  readonly text: string;
  /** Whether another text is asked for in a moment. */
  readonly isTyping: boolean;
  readonly onChoose: () => void;
}) {
  const found = useQuery({
    queryKey: ["search", text],
    queryFn: async ({ signal }) =>
      (await api.list("/search/", { filter: { text: text.slice(0, 256) }, signal })).data,
    enabled: text !== "",
    placeholderData: keepPreviousData,
  });
  if (found.error !== null) return <ErrorAlert error={found.error} />;
  const hits = text === "" ? undefined : found.data;
  // Those of the text before stay in sight, but nobody goes by them: what is typed may name something else.
  const isOld = isTyping || found.isPlaceholderData;
  return (
    <>
      <Text role="status" size="sm" c="dimmed">
        {hits === undefined || isOld ? "" : countText(hits.length)}
      </Text>
      {hits === undefined || hits.length === 0 ? null : (
        <ul className="search-hits" inert={isOld}>
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

function countText(count: number): string {
  if (count === 0) return "Nothing is called so.";
  return count === 1 ? "One hit" : `${count} hits`;
}

function Hit({ hit, onChoose }: { readonly hit: SearchHit; readonly onChoose: () => void }) {
  const { object_type, object_id, matched, value, status } = hit.attributes;
  // The router knows the three pages by their patterns; which of them it is comes with the hit.
  const to = `/${object_type}s/${object_id}` as "/";
  return (
    <Link className="search-hit" to={to} onClick={onChoose}>
      <Group justify="space-between" wrap="nowrap">
        <Text component="span" fw={600}>
          {names[object_type]} {object_id}
        </Text>
        <StatusBadge kind={object_type} value={status} />
      </Group>
      {matched === "id" ? null : (
        <Text component="span" size="sm" c="dimmed">
          {matches[matched]} <span className="code-text">{value}</span>
        </Text>
      )}
    </Link>
  );
}
