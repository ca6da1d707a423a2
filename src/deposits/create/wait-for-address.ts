import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { DepositWriter } from "./create.store.ts";

const addressPollMs = 100;

/**
 * Tries `take` until it found an address: one that finds the pool empty waits a little for it to be refilled. `take` gets the time
 * of its try and answers null where there was none. Rejects with addressUnavailable when patience ends, `Unavailable` where
 * nothing is given out yet.
 */
export async function waitForAddress<Taken>(
  context: {
    readonly clock: Clock;
    readonly writer: Pick<DepositWriter, "assertAdmitted">;
    /** Longest to wait for the address pool to be refilled. */
    readonly addressPatienceMs: number;
  },
  take: (now: Instant) => Promise<Taken | null>,
): Promise<Taken> {
  const { clock, writer, addressPatienceMs } = context;
  const patienceEnds = addSeconds(clock.now(), addressPatienceMs / 1_000);
  for (;;) {
    const now = clock.now();
    const taken = await take(now);
    if (taken !== null) return taken;
    if (clock.now() >= patienceEnds) {
      await writer.assertAdmitted();
      reject("addressUnavailable", "No address is ready for this currency; try again shortly.");
    }
    await clock.sleep(addressPollMs);
  }
}
