import { ofAccount } from "../../platform/db/account-scope.ts";
import {
  columnDefinitions,
  columnList,
  id,
  type RecordOf,
  type Row,
  writeRecord,
} from "../../platform/db/columns.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { fetchPage, type ListSql } from "../../platform/db/list-query.ts";
import { sealedColumn } from "../../platform/db/sealed-column.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type ListQuery, mapPage, type Page } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import {
  type Beneficiary,
  beneficiaryFields,
  beneficiaryFromRow,
  beneficiaryTravelRuleContext,
  shownFields,
} from "./beneficiary.ts";
import { beneficiaryFilters, beneficiarySort } from "./beneficiary-filters.ts";

// The same rule as for the creation of a payout, in internal-destination.store.ts.
const columns = columnList(shownFields, "b", {
  may_be_paid: `not account.pays_book_only or exists (
      select from address_book k where k.account_id = b.account_id and k.chain = b.chain and k.address = b.address
        and k.tag is not distinct from b.tag)`,
});

const tables = "beneficiary b join account on account.id = b.account_id";

const list: ListSql = {
  name: "beneficiary.list",
  select: columns,
  from: tables,
  filters: beneficiaryFilters,
  sort: beneficiarySort,
};

/** One page of an account's beneficiaries. */
export async function listBeneficiaryRows(
  db: Executor,
  accountId: string,
  query: ListQuery,
): Promise<Page<Beneficiary>> {
  const scope = [ofAccount("b.account_id", accountId)];
  return mapPage(await fetchPage<Row>(db, list, scope, query), beneficiaryFromRow);
}

const readOne = statement<Row>(
  "beneficiary.read",
  `select ${columns} from ${tables} where b.account_id = $1 and b.id = $2`,
);

/** The beneficiary with this id; null when the account has none. */
export async function readBeneficiaryRow(
  db: Executor,
  accountId: string,
  id: string,
): Promise<Beneficiary | null> {
  const [row] = await db.query(readOne, [accountId, id]);
  return row === undefined ? null : beneficiaryFromRow(row);
}

const nextId = statement<{ id: string }>(
  "beneficiary.next-id",
  "select nextval(pg_get_serial_sequence('beneficiary', 'id')) as id",
);

/** The next beneficiary's id. It is needed before the insert, because the sealed data is bound to the id of its row. */
export async function takeBeneficiaryId(tx: Executor): Promise<string> {
  const [row] = await tx.query(nextId, []);
  return present(row, "an id").id;
}

const insertFields = { ...beneficiaryFields, createdByMemberId: id("created_by_member_id") };

const insert = statement<{ id: string }>(
  "beneficiary.insert",
  `insert into beneficiary (${columnList(insertFields)})
   select * from json_to_record($1::json) as b (${columnDefinitions(insertFields)})
   on conflict (account_id, chain, address, tag) do nothing returning id`,
);

/** Stores a beneficiary. False when another one of the account has this chain, address and tag. */
export async function storeBeneficiary(
  tx: Executor,
  row: RecordOf<typeof insertFields>,
): Promise<boolean> {
  return (await tx.query(insert, [JSON.stringify(writeRecord(insertFields, row))])).length > 0;
}

const update = statement<{ id: string }>(
  "beneficiary.update",
  `update beneficiary set name = coalesce($3, name),
     travel_rule_sealed = case when $4 then $5 else travel_rule_sealed end, updated_at = $6
   where account_id = $1 and id = $2 returning id`,
);

/** Changes a beneficiary; undefined keeps a value. False when the account has no such beneficiary. */
export async function updateBeneficiary(
  tx: Executor,
  { accountId, id }: Pick<Beneficiary, "accountId" | "id">,
  change: {
    readonly name: string | undefined;
    readonly travelRuleSealed: Uint8Array | null | undefined;
  },
  now: Instant,
): Promise<boolean> {
  const { name, travelRuleSealed } = change;
  const rows = await tx.query(update, [
    ...[accountId, id, name ?? null],
    ...[travelRuleSealed !== undefined, travelRuleSealed ?? null, formatTimestamp(now)],
  ]);
  return rows.length > 0;
}

const remove = statement<{ name: string }>(
  "beneficiary.remove",
  "delete from beneficiary where account_id = $1 and id = $2 returning name",
);

/** Removes a beneficiary and returns its name; null when the account has none. */
export async function removeBeneficiaryRow(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<string | null> {
  const [row] = await tx.query(remove, [accountId, id]);
  return row?.name ?? null;
}

/** The sealed columns of beneficiaries. */
export const beneficiarySealedColumns = [
  sealedColumn({
    table: "beneficiary",
    column: "travel_rule_sealed",
    key: "id",
    keyType: "bigint",
    context: beneficiaryTravelRuleContext,
  }),
];
