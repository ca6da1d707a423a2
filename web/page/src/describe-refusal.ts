import type { Messages } from "./languages/messages.ts";
import type { Refusal } from "./server-client.ts";

/** Application code of "no fresh rate" (docs/errors.md). */
const noRateCode = "5006";

/** Returns the message for a rejected or failed request. */
export function describeRefusal({ kind, code }: Refusal, { refused }: Messages): string {
  return code === noRateCode ? refused.no_rate : refused[kind];
}
