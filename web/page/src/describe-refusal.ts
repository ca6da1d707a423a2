import type { Messages } from "./languages/messages.ts";
import type { Refusal } from "./server-client.ts";

/** Application code of "no fresh rate" (docs/errors.md). */
const noRateCode = "5006";

/** Returns the message for a rejected or failed request to save the payer's choice of currency or refund address. */
export function describeRefusal(
  { kind, code }: Refusal,
  { refused }: Messages,
  saved: "choice" | "address",
): string {
  if (code === noRateCode) return refused.no_rate;
  return refused[kind === "refused" ? saved : kind];
}
