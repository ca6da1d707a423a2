import type { ThrottleBudget as CountedBudget } from "../../accounts/tokens/throttle.ts";
import type { Logger } from "../../platform/kernel/logger.ts";

/** The request budgets; `none` is not counted. */
export type ThrottleBudget = CountedBudget | "none";

/** What every handler receives of its request. */
export type RequestContext = {
  readonly requestId: string;
  /** Adds the request id to every line. */
  readonly logger: Logger;
  readonly ip: string;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** A request header by its lower-case name; null when absent. */
  readonly header: (name: string) => string | null;
};
