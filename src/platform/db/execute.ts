import type pg from "pg";
import { asUnavailable, endsConnection } from "./classify-error.ts";
import type { SqlValue, Statement } from "./database.ts";

/**
 * Runs a statement on a connection. Calls `onEnd` if the connection cannot be used afterwards, which the driver itself
 * reports only once the socket is closed.
 */
export async function execute<Row>(
  client: pg.ClientBase,
  statement: Statement<Row>,
  values: readonly SqlValue[] = [],
  onEnd: () => void,
): Promise<readonly Row[]> {
  try {
    const result = await client.query({
      name: statement.name,
      text: statement.text,
      values: values.map(encode),
    });
    return result.rows as Row[];
  } catch (error) {
    if (endsConnection(error)) onEnd();
    throw asUnavailable(error);
  }
}

/** Converts bigint and Uint8Array, which `pg` does not encode inside arrays. */
function encode(value: SqlValue): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value)) return (value as readonly SqlValue[]).map(encode);
  return value;
}
