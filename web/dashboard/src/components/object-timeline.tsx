import { Button, Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Currency } from "../../../../client/src/api-types.gen.ts";
import { api } from "../api/api.ts";
import { type ById, codeOf, useCurrencies } from "../api/lookups.ts";
import { describeProblem } from "../api/problem.ts";
import { rich } from "../language/rich.tsx";
import { t } from "../language/t.ts";
import { Amount } from "./amount.tsx";
import { CodeText } from "./code-text.tsx";
import { PathLink } from "./path-link.tsx";
import {
  describeEntry,
  type Entry,
  type EntryGroup,
  groupEntries,
  isLedgerEntry,
} from "./timeline-entries.ts";
import { TimelineView } from "./timeline-view.tsx";

/** The activity of a deposit or payout, newest first. Ledger entries are hidden until requested. */
export function ObjectTimeline({
  type,
  id,
}: {
  readonly type: "deposit" | "payout";
  readonly id: string;
}) {
  const currencies = useCurrencies();
  const [withLedger, setWithLedger] = useState(false);
  const path = type === "deposit" ? "/deposit/{id}/timeline/" : "/payout/{id}/timeline/";
  const entries = useInfiniteQuery({
    queryKey: [type, id, "timeline"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      api.list(path, { id, sort: ["-at"], page: { after: pageParam, size: 50 }, signal }),
    getNextPageParam: ({ next }) => next,
    refetchInterval: 5_000,
  });
  if (entries.error !== null) return <Text c="red">{describeProblem(entries.error).detail}</Text>;
  const all = (entries.data?.pages ?? []).flatMap(({ data }) => data);
  const shown = withLedger ? all : all.filter((entry) => !isLedgerEntry(entry));
  return (
    <Stack>
      <TimelineView
        items={groupEntries(shown).map((group) => {
          const { title, tone } = describeEntry(group.entries[0], type);
          return {
            id: group.entries[0].id,
            at: group.at,
            title,
            tone,
            detail: <EntryGroupDetail group={group} currencies={currencies} />,
          };
        })}
      />
      <Group gap="sm">
        {entries.hasNextPage ? (
          <Button
            variant="default"
            loading={entries.isFetchingNextPage}
            onClick={() => void entries.fetchNextPage()}
          >
            {t("Show earlier activity")}
          </Button>
        ) : null}
        <Button
          variant="transparent"
          px={0}
          size="xs"
          aria-pressed={withLedger}
          onClick={() => {
            setWithLedger(!withLedger);
          }}
        >
          {withLedger ? t("Hide ledger entries") : t("Show ledger entries")}
        </Button>
      </Group>
    </Stack>
  );
}

function EntryGroupDetail({
  group,
  currencies,
}: {
  readonly group: EntryGroup;
  readonly currencies: ById<Currency>;
}) {
  return group.entries.map((entry) => (
    <EntryDetail key={entry.id} entry={entry} currencies={currencies} />
  ));
}

function EntryDetail({
  entry: { attributes, relationships },
  currencies,
}: {
  readonly entry: Entry;
  readonly currencies: ById<Currency>;
}) {
  const { amount, debit, credit, txid, block_height: height, message } = attributes;
  const payout = relationships.payout.data;
  return (
    <Text size="sm" component="div">
      {amount === null ? null : (
        <Amount value={amount} code={codeOf(currencies, relationships.currency.data?.id)} />
      )}
      {debit === null || credit === null ? null : (
        <span>
          {t("debit {debit}, credit {credit}", {
            debit: accountName(debit),
            credit: accountName(credit),
          })}
        </span>
      )}
      {height === null ? null : <div>{t("Block {height}", { height: String(height) })}</div>}
      {txid === null ? null : (
        <div>
          <CodeText value={txid} label="transaction ID" isShort />
        </div>
      )}
      {payout === null ? null : (
        <div>
          {rich("Sent by {link}", {
            link: (
              <PathLink to={`/payouts/${payout.id}`} size="sm">
                {t("payout {id}", { id: payout.id })}
              </PathLink>
            ),
          })}
        </div>
      )}
      {message === null || attributes.kind === "attempt" ? null : <div>{message}</div>}
    </Text>
  );
}

/** The ledger account `wallet/available` as "wallet (available)". */
function accountName(account: string): string {
  const [kind = "", bucket] = account.split("/");
  const name = kind.replace("_", " ");
  return bucket === undefined ? name : `${name} (${bucket})`;
}
