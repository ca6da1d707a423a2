import pg from "pg";
import { type BareWork, drawAt } from "./bare-sql.ts";

// Replaces pgbench where it is not installed: the same statements through the bare driver, in a separate process.

type Order = BareWork & { readonly values: readonly (readonly string[])[] };

async function runAll(order: Order): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: order.clients }, async () => {
      const client = new pg.Client({
        connectionString: order.url,
        pipeline: true,
      });
      await client.connect();
      return client;
    }),
  );
  const start = performance.now();
  const counts = await Promise.all(clients.map((client) => repeat(client, order, start)));
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(clients.map((client) => client.end()));
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

async function repeat(client: pg.Client, order: Order, start: number): Promise<number> {
  const { statements, values, draws = [], transactionFrom = null } = order;
  for (let count = 0; ; count += 1) {
    if (performance.now() - start > order.seconds * 1000) return count;
    const drawn = draws.map(({ from, to }) =>
      String(from + Math.floor(Math.random() * (to - from + 1))),
    );
    for (const [index, { text }] of statements.entries()) {
      if (index === transactionFrom) await client.query("begin");
      const given = (values[index] ?? []).map((value, position) => {
        const draw = drawAt(draws, index, position);
        return draw === null ? value : drawn[draw];
      });
      await client.query({ name: `bare ${index}`, text, values: given });
    }
    if (transactionFrom !== null) await client.query("commit");
  }
}

process.on("message", (order: Order) => {
  void runAll(order).then((rate) => process.send?.(rate));
});
process.on("disconnect", () => process.exit());
