import { addDecimals, multiplyDecimals } from "../../components/decimals.ts";

/** The highest network fees that are accepted after a preview: a quarter more than previewed, since fees change with each block. */
export function feesMaxOf(fees: string): string {
  const digits = fees.split(".")[1]?.length ?? 0;
  return addDecimals(fees, multiplyDecimals(fees, "0.25", digits) ?? "0") ?? fees;
}
