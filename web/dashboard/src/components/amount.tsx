import { splitDecimal } from "./split-decimal.ts";

/**
 * An API amount (`"0.040000000000000000"`) with digit grouping and its currency code; null shows a dash. `isFull` keeps trailing
 * zeros. The title holds the exact value.
 */
export function Amount({
  value,
  code,
  isFull = false,
}: {
  readonly value: string | null;
  readonly code?: string | null;
  readonly isFull?: boolean;
}) {
  if (value === null) return <span className="amount">–</span>;
  const { whole, fraction } = splitDecimal(value, isFull ? { fractionMin: value.length } : {});
  return (
    <span className="amount" title={`${value} ${code ?? ""}`.trim()}>
      {whole}
      {fraction}
      {code == null || code === "" ? null : <span className="amount-code">{code}</span>}
    </span>
  );
}
