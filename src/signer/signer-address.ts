import { readFileSync } from "node:fs";
import { connect as connectSocket, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** Where a signer listens: at a Unix socket of this machine, or over the network with TLS. */
export type SignerAddress =
  | { readonly kind: "socket"; readonly path: string }
  | ({ readonly kind: "remote" } & RemoteSigner);

export type RemoteSigner = {
  readonly host: string;
  readonly port: number;
  /** PEM files: this client's certificate and key, and the authority of the signer's certificate. */
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly authorityFile: string;
};

const keepAliveMs = 10_000;

/**
 * Connects to the signer. Over the network it must present a certificate of the authority for its host; a failure arrives as
 * the socket's `error`. Throws if a file cannot be read; files are read at each call, so a renewed certificate is used at the
 * next connection.
 */
export function connectTo(address: SignerAddress): Socket {
  if (address.kind === "socket") return connectSocket(address.path);
  const socket = connectTls({
    host: address.host,
    port: address.port,
    cert: readFileSync(address.certificateFile),
    key: readFileSync(address.keyFile),
    ca: readFileSync(address.authorityFile),
    minVersion: "TLSv1.3",
  });
  return socket.setNoDelay(true).setKeepAlive(true, keepAliveMs);
}
