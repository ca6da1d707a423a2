import type { JsonObject } from "../../platform/kernel/json.ts";
import { parseCsv } from "./parse-csv.ts";

/** A payout of a batch, with texts as the file has them; null where a cell is empty. */
export type BatchRow = {
  /** The row in the file; the header is row 1. */
  readonly number: number;
  readonly amount: string;
  readonly address: string;
  readonly tag: string | null;
  readonly tagType: string | null;
  readonly label: string | null;
  readonly trackingId: string | null;
  /** `travel_rule_info` of a payout; null without recipient details. */
  readonly travelRule: JsonObject | null;
};

/** Something wrong with the file; `column` null: with the row as a whole. */
export type RowFault = {
  readonly row: number;
  readonly column: string | null;
  readonly detail: string;
};

export type BatchReading = {
  readonly rows: readonly BatchRow[];
  readonly faults: readonly RowFault[];
};

/** A request has at most 64 KiB, and a batch of this size is created within seconds. */
export const batchRowsMax = 250;

const columns = [
  ...["address", "amount", "tag", "tag_type", "label", "tracking_id"],
  ...["first_name", "last_name", "company", "country", "street"],
] as const;

/**
 * Reads the payouts of a CSV file whose first line names its columns, in any order: `address` and `amount`, and optionally `tag`,
 * `tag_type`, `label`, `tracking_id` and the recipient's details `first_name` and `last_name` or `company`, `country`, `street`. Unknown
 * columns are faults, because a misspelled one would lose its values. Pure.
 */
export function readBatchRows(file: string): BatchReading {
  const records = parseCsv(file);
  if ("fault" in records)
    return {
      rows: [],
      faults: [{ row: records.line, column: null, detail: records.fault }],
    };
  const [header, ...body] = records;
  if (header === undefined)
    return { rows: [], faults: [{ row: 1, column: null, detail: "The file is empty." }] };
  const names = header.cells.map((cell) => cell.trim().toLowerCase());
  const faults: RowFault[] = headerFaults(names);
  if (faults.length > 0) return { rows: [], faults };
  if (body.length === 0 || body.length > batchRowsMax)
    faults.push({
      row: body.length === 0 ? 1 : (body[batchRowsMax]?.line ?? 1),
      column: null,
      detail: `A batch has 1 to ${batchRowsMax} payouts.`,
    });
  const rows = body.slice(0, batchRowsMax).flatMap(({ line, cells }) => {
    if (cells.length > names.length) {
      const detail = `The row has ${cells.length} cells, the header ${names.length}.`;
      faults.push({ row: line, column: null, detail });
      return [];
    }
    const cell = (name: string): string | null => {
      const value = (cells[names.indexOf(name)] ?? "").trim();
      return names.includes(name) && value !== "" ? value : null;
    };
    return [readRow(line, cell, faults)];
  });
  return { rows, faults: [...faults, ...repeated(rows)] };
}

function headerFaults(names: readonly string[]): RowFault[] {
  const known = new Set<string>(columns);
  const fault = (column: string, detail: string): RowFault => ({ row: 1, column, detail });
  return [
    ...["address", "amount"].flatMap((name) =>
      names.includes(name) ? [] : [fault(name, `The first row must name a column "${name}".`)],
    ),
    ...names.flatMap((name, index) =>
      !known.has(name)
        ? [fault(name, `Unknown column "${name}". Columns are ${columns.join(", ")}.`)]
        : names.indexOf(name) === index
          ? []
          : [fault(name, `Two columns are named "${name}".`)],
    ),
  ];
}

function readRow(
  number: number,
  cell: (name: string) => string | null,
  faults: RowFault[],
): BatchRow {
  for (const name of ["address", "amount"])
    if (cell(name) === null)
      faults.push({ row: number, column: name, detail: `Enter the ${name}.` });
  return {
    number,
    amount: checkedLength("amount", 36) ?? "",
    address: checkedLength("address", 128) ?? "",
    tag: checkedLength("tag", 64),
    tagType: checkedLength("tag_type", 64),
    label: checkedLength("label", 32),
    trackingId: checkedLength("tracking_id", 128),
    travelRule: readRecipient(number, cell, faults),
  };

  /** The limits of `POST /payout/`. */
  function checkedLength(name: string, max: number): string | null {
    const value = cell(name);
    if (value !== null && Array.from(value).length > max)
      faults.push({ row: number, column: name, detail: `At most ${max} characters.` });
    return value;
  }
}

/** A recipient is a company or a person; a row without any of these cells names none. */
function readRecipient(
  row: number,
  cell: (name: string) => string | null,
  faults: RowFault[],
): JsonObject | null {
  const [first, last, company] = [cell("first_name"), cell("last_name"), cell("company")];
  const [country, street] = [cell("country"), cell("street")];
  if ([first, last, company, country, street].every((value) => value === null)) return null;
  const isCompany = company !== null;
  if (isCompany && (first !== null || last !== null))
    faults.push({ row, column: "company", detail: "Name a person or a company, not both." });
  const required = isCompany ? ["street"] : ["first_name", "last_name", "street"];
  for (const column of required)
    if (cell(column) === null)
      faults.push({ row, column, detail: `Enter the recipient's ${column.replace("_", " ")}.` });
  const address = {
    addressLine: [street ?? ""],
    addressType: isCompany ? "BIZZ" : "HOME",
    ...(country === null ? {} : { country }),
  };
  const person: JsonObject = isCompany
    ? {
        legalPerson: {
          name: {
            nameIdentifier: [{ legalPersonName: company, legalPersonNameIdentifierType: "LEGL" }],
          },
          geographicAddress: [address],
        },
      }
    : {
        naturalPerson: {
          name: [
            {
              nameIdentifier: [{ primaryIdentifier: last ?? "", secondaryIdentifier: first ?? "" }],
            },
          ],
          geographicAddress: [address],
        },
      };
  return { beneficiary: { beneficiaryPersons: [person] } };
}

/** A tracking id can be used once. */
function repeated(rows: readonly BatchRow[]): readonly RowFault[] {
  const seen = new Map<string, number>();
  return rows.flatMap(({ number, trackingId }) => {
    if (trackingId === null) return [];
    const first = seen.get(trackingId);
    if (first === undefined) {
      seen.set(trackingId, number);
      return [];
    }
    const detail = `Row ${first} has the same tracking_id.`;
    return [{ row: number, column: "tracking_id", detail }];
  });
}
