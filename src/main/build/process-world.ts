import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { Config } from "../config/config.ts";
import { createLogger } from "../metrics/log.ts";

const stderr = 2;

/** The real clock, randomness and logger of a long-running process. Logs to standard error. */
export function processWorld(config: Pick<Config, "log">): World {
  const logger = createLogger({
    level: config.log.level,
    clock: systemClock,
    destination: stderr,
  });
  return { clock: systemClock, random: systemRandom, logger };
}
