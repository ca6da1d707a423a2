import type { Refusal } from "./call-server.ts";
import type { Messages } from "./languages/messages.ts";

/** Application code of "no fresh rate" (docs/errors.md). */
const noRateCode = "5006";

/** What the payer is told of a refused choice or an unreachable service. */
export function refusalText({ kind, code }: Refusal, { refused }: Messages): string {
  return code === noRateCode ? refused.no_rate : refused[kind];
}
