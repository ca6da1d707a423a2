import { createMetrics } from "../../src/main/metrics/metrics.ts";
import type { SignerClient } from "../../src/signer/signer-client.ts";
import { manualClock } from "./manual-clock.ts";

/** Name and type of every metric of a worker, which has all that an api has. */
export async function readMetrics(): Promise<ReadonlyMap<string, string>> {
  const database = { query: () => Promise.resolve([]) };
  const metrics = createMetrics(database, manualClock(), { aheadSeconds: () => 0 });
  const signer: Pick<SignerClient, "readMark" | "pairState" | "certificateExpiries"> = {
    readMark: () => Promise.resolve(null),
    pairState: () => Promise.resolve(null),
    certificateExpiries: () => null,
  };
  metrics.measureSigner(signer as SignerClient);
  const { body } = await metrics.render();
  return new Map(
    [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
  );
}
