import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from "node:net";

export type SilencableLink = {
  /** The server's URL, by way of the link. */
  readonly url: string;
  /** From now on nothing passes in either direction, and no connection is closed: like a cable that was pulled out. */
  readonly silence: () => void;
  readonly close: () => Promise<void>;
};

/** A TCP link to the server of that URL. */
export async function startSilencableLink(url: string): Promise<SilencableLink> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = tcpConnect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => {
        if (!isSilent) to.write(chunk);
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.hostname = "127.0.0.1";
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    silence: () => {
      isSilent = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
