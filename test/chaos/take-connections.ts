import pg from "pg";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

const retryMs = 100;

/**
 * Ends every session of the database and takes all connections that its server has, as another program with a leak may. Resolves when
 * they are free again: at once if the database is down, early if it goes down.
 */
export async function takeConnections(url: string, ms: number): Promise<void> {
  const elsewhere = new URL(url);
  elsewhere.pathname = "/postgres";
  const over = new AbortController();
  const admin = openClient(elsewhere.href);
  try {
    await admin.connect();
    const { rows } = await admin.query<{ max: number }>(
      "select current_setting('max_connections')::integer as max",
    );
    const takers = Array.from({ length: rows[0]?.max ?? 0 }, () =>
      take(elsewhere.href, over.signal),
    );
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
      new URL(url).pathname.slice(1),
    ]);
    await systemClock.sleep(ms);
    over.abort();
    await Promise.all(takers);
  } catch {
    return;
  } finally {
    over.abort();
    await admin.end().catch(() => undefined);
  }
}

/** Takes a connection as soon as there is one, and keeps it until `over`. */
async function take(url: string, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const client = openClient(url);
    const isTaken = await client.connect().then(
      () => true,
      () => false,
    );
    if (isTaken) await untilAborted(over);
    else await systemClock.sleep(retryMs, over);
    await client.end().catch(() => undefined);
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener(
      "abort",
      () => {
        resolve();
      },
      { once: true },
    );
  });
}

function openClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // The server may be killed.
  client.on("error", () => undefined);
  return client;
}
