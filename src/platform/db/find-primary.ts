import pg from "pg";
import { errorMessage } from "../kernel/error-message.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { readDatabaseHosts } from "./database-hosts.ts";

const patienceMs = 2_000;

/**
 * The URL of the one server of several that accepts writes; a URL with one host as it is. Rejects with `Unavailable` if none does.
 */
export async function findPrimary(url: string): Promise<string> {
  const { urls } = readDatabaseHosts(url);
  const [only] = urls;
  if (urls.length === 1) return only;
  const answers = await Promise.allSettled(urls.map(assertWritable));
  const found = urls.find((_, index) => answers[index]?.status === "fulfilled");
  if (found !== undefined) return found;
  const reasons = answers.map((answer, index) => {
    const reason = answer.status === "rejected" ? errorMessage(answer.reason) : "";
    return `${new URL(urls[index] ?? only).host}: ${reason}`;
  });
  throw new Unavailable("database", `no server accepts writes: ${reasons.join("; ")}`);
}

/** Rejects if the server does not answer within two seconds, or is a standby. */
async function assertWritable(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    application_name: "sluice primary check",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ is_standby: boolean }>(
      "select pg_is_in_recovery() as is_standby",
    );
    if (rows[0]?.is_standby !== false) throw new Error("it is a standby");
  } finally {
    // Without waiting for a server that is silent.
    void client.end().catch(() => undefined);
  }
}
