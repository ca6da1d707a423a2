import type { Loader } from "../../src/http/jsonapi/compose-document.ts";
import type { ListSql } from "../../src/platform/db/list-query.ts";
import type { Instant } from "../../src/platform/kernel/clock.ts";
import { toOne } from "../../src/platform/kernel/resource-object.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { defineDocument } from "../../src/platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../src/platform/resources/define-resource.ts";
import {
  boolean,
  decimal,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../src/platform/resources/json-schema.ts";

/** A small resource over the real wallet table, with a filter and a field of every kind, for tests of the HTTP layer. */

const statuses = [
  { value: 1, name: "Inactive" },
  { value: 3, name: "Active" },
];
export const currency = defineResource({
  type: "currency",
  description: "A currency.",
  attributes: { alpha: text },
  relationships: { parent: { resource: "currency", nullable: true } },
  filters: {},
  sortable: [],
  defaultSort: "id",
});
export const box = defineResource({
  type: "box",
  description: "A wallet, as far as these tests need one.",
  attributes: {
    label: text,
    status: oneOf(statuses),
    needs_activation: boolean,
    limit: nullable(integer),
    share: nullable(decimal),
    created_at: timestamp,
  },
  relationships: {
    currency: { resource: "currency" },
    friend: { resource: "box", nullable: true },
  },
  filters: {
    id: { lookup: "exact", regexp: "^[1-9][0-9]*$", maxLength: 8 },
    label: { lookup: "icontains", maxLength: 32 },
    status: { lookup: "exact", choices: statuses },
    needs_activation: { lookup: "exact", value: "boolean" },
    created_at_from: { lookup: "exact", maxLength: 32, value: "timestamp" },
    created_at_to: { lookup: "exact", maxLength: 32, value: "timestamp" },
    help_email: { lookup: "exact", maxLength: 64 },
  },
  sortable: ["created_at", "label", "status"],
  defaultSort: "-created_at",
});
export const boxFields = {
  label: { kind: "String", maxLength: 5 },
  limit: { kind: "Integer", min: 0, max: 100 },
  share: { kind: "Decimal", min: 0, maxLength: 36 },
  callback_url: { kind: "URL", maxLength: 256 },
  flag: { kind: "Boolean" },
  status: { kind: "Choice", choices: statuses },
  extra: { kind: "Field" },
  page: { kind: "URL", readOnly: true },
} as const;
export const newBox = defineDocument({
  type: "box",
  fields: {
    ...boxFields,
    currency: { kind: "Relationship", resource: "currency", required: true },
    friend: { kind: "Relationship", resource: "box", alsoAttribute: true },
  },
});
export const boxPatch = defineDocument({
  type: "box",
  partial: true,
  fields: { label: boxFields.label, limit: boxFields.limit },
});
export const quote = defineDocument({
  type: "quote",
  missing: "fieldMissing",
  fields: {
    amount: { kind: "Decimal", required: true },
    currency: { kind: "Relationship", resource: "currency", required: true },
  },
});

export const boxList: ListSql = {
  name: "box.list",
  select: "w.id, w.label, w.status, w.needs_activation, w.currency, w.created_at",
  from: "wallet w",
  filters: {
    id: { kind: "id", sql: "w.id" },
    label: { kind: "contains", sql: "w.label" },
    status: { kind: "integer", sql: "w.status" },
    needs_activation: { kind: "boolean", sql: "w.needs_activation" },
    created_at_from: { kind: "from", sql: "w.created_at" },
    created_at_to: { kind: "to", sql: "w.created_at" },
    help_email: { kind: "nothing" },
  },
  sort: {
    id: { sql: "w.id", type: "bigint" },
    created_at: { sql: "w.created_at", type: "timestamptz" },
    label: { sql: "w.label", type: "text" },
    status: { sql: "w.status", type: "integer" },
  },
};
export type BoxRow = {
  id: string;
  label: string;
  status: number;
  needs_activation: boolean;
  currency: string;
  created_at: Instant;
};

export const renderBox = (row: BoxRow): ResourceOf<typeof box> => ({
  type: "box",
  id: row.id,
  attributes: {
    label: row.label,
    status: row.status,
    needs_activation: row.needs_activation,
    limit: null,
    share: null,
    created_at: formatTimestamp(row.created_at),
  },
  relationships: { currency: toOne("currency", row.currency), friend: toOne("box", null) },
});

export const currencyLoader: Loader = {
  resource: currency,
  load: (ids) =>
    Promise.resolve(
      ids.map((id) => ({
        type: "currency",
        id,
        attributes: { alpha: `C${id}` },
        relationships: { parent: toOne("currency", id === "2015" ? "1002" : null) },
      })),
    ),
};
