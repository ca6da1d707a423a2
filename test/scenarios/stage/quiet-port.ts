import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections, where one may be taken between the look and the use. */
const range = { first: 15_000, count: 15_000 };

/** Files of tests that run at the same moment look in parts of their own: what one has found and not bound yet no other one finds. */
const parts = 10;
const part = Number(process.env["VITEST_POOL_ID"] ?? "0") % parts;
const own = { first: range.first + (part * range.count) / parts, count: range.count / parts };

/** Runs that know nothing of each other begin at different places. */
let next = Math.floor(Math.random() * own.count);

/** A port of the loopback interface that nobody listens on, and that was not given out by this process before. */
export async function quietPort(): Promise<number> {
  for (let looks = 0; looks < own.count; looks += 1) {
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
