import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { Random } from "./random.ts";

/** The outside world, real in `main` and whatever a test wants elsewhere. */
export type World = { readonly clock: Clock; readonly random: Random; readonly logger: Logger };
