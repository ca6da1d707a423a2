import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type TcpGate = {
  readonly url: string;
  /** While true, every connection is closed. */
  isCutOff: boolean;
  /** While true, nothing passes, and no connection ends; what was sent arrives later. */
  isSilent: boolean;
  readonly close: () => Promise<void>;
};

/** A gate in front of a server, whatever it speaks, that can be shut. */
export async function startTcpGate(serverUrl: string): Promise<TcpGate> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Either side may leave at any time.
    socket.on("error", () => undefined);
  };
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  let isCutOff = false;
  let isSilent = false;
  /** Clients that came during a silence: nothing is behind them. */
  const unconnected = new Set<Socket>();
  const server = createServer((client) => {
    if (isCutOff) {
      client.destroy();
      return;
    }
    if (isSilent) {
      keep(client);
      client.pause();
      unconnected.add(client);
      return;
    }
    const upstream = connect(Number(port), hostname);
    keep(client);
    keep(upstream);
    client.pipe(upstream).pipe(client);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get isCutOff() {
      return isCutOff;
    },
    get isSilent() {
      return isSilent;
    },
    set isSilent(silent: boolean) {
      isSilent = silent;
      for (const client of unconnected) client.destroy();
      unconnected.clear();
      for (const socket of sockets) {
        if (silent) socket.pause();
        else socket.resume();
      }
    },
    set isCutOff(isCut: boolean) {
      isCutOff = isCut;
      if (isCut) destroyAll();
    },
    close: async () => {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
