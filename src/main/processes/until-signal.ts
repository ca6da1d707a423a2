import { setTimeout as sleep } from "node:timers/promises";

/** npm forwards a Ctrl-C that the terminal has already sent to every process: both count as one. */
const echoMs = 1_000;
const parentCheckMs = 1_000;

/**
 * Resolves at the first SIGINT or SIGTERM, and when the npm or npx that started this process has exited, so that a supervisor
 * leaves no orphan. A later signal ends the process at once, whatever is still stopping.
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

/** The operating system gives an orphan a new parent. Polling for that keeps no process alive. */
async function untilParentEnds(): Promise<void> {
  const parent = process.ppid;
  while (process.ppid === parent) await sleep(parentCheckMs, undefined, { ref: false });
}
