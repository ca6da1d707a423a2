import type { PayoutBatchPreview } from "../../../../../client/src/api-types.gen.ts";
import { errorText } from "../../language/error-text.ts";
import { t } from "../../language/t.ts";
import { type FaultGroup, groupFaults, rowRanges } from "./group-faults.ts";

/** What is wrong with a file: each problem once, with the rows and the column that have it. */
export function BatchFaults({
  faults,
}: {
  readonly faults: PayoutBatchPreview["attributes"]["faults"];
}) {
  return (
    <ul className="plain-list">
      {groupFaults(faults).map((group) => {
        const text = faultText(group);
        return <li key={text}>{text}</li>;
      })}
    </ul>
  );
}

function faultText({ rows, column, detail: english }: FaultGroup): string {
  const detail = errorText(english);
  const numbers = rowRanges(rows);
  if (rows.length === 1)
    return column === null
      ? t("Row {row}: {detail}", { row: numbers, detail })
      : t("Row {row}, {column}: {detail}", { row: numbers, column, detail });
  return column === null
    ? t("Rows {rows}: {detail}", { rows: numbers, detail })
    : t("Rows {rows}, {column}: {detail}", { rows: numbers, column, detail });
}
