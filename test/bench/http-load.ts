import type { BenchSite } from "./bench-site.ts";
import { ask, startHelper } from "./child-process.ts";
import type { LoadAnswer, LoadOrder } from "./http-load-process.ts";

/** Loads a server from a separate process, whose processor time is counted separately. Throws on an unexpected answer. */
export async function loadHttp(site: BenchSite, order: LoadOrder): Promise<LoadAnswer> {
  const client = startHelper("http-load-process.ts", site.teardown);
  try {
    const answer = await ask<LoadAnswer>(client, order);
    if (answer.failure !== null) throw new Error(`${order.paths[0] ?? ""}: ${answer.failure}`);
    return answer;
  } finally {
    await client.stop();
  }
}

/** How long the load at half of the peak is measured. */
export const halfLoadSeconds = 10;

/**
 * Loads a server at half of the rate that it reaches. The client is a new process, whose own code is slow for its first seconds, and a
 * single pause of 20 ms is already 1 % of two seconds: hence a longer warm-up and a longer measurement than for rates.
 */
export function loadAtHalf(
  site: BenchSite,
  order: Omit<LoadOrder, "rate">,
  perSecond: number,
): Promise<LoadAnswer> {
  return loadHttp(site, {
    ...order,
    rate: perSecond / 2,
    warmUpSeconds: 3,
    seconds: halfLoadSeconds,
  });
}
