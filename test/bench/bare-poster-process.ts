import { createHmac, createSecretKey } from "node:crypto";
import { Pool } from "undici";

// The minimum work of delivering callbacks: signed POSTs over keep-alive connections, from memory.

export type PosterOrder = {
  readonly ports: readonly number[];
  readonly body: string;
  readonly count: number;
  readonly connectionsPerHost: number;
};

async function postAll({ ports, body, count, connectionsPerHost }: PosterOrder): Promise<void> {
  const key = createSecretKey(Buffer.alloc(32, 1));
  const pools = ports.map(
    (port) => new Pool(`http://127.0.0.1:${port}`, { connections: connectionsPerHost }),
  );
  let sent = 0;
  const loop = async (pool: Pool): Promise<void> => {
    while (sent < count) {
      sent += 1;
      const label = String(performance.timeOrigin + performance.now());
      const fresh = body.replace('"label":""', `"label":"${label}"`);
      const signature = createHmac("sha256", key).update(fresh).digest("base64");
      const answer = await pool.request({
        path: "/callback",
        method: "POST",
        headers: { "content-type": "application/json", "webhook-signature": `v1,${signature}` },
        body: fresh,
      });
      await answer.body.dump();
    }
  };
  await Promise.all(
    pools.flatMap((pool) => Array.from({ length: connectionsPerHost }, () => loop(pool))),
  );
  await Promise.all(pools.map((pool) => pool.close()));
}

process.on("message", (order: PosterOrder) => {
  void postAll(order).then(() => process.send?.({}));
});
process.on("disconnect", () => process.exit());
