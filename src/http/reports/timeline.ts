import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { createReadDeposit } from "../../deposits/read-deposits.ts";
import { readPayout } from "../../payouts/read-payouts.ts";
import type { Executor } from "../../platform/db/database.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  decimal,
  described,
  integer,
  type JsonSchema,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { listTimeline } from "../../reports/timeline/read-timeline.ts";
import {
  type TimelineEntry,
  timelineFilters,
  timelineKinds,
} from "../../reports/timeline/timeline-entry.ts";
import { listRoute, type Route } from "../server/route.ts";

const member: JsonSchema = {
  type: "object",
  required: ["id", "name"],
  properties: { id: text, name: text },
};

const timelineEntry = defineResource({
  type: "timeline-entry",
  description:
    "A recorded fact about a deposit or a payout. Values that are stored only as the current state have no entry.",
  attributes: {
    at: timestamp,
    kind: oneOf(timelineKinds),
    txid: nullable(text),
    block_height: described(
      nullable(integer),
      "Of in_block, when the transaction is in that block now.",
    ),
    debit: described(
      nullable(text),
      "Of a posting: the kind of account that is debited. wallet is the object's own wallet.",
    ),
    credit: described(nullable(text), "Of a posting: the kind of account that is credited."),
    amount: described(nullable(decimal), "In the entry's currency."),
    status: described(
      nullable(text),
      "The object's status in the event; of a callback, its current state.",
    ),
    callback_id: nullable(text),
    trigger: described(
      nullable(text),
      "Of a callback and its attempts: the event that it reports, such as status.",
    ),
    attempt: described(
      nullable(integer),
      "The number of the attempt; of a callback, how many there were; of a broadcast, which transaction.",
    ),
    status_code: described(nullable(integer), "The receiver's response."),
    message: nullable(text),
    member: described(
      nullable(member),
      "Who created, approved, accepted, refunded, released or canceled. Null if it was the service or the operator, or was not recorded.",
    ),
  },
  relationships: {
    currency: { resource: "currency", nullable: true },
    transfer: { resource: "transfer", nullable: true },
    payout: { resource: "payout", nullable: true, description: "The payout that refunded it." },
  },
  filters: timelineFilters,
  sortable: ["at"],
  defaultSort: "at",
});

/** `GET /deposit/{id}/timeline/` and `GET /payout/{id}/timeline/`. */
export function timelineRoutes(context: {
  readonly db: Executor;
  readonly currencies: CurrencyRegistry;
}): readonly Route[] {
  const { db } = context;
  const readDeposit = createReadDeposit(db);
  const render = (entry: TimelineEntry) => renderEntry(entry, context.currencies);
  return [
    listRoute({
      path: "/deposit/{id}/timeline/",
      summary: "Get the timeline of a deposit",
      description: "Oldest first: chain events, decisions, postings, events, callbacks.",
      resource: timelineEntry,
      list: async ({ principal, id }, query) => {
        const deposit = (await readDeposit(principal, id)) ?? noSuchObject();
        return mapPage(await listTimeline(db, "deposit", deposit, query), render);
      },
    }),
    listRoute({
      path: "/payout/{id}/timeline/",
      summary: "Get the timeline of a payout",
      description: "Oldest first: approval, broadcasts, blocks, postings, events, callbacks.",
      resource: timelineEntry,
      list: async ({ principal, id }, query) => {
        const payout = (await readPayout(db, principal, id)) ?? noSuchObject();
        return mapPage(await listTimeline(db, "payout", payout, query), render);
      },
    }),
  ];
}

function noSuchObject(): never {
  return reject("notFound", "No object with this id exists.");
}

function renderEntry(
  entry: TimelineEntry,
  currencies: CurrencyRegistry,
): ResourceOf<typeof timelineEntry> {
  const { money } = entry;
  return {
    type: "timeline-entry",
    id: entry.id,
    attributes: {
      at: formatTimestamp(entry.at),
      kind: entry.kind,
      txid: entry.txid,
      block_height: entry.blockHeight,
      debit: entry.debit,
      credit: entry.credit,
      amount:
        money === null ? null : formatDecimal(money.units, currencies.get(money.currency).exp),
      status: entry.status,
      callback_id: entry.callbackId,
      trigger: entry.trigger,
      attempt: entry.attempt,
      status_code: entry.statusCode,
      message: entry.message,
      member: entry.member === null ? null : { ...entry.member },
    },
    relationships: {
      currency: toOne("currency", money?.currency ?? null),
      transfer: toOne("transfer", entry.transferId),
      payout: toOne("payout", entry.payoutId),
    },
  };
}
