import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections, where one may be taken between the look and the use. */
const range = { first: 15_000, count: 15_000 };

/** A port of the loopback interface that nobody listens on. */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = range.first + Math.floor(Math.random() * range.count);
    if (await isFree(port)) return port;
  }
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
