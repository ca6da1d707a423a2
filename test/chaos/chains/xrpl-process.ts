import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { startXrpl } from "../../../src/sandbox/xrpl/start-xrpl.ts";

/*
 * The simulated XRP Ledger as a process that can be killed: `xrpl-process.ts FOLDER PORT`. Ledgers on demand. Prints when it
 * listens, and ends by SIGTERM.
 */

const [folder = "", port = "0"] = process.argv.slice(2);
const ledger = await startXrpl({
  folder,
  port: Number(port),
  closesOnTime: false,
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
});
process.once("SIGTERM", () => void ledger.stop());
process.stdout.write(`listening on ${ledger.port}\n`);
