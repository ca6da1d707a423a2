/** `sluice start` with a configuration file: api and worker in one process, and the signer as its child. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { writeDeployment } from "../support/command-line.ts";
import { useDatabase } from "../support/database.ts";
import { runDeploymentSigner } from "../support/deployment-signer.ts";
import { quietPort } from "./support/quiet-port.ts";
import { startSluice } from "./support/run-sluice.ts";

const database = useDatabase();

it("starts its signer again when that one ends", async () => {
  const listen = { host: "127.0.0.1", port: await quietPort() };
  const files = await writeDeployment(database.url, { listen });
  const logFile = join(files.folder, "log");
  const keystore = await runDeploymentSigner(files);
  await keystore.close();
  const service = startSluice(logFile, ["start", "--config", files.configFile]);
  try {
    await expect.poll(() => readFile(logFile, "utf8")).toContain('"listening"');
    const signerPid = () => readFile(join(files.signerFolder, "lock.pid"), "utf8");
    const first = await signerPid();
    process.kill(Number(first), "SIGKILL");
    await expect.poll(signerPid).not.toBe(first);
    expect(service.hasEnded()).toBe(false);
  } finally {
    await service.end(systemClock, 30_000);
    await files.remove();
  }
});
