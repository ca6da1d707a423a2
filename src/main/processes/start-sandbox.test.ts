import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { startSandbox } from "./start-sandbox.ts";

describe("startSandbox", () => {
  it("refuses a taken address before creating anything in the folder", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const home = await mkdtemp(join(tmpdir(), "sluice-taken-"));
    const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
    try {
      await expect(
        startSandbox({ home, host: "127.0.0.1", port, chains: null, databaseUrl: null }, world),
      ).rejects.toThrow(
        `address already in use 127.0.0.1:${port}; set SLUICE_HOST and SLUICE_PORT`,
      );
      expect((await readdir(home)).filter((name) => !name.startsWith("lock"))).toEqual([]);
    } finally {
      taken.close();
      await rm(home, { recursive: true });
    }
  });
});
