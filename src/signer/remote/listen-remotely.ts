import { readFile } from "node:fs/promises";
import { createServer, type TLSSocket } from "node:tls";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { ClientList, PresentedCertificate } from "./client-list.ts";

export type RemoteListener = {
  readonly port: number;
  readonly close: () => Promise<void>;
};

/** PEM files of the signer's certificate and key, and of the authority that signs its clients' certificates. */
export type ListenerFiles = {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly authorityFile: string;
};

const handshakeMs = 5_000;
const connectionsMax = 200;
const keepAliveMs = 10_000;

/**
 * Listens for clients of other machines: TLS 1.3, a certificate of the authority, a name on the list. `onClient` gets only
 * connections that have all three. Rejects if a file cannot be read or the port is taken.
 */
export async function listenRemotely(options: {
  readonly host: string;
  readonly port: number;
  readonly files: ListenerFiles;
  readonly clients: ClientList;
  readonly logger: Logger;
  readonly onClient: (socket: TLSSocket, certificate: PresentedCertificate) => void;
}): Promise<RemoteListener> {
  const { files, clients, logger, onClient } = options;
  const [cert, key, ca] = await Promise.all(
    [files.certificateFile, files.keyFile, files.authorityFile].map((file) => readFile(file)),
  );
  const server = createServer({
    cert,
    key,
    ca,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: "TLSv1.3",
    handshakeTimeout: handshakeMs,
  });
  server.maxConnections = connectionsMax;
  const sockets = new Set<TLSSocket>();

  const admit = async (socket: TLSSocket): Promise<void> => {
    const certificate = presentedBy(socket);
    const from = socket.remoteAddress;
    if (certificate === null || (await clients.rightsOf(certificate)) === null) {
      logger.warn("client of the signer refused", { ...certificate, from });
      socket.destroy();
      return;
    }
    logger.info("client of the signer connected", { ...certificate, from });
    onClient(socket, certificate);
  };
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true).setKeepAlive(true, keepAliveMs);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", (error: Error) => {
      logger.debug("connection lost", { error: error.message });
    });
    admit(socket).catch((error: unknown) => {
      logger.error("clients of the signer cannot be checked", { error: String(error) });
      socket.destroy();
    });
  });
  server.on("tlsClientError", (error: Error, socket) => {
    logger.warn("client of the signer refused", {
      from: socket.remoteAddress,
      error: error.message,
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function presentedBy(socket: TLSSocket): PresentedCertificate | null {
  const { subject, fingerprint256 } = socket.getPeerCertificate();
  const name: unknown = (subject as { readonly CN?: unknown } | undefined)?.CN;
  return typeof name === "string" && name !== "" ? { name, fingerprint: fingerprint256 } : null;
}
