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
