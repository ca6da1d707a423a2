import { join } from "node:path";

/** Where the signer's certificates and its list of clients are in its folder. */
export function certificatePaths(folder: string) {
  const at = (name: string): string => join(folder, "tls", name);
  return {
    folder: join(folder, "tls"),
    authorityFile: at("ca.crt"),
    authorityKeyFile: at("ca.key"),
    certificateFile: at("signer.crt"),
    keyFile: at("signer.key"),
    clientsFile: at("clients.json"),
  };
}
