import type pg from "pg";
import { asUnavailable, endsConnection } from "./classify-error.ts";
import type { SqlValue, Statement } from "./database.ts";

/**
 * Runs a statement on a connection. `onEnd` is told when the connection is of no more use after it, which the driver itself
 * says only once the socket is closed.
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

/** bigint and Uint8Array are no types that `pg` encodes inside arrays; spelled out they are. */
function encode(value: SqlValue): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value)) return (value as readonly SqlValue[]).map(encode);
  return value;
}
