/**
 * The answers of a statement that many calls share, in the order of the calls. A row tells by its `place`, counted from 1 as
 * `with ordinality` does, which call it answers; null: no row does.
 */
export function answersByPlace<Call, Row extends { readonly place: string }, Answer>(
  calls: readonly Call[],
  rows: readonly Row[],
  answer: (row: Row | null, call: Call) => Answer,
): readonly Answer[] {
  const byPlace = new Map(rows.map((row) => [Number(row.place), row]));
  return calls.map((call, index) => answer(byPlace.get(index + 1) ?? null, call));
}
