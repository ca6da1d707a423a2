import type { RemoteSigner, SignerAddress } from "../../signer/signer-address.ts";
import { signerSocketPath } from "../../signer/socket-path.ts";
import type { Config } from "../config/config.ts";

type RemoteTable = Omit<NonNullable<Config["signer"]["remote"]>, "second">;

/**
 * Where the signer of this configuration answers: over the network if it says so, else on its socket. `second` is the other
 * signer of a pair.
 */
export function signerAddresses({ folder, remote }: Config["signer"]): {
  readonly address: SignerAddress;
  readonly second?: SignerAddress;
} {
  if (remote === undefined) return { address: localSigner(folder) };
  const { second, ...first } = remote;
  const address = { kind: "remote", ...remoteSigner(first) } as const;
  return second === undefined ? { address } : { address, second: { ...address, ...second } };
}

/** A signer on another machine, as a table of the configuration names it. */
export function remoteSigner(table: RemoteTable): RemoteSigner {
  const { host, port, certificate_file, key_file, authority_file } = table;
  return {
    host,
    port,
    certificateFile: certificate_file,
    keyFile: key_file,
    authorityFile: authority_file,
  };
}

/** The socket of the signer that uses this folder. */
export function localSigner(folder: string): SignerAddress {
  return { kind: "socket", path: signerSocketPath(folder) };
}
