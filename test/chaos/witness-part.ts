import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../../src/platform/processes/supervised-process.ts";
import { killProcess, type Part, pauseProcess } from "./part.ts";

const readyPatienceMs = 120_000;
const stopPatienceMs = 10_000;
const pollMs = 50;

/** etcd with one member, which keeps what it acknowledged when it is killed. */
export function witnessPart(options: {
  readonly program: string;
  readonly folder: string;
  readonly port: number;
  readonly peerPort: number;
}): Part & { readonly url: string } {
  const { program, folder } = options;
  const url = `http://127.0.0.1:${options.port}`;
  const peerUrl = `http://127.0.0.1:${options.peerPort}`;
  const args = [
    ...["--data-dir", folder, "--name", "only", "--log-level", "warn"],
    ...["--listen-client-urls", url, "--advertise-client-urls", url],
    ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
    ...["--initial-cluster", `only=${peerUrl}`],
  ];
  let running: SupervisedProcess | null = null;
  return {
    name: "witness",
    kind: "witness",
    url,
    kill: async () => {
      const victim = running;
      running = null;
      if (victim === null) return "witness (not running)";
      killProcess(-victim.pid);
      await victim.ended;
      return "witness";
    },
    start: async () => {
      if (running === null || running.hasEnded()) running = startSupervised(program, args, {});
      await untilHealthy(url, running);
    },
    pause: (ms) => pauseProcess(running, ms),
    stop: async () => {
      await running?.end(systemClock, stopPatienceMs);
      running = null;
    },
  };
}

/** Rejects if it ends before it answers. */
async function untilHealthy(url: string, started: SupervisedProcess): Promise<void> {
  const giveUpAt = systemClock.now() + readyPatienceMs * 1_000;
  while (systemClock.now() < giveUpAt) {
    if (started.hasEnded()) throw new Error(`etcd ended: ${started.output()}`);
    const isWell = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isWell) return;
    await systemClock.sleep(pollMs);
  }
  throw new Error(`etcd does not answer: ${started.output()}`);
}
