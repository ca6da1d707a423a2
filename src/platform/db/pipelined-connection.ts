import pg from "pg";
import { atEndOfTurn } from "../kernel/system-turn.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { createWriteBatcher } from "./batch-writes.ts";
import type { SqlValue, Statement } from "./database.ts";
import { execute } from "./execute.ts";

/** One connection that sends statements without waiting for the answers to earlier ones; PostgreSQL runs them in order. */
export type PipelinedConnection = {
  readonly run: <Row>(
    statement: Statement<Row>,
    values?: readonly SqlValue[],
  ) => Promise<readonly Row[]>;
  /** Resolves once every statement sent has been answered and the connection is closed. */
  readonly end: () => Promise<void>;
};

/** Connects. `onUnusable` is called once, as soon as the connection must not get further statements. Rejects with `Unavailable`. */
export async function openPipelined(
  config: pg.ClientConfig,
  onUnusable: () => void,
  Client: typeof pg.Client = pg.Client,
): Promise<PipelinedConnection> {
  const pipelined: pg.ClientConfig & { pipeline: boolean } = { ...config, pipeline: true };
  const client = new Client(pipelined);
  let isUsable = true;
  const drop = (): void => {
    if (!isUsable) return;
    isUsable = false;
    onUnusable();
    // A server that turned read-only keeps its connections open.
    void client.end().catch(() => undefined);
  };
  client.on("error", drop);
  client.on("end", drop);
  try {
    await client.connect();
  } catch (error) {
    drop();
    throw new Unavailable("database", "no connection", error);
  }
  const batch = createWriteBatcher(client.connection.stream, atEndOfTurn);
  return {
    run: (statement, values) => {
      batch();
      return execute(client, statement, values, drop);
    },
    end: () => client.end(),
  };
}
