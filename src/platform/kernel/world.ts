import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { Random } from "./random.ts";

/** The outside world: the system's in `main`, a simulated one in tests. */
export type World = { readonly clock: Clock; readonly random: Random; readonly logger: Logger };
