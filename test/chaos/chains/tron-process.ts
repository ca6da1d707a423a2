import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { startTron } from "../../../src/sandbox/tron/start-tron.ts";

/*
 * The simulated TRON ledger as a process that can be killed: `tron-process.ts FOLDER PORT`. Blocks on demand. Prints when it
 * listens, and ends with its EVM or by SIGTERM.
 */

const [folder = "", port = "0"] = process.argv.slice(2);
const ledger = await startTron({
  folder,
  port: Number(port),
  minesOnTime: false,
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
});
process.once("SIGTERM", () => void ledger.stop());
process.stdout.write(`listening on ${ledger.port}\n`);
