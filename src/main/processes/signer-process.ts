import { errorMessage } from "../../platform/kernel/error-message.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { cacheCompiledCode } from "./compile-cache.ts";
import type { SignerSettings } from "./run-signer.ts";

/*
 * The signer as a process: `signer-process.ts SETTINGS`, with settings as JSON that name the source of the passphrase, never
 * the passphrase. Prints the socket's path when it is ready. Exits on SIGTERM, and when its standard input closes because its
 * parent was killed: no signer outlives the service that started it.
 */
cacheCompiledCode();
const { createLogger } = await import("../metrics/log.ts");
const { runSigner } = await import("./run-signer.ts");
const { releaseMemoryWhenQuiet } = await import("../../platform/processes/release-memory.ts");
const logger = createLogger({ level: "info", clock: systemClock, destination: 2 }).with({
  process: "signer",
});

try {
  const settings = JSON.parse(process.argv[2] ?? "null") as SignerSettings;
  const signer = await runSigner(settings, { random: systemRandom, logger, clock: systemClock });
  const stop = (): void => {
    void signer.close().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  // A terminal sends Ctrl-C to parent and child. The parent still needs its signer then, and closes our input later.
  process.on("SIGINT", () => undefined);
  process.stdin.once("end", stop).once("error", stop).resume();
  process.stdout.write(`${signer.socketPath}\n`);
  // Until the process exits.
  void releaseMemoryWhenQuiet({ clock: systemClock }, new AbortController().signal);
  const reason = await signer.ended;
  logger.warn("the signer ends, to be started again", { reason });
  await signer.close();
  process.exit(1);
} catch (error) {
  logger.error("the signer cannot start", { error: errorMessage(error) });
  process.exit(1);
}
