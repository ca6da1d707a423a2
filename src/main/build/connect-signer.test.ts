/** A process that waits for its signer says so once, with the reason, and says when the signer answers. */
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { type ManualClock, manualClock } from "../../../test/support/manual-clock.ts";
import { type LogFields, type Logger, silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { signerSocketPath } from "../../signer/socket-path.ts";
import { createCertificates, issueCertificate } from "../commands/signer-certificates.ts";
import { readConfig } from "../config/read-config.ts";
import { runSigner } from "../processes/run-signer.ts";
import { connectSigner } from "./connect-signer.ts";
import { signerSettings } from "./signer-settings.ts";

const terminal = openTerminal();
let files: DeploymentFiles;
let clock: ManualClock;
let lines: { level: string; message: string; fields: LogFields | undefined }[] = [];
const log = (level: string) => (message: string, fields?: LogFields) =>
  lines.push({ level, message, fields });
const logger: Logger = { ...silentLogger, info: log("info"), warn: log("warn") };

beforeEach(async () => {
  files = await writeDeployment("postgres://127.0.0.1:1/none");
  clock = manualClock();
  lines = [];
});
afterEach(() => files.remove());

/** Lets the time pass in steps, between which whatever is ready can happen. */
async function pass(seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 10; step += 1) {
    clock.advance(0.1);
    await systemClock.sleep(5);
  }
}

it("warns once while the signer is not running, and logs when it answers", async () => {
  const config = await readConfig(files.configFile);
  const signer = signerSocketPath(files.signerFolder);
  const connecting = connectSigner(config, clock, logger);
  await pass(2);
  expect(lines).toEqual([]);
  await pass(8);
  const reason = expect.stringMatching(/^signer: connect ENOENT /) as unknown;
  const waiting = {
    level: "warn",
    message: "waiting for the signer",
    fields: { signer, reason },
  };
  expect(lines).toEqual([waiting]);

  const running = await runSigner(
    signerSettings(config, { memoryKib: 64, passes: 1, threads: 1 }),
    { random: systemRandom, logger: silentLogger, clock: systemClock },
  );
  await pass(0.5);
  const client = await connecting;
  const answers = { level: "info", message: "the signer answers", fields: { signer } };
  expect(lines).toEqual([waiting, answers]);
  client.close();
  await running.close();
});

it("logs nothing when the signer answers at once", async () => {
  const config = await readConfig(files.configFile);
  const running = await runSigner(
    signerSettings(config, { memoryKib: 64, passes: 1, threads: 1 }),
    { random: systemRandom, logger: silentLogger, clock: systemClock },
  );
  const client = await connectSigner(config, clock, logger);
  await pass(5);
  expect(lines).toEqual([]);
  client.close();
  await running.close();
});

it("names host and port of a signer that accepts connections and stays silent, and gives up", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const at = silent.address();
  const port = typeof at === "object" && at !== null ? at.port : 0;
  await createCertificates(
    files.configFile,
    { hosts: ["127.0.0.1"], days: 30, isRenewal: false },
    terminal,
  );
  await issueCertificate(
    files.configFile,
    "worker-1",
    { rights: ["sign"], days: 30, folder: files.folder },
    terminal,
  );
  const config = await readConfig(files.configFile);
  const remote = {
    host: "127.0.0.1",
    port,
    certificate_file: join(files.folder, "worker-1.crt"),
    key_file: join(files.folder, "worker-1.key"),
    authority_file: join(files.folder, "signer-ca.crt"),
  };
  const connecting = connectSigner(
    { ...config, signer: { ...config.signer, remote } },
    clock,
    logger,
  );
  const outcome = connecting.catch((error: unknown) => error);
  await pass(4);
  const fields = { signer: `127.0.0.1:${port}`, reason: "no answer yet" };
  expect(lines).toEqual([{ level: "warn", message: "waiting for the signer", fields }]);
  await pass(37);
  expect(await outcome).toEqual(new Unavailable("signer", "no answer to accountKeys"));
  expect(lines).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});
