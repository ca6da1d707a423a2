import { Button, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Currency } from "../../../../client/src/api-types.gen.ts";
import { api } from "../api/api.ts";
import { type ById, codeOf, useCurrencies } from "../api/lookups.ts";
import { describeProblem } from "../api/problem.ts";
import { Amount } from "./amount.tsx";
import { CodeText } from "./code-text.tsx";
import { PathLink } from "./path-link.tsx";
import { TimelineView } from "./timeline-view.tsx";
import { type Entry, gatherEntries, type Moment, wordsOf } from "./timeline-words.ts";

/** What is on record of a deposit or a payout, newest first, kept up to date while it is looked at. */
export function ObjectTimeline({
  type,
  id,
}: {
  readonly type: "deposit" | "payout";
  readonly id: string;
}) {
  const currencies = useCurrencies();
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
  const moments = gatherEntries((entries.data?.pages ?? []).flatMap(({ data }) => data));
  return (
    <Stack>
      <TimelineView
        items={moments.map((moment) => {
          const { title, tone } = wordsOf(moment.entries[0], type);
          return {
            id: moment.entries[0].id,
            at: moment.at,
            title,
            tone,
            detail: <MomentDetail moment={moment} currencies={currencies} />,
          };
        })}
      />
      {entries.hasNextPage ? (
        <Button
          variant="default"
          loading={entries.isFetchingNextPage}
          onClick={() => void entries.fetchNextPage()}
        >
          Show what was earlier
        </Button>
      ) : null}
    </Stack>
  );
}

function MomentDetail({
  moment,
  currencies,
}: {
  readonly moment: Moment;
  readonly currencies: ById<Currency>;
}) {
  return moment.entries.map((entry) => (
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
          : debit {accountName(debit)}, credit {accountName(credit)}
        </span>
      )}
      {height === null ? null : <div>Block {height}</div>}
      {txid === null ? null : (
        <div>
          <CodeText value={txid} label="the transaction" isShort />
        </div>
      )}
      {payout === null ? null : (
        <div>
          by{" "}
          <PathLink to={`/payouts/${payout.id}`} size="sm">
            payout {payout.id}
          </PathLink>
        </div>
      )}
      {message === null ? null : <div>{message}</div>}
    </Text>
  );
}

/** `wallet/available` reads "wallet (available)". */
function accountName(account: string): string {
  const [kind = "", bucket] = account.split("/");
  const name = kind.replace("_", " ");
  return bucket === undefined ? name : `${name} (${bucket})`;
}
