/**
 * Maps the rows of a batched statement to the calls they answer, in the order of the calls. A row's `place`, counted from 1 as by
 * `with ordinality`, names its call; `answer` gets null for a call without a row.
 */
export function answersByPlace<Call, Row extends { readonly place: string }, Answer>(
  calls: readonly Call[],
  rows: readonly Row[],
  answer: (row: Row | null, call: Call) => Answer,
): readonly Answer[] {
  const byPlace = new Map(rows.map((row) => [Number(row.place), row]));
  return calls.map((call, index) => answer(byPlace.get(index + 1) ?? null, call));
}
