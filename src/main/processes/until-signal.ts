import { setTimeout as sleep } from "node:timers/promises";

/** npm passes on a Ctrl-C that the terminal has sent to all of us already: both are one. */
const echoMs = 1_000;
const parentCheckMs = 1_000;

/**
 * Resolves at the first SIGINT or SIGTERM, and when the npm or npx that started this process is gone: a supervisor that ends it
 * leaves no orphan. Another signal, later, ends the process at once, whatever is still stopping.
 */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const onSignal = (signal: NodeJS.Signals): void => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > echoMs) process.exit(130);
      resolve(signal);
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
    if (process.env["npm_lifecycle_event"] !== undefined)
      void untilParentEnds().then(() => {
        resolve("SIGTERM");
      });
  });
}

/** A process whose parent has ended is given another one by the operating system. Waiting keeps no process alive. */
async function untilParentEnds(): Promise<void> {
  const parent = process.ppid;
  while (process.ppid === parent) await sleep(parentCheckMs, undefined, { ref: false });
}
