import { wasReadSince } from "../../payouts/send/send.store.ts";
import type { Foundation } from "./foundation.ts";

/**
 * Sends nothing until the follower has reached the tip since this process started. A database restored from a machine snapshot
 * does not know what its accounts have paid since.
 */
export function onceRead(
  { db, clock, logger }: Pick<Foundation, "db" | "clock" | "logger">,
  chain: string,
  run: (signal: AbortSignal) => Promise<void>,
): (signal: AbortSignal) => Promise<void> {
  const beganAt = clock.now();
  let isRead = false;
  let isLogged = false;
  return async (signal) => {
    isRead ||= await wasReadSince(db, chain, beganAt);
    if (isRead) {
      await run(signal);
      return;
    }
    if (!isLogged)
      logger.info("payouts wait until the chain is read to its newest block", { chain });
    isLogged = true;
  };
}
