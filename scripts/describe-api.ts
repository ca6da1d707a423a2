import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Route } from "../src/http/server/route.ts";
import { buildApi } from "../src/main/build/build-api.ts";
import { createFoundation } from "../src/main/build/foundation.ts";
import { configSchema } from "../src/main/config/config.ts";
import { createMetrics } from "../src/main/metrics/metrics.ts";
import type { JsonObject } from "../src/platform/kernel/json.ts";
import { silentLogger } from "../src/platform/kernel/logger.ts";
import { systemClock } from "../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../src/platform/kernel/system-random.ts";

/**
 * `/openapi.json` of the API that `sluice api` builds, without a listening server. The configuration's database is never queried,
 * because the description is made from the routes alone. `sandboxRoutes`: what only a sandbox serves.
 */
export async function describeApi(sandboxRoutes: readonly Route[] = []): Promise<JsonObject> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-description-"));
  const dataKeyFile = join(folder, "data.key");
  await writeFile(dataKeyFile, randomBytes(32).toString("hex"), { mode: 0o600 });
  const config = configSchema.parse({
    base_url: "https://pay.example.com",
    database: { url: "postgres://127.0.0.1:9/never-asked" },
    keys: { data_key_files: [dataKeyFile] },
    signer: { folder: join(folder, "signer"), passphrase_file: join(folder, "passphrase") },
    chains: {},
  });
  const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const foundation = await createFoundation(config, world, "api");
  const server = await buildApi(
    foundation,
    createMetrics(foundation.db, systemClock, foundation.clockGuard),
    sandboxRoutes,
  );
  try {
    const answer = await server.inject("/openapi.json");
    return answer.json<JsonObject>();
  } finally {
    await server.close();
    await foundation.db.close();
    await rm(folder, { recursive: true, force: true });
  }
}
