/** npm passes on a Ctrl-C that the terminal has sent to all of us already: both are one. */
const echoMs = 1_000;

/** Resolves at the first SIGINT or SIGTERM; another one, later, ends the process at once, whatever is still stopping. */
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
  });
}
