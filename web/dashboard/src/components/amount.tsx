import { splitDecimal } from "./split-decimal.ts";

/**
 * An amount as the interface writes it (`"0.040000000000000000"`), grouped for reading, with its currency's code. Null shows a
 * dash. `isFull` keeps all digits. Its title, and what is copied from it, is the amount as it was given.
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
