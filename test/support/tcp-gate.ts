import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type TcpGate = {
  readonly url: string;
  /** While true, every connection is closed. */
  isCutOff: boolean;
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
  const server = createServer((client) => {
    if (isCutOff) {
      client.destroy();
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
