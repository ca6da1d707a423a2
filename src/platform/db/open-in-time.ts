import type { Clock } from "../kernel/clock.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import type { PipelinedConnection } from "./pipelined-connection.ts";

/**
 * How long one attempt to connect may take. Proxies can leave a connection open that leads nowhere: HAProxy does, if its server is marked
 * down while it is still connecting. A new attempt then reaches the new primary.
 */
export const attemptMs = 3_000;

/** Nothing answered an attempt to connect, so no statement was sent on it. */
export class SilentServer extends Unavailable {
  constructor() {
    super("database", "no connection", new Error("Connection terminated: no server answered"));
  }
}

/** Opens a connection. Rejects with `SilentServer` after `attemptMs`; a connection that opens later is closed. */
export async function openInTime(
  open: () => Promise<PipelinedConnection>,
  clock: Clock,
): Promise<PipelinedConnection> {
  const opening = open();
  const opened = new AbortController();
  const silence = clock.sleep(attemptMs, opened.signal).then(() => null);
  try {
    const connection = await Promise.race([opening, silence]);
    if (connection !== null) return connection;
  } finally {
    opened.abort();
  }
  opening.then((late) => late.end()).catch(() => undefined);
  throw new SilentServer();
}
