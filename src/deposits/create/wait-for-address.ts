import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { DepositWriter } from "./create.store.ts";

const addressPollMs = 100;

/**
 * Retries `take` until it returns an address, because an empty pool is refilled within moments. `take` gets the time of the
 * attempt and returns null without an address. Rejects with addressUnavailable after the maximum wait, and with `Unavailable`
 * where no addresses may be issued yet.
 */
export async function waitForAddress<Taken>(
  context: {
    readonly clock: Clock;
    readonly writer: Pick<DepositWriter, "assertAdmitted">;
    /** The maximum wait for the address pool to be refilled. */
    readonly addressPatienceMs: number;
  },
  take: (now: Instant) => Promise<Taken | null>,
): Promise<Taken> {
  const { clock, writer, addressPatienceMs } = context;
  const patienceEnds = addSeconds(clock.now(), addressPatienceMs / 1_000);
  for (;;) {
    const now = clock.now();
    const isLast = now >= patienceEnds;
    // Before the attempt: addresses issued again only after it say nothing about the pool.
    if (isLast) await writer.assertAdmitted();
    const taken = await take(now);
    if (taken !== null) return taken;
    if (isLast) {
      reject("addressUnavailable", "No address is available for this currency. Try again shortly.");
    }
    await clock.sleep(addressPollMs);
  }
}
