import type { SignerAddress } from "../../signer/signer-address.ts";
import { signerSocketPath } from "../../signer/socket-path.ts";
import type { Config } from "../config/config.ts";

/** Where the signer of this configuration answers: over the network if it says so, else on its socket. */
export function signerAddress({ folder, remote }: Config["signer"]): SignerAddress {
  if (remote === undefined) return localSigner(folder);
  const { host, port, certificate_file, key_file, authority_file } = remote;
  return {
    kind: "remote",
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
