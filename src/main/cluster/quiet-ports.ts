import { createServer } from "node:net";

/** Below the ports that systems assign to outgoing connections: a process that is restarted finds its port free. */
const range = { first: 20_000, count: 10_000 };

/** Returns a function that finds one free loopback port after the other, beginning at a random one. */
export function quietPorts(random: { readonly bytes: (count: number) => Uint8Array }) {
  const [high = 0, low = 0] = random.bytes(2);
  let next = (high * 256 + low) % range.count;
  return async (): Promise<number> => {
    for (let tries = 0; tries < range.count; tries += 1) {
      const port = range.first + next;
      next = (next + 1) % range.count;
      if (await isFree(port)) return port;
    }
    throw new Error(`no port from ${range.first} to ${range.first + range.count} is free`);
  };
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
