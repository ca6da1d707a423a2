import { splitDecimal } from "./split-decimal.ts";

/**
 * An API amount (`"0.040000000000000000"`) with digit grouping, without needless trailing zeros, and its currency code; null shows a
 * dash. The title holds the exact value.
 */
export function Amount({
  value,
  code,
}: {
  readonly value: string | null;
  readonly code?: string | null;
}) {
  if (value === null) return <span className="amount">–</span>;
  const { whole, fraction } = splitDecimal(value);
  return (
    <span className="amount" title={`${value} ${code ?? ""}`.trim()}>
      {whole}
      {fraction}
      {code == null || code === "" ? null : <span className="amount-code">{code}</span>}
    </span>
  );
}
