import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import type { Amount, LedgerObject } from "./objects.ts";
import type { Result } from "./results.ts";
import type { Change, Changes } from "./state.ts";

/** What a transaction did, as ledgers store it. */
export type Metadata = {
  readonly AffectedNodes: readonly JsonObject[];
  readonly TransactionIndex: number;
  readonly TransactionResult: Result;
  /** The batch of which it is an inner transaction. */
  readonly ParentBatchID?: string;
  /** Where the amount delivered may differ from the one stated. */
  readonly DeliveredAmount?: Amount;
};

/** The changes as rippled lists them, by key. */
export function affectedNodes(changes: Changes): readonly JsonObject[] {
  return [...changes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, change]) => nodeOf(key, change));
}

function nodeOf(LedgerIndex: string, change: Change): readonly JsonObject[] {
  const { before } = change;
  const after = change.kind === "written" ? change.after : change.last;
  const named = { LedgerEntryType: after.LedgerEntryType, LedgerIndex };
  if (before === null)
    return change.kind === "removed"
      ? []
      : [{ CreatedNode: { ...named, NewFields: newFields(after) } }];
  const previous = changedFields(before, after);
  const fields = {
    ...named,
    FinalFields: fieldsOf(after),
    ...(Object.keys(previous).length === 0 ? {} : { PreviousFields: previous }),
  };
  if (change.kind === "removed") return [{ DeletedNode: fields }];
  // The genesis ledger was made by no transaction.
  const { PreviousTxnID, PreviousTxnLgrSeq } = before;
  const thread = PreviousTxnID === "" ? {} : { PreviousTxnID, PreviousTxnLgrSeq };
  return [{ ModifiedNode: { ...fields, ...thread } }];
}

const besideFields = new Set(["LedgerEntryType", "PreviousTxnID", "PreviousTxnLgrSeq"]);

/** Without the type and the thread, which nodes name beside the fields. */
function fieldsOf(object: LedgerObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !besideFields.has(name)));
}

/** Fields with their default value are left out: 0 and 0 XRP, but not 0 of an issued currency. */
function newFields(object: LedgerObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fieldsOf(object)).filter(([, value]) => value !== 0 && value !== "0"),
  );
}

function changedFields(before: LedgerObject, after: LedgerObject): JsonObject {
  const now = fieldsOf(after);
  return Object.fromEntries(
    Object.entries(fieldsOf(before)).filter(([name, value]) => !isSame(value, now[name])),
  );
}

function isSame(one: JsonValue, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
