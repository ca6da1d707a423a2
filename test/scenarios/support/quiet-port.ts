import { createServer } from "node:net";

/**
 * Below the ports that systems assign to outgoing connections, where another process could take one between the check and the
 * use.
 */
const range = { first: 15_000, count: 15_000 };

/**
 * Test files that run concurrently search separate ranges, so that none takes a port that another found and has not bound yet.
 */
const parts = 10;
const part = Number(process.env["VITEST_POOL_ID"] ?? "0") % parts;
const own = { first: range.first + (part * range.count) / parts, count: range.count / parts };

/** Independent runs start at different places. */
let next = Math.floor(Math.random() * own.count);

/** A free port of the loopback interface that this process has not returned before. */
export async function quietPort(): Promise<number> {
  for (let tries = 0; tries < own.count; tries += 1) {
    const port = own.first + next;
    next = (next + 1) % own.count;
    if (await isFree(port)) return port;
  }
  throw new Error(`none of the ports from ${own.first} on is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => {
      resolve(false);
    });
    probe.listen(port, "127.0.0.1", () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}
