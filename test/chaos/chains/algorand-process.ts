import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { startAlgorand } from "../../../src/sandbox/algorand/start-algorand.ts";

/*
 * The simulated Algorand network as a process that can be killed: `algorand-process.ts FOLDER PORT`. Blocks on demand. Prints when it
 * listens, and ends by SIGTERM.
 */

const [folder = "", port = "0"] = process.argv.slice(2);
const network = await startAlgorand({
  folder,
  port: Number(port),
  minesOnTime: false,
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
});
process.once("SIGTERM", () => void network.stop());
process.stdout.write(`listening on ${network.port}\n`);
