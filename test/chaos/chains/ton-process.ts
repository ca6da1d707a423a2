import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { startTon } from "../../../src/sandbox/ton/start-ton.ts";

/*
 * The simulated TON network as a process that can be killed: `ton-process.ts FOLDER PORT`. Blocks on demand. Prints when it listens, and
 * ends by SIGTERM.
 */

const [folder = "", port = "0"] = process.argv.slice(2);
const network = await startTon({
  folder,
  port: Number(port),
  minesOnTime: false,
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
});
process.once("SIGTERM", () => void network.stop());
process.stdout.write(`listening on ${network.port}\n`);
