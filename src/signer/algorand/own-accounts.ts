import type { Ed25519Keys } from "../draft-signer.ts";
import { accountPath, type KeyNetwork } from "../keys/account-paths.ts";
import { addressText } from "./address.ts";

/** The paths of the deployment's keys. Ed25519 has only hardened steps, so the hot and the gas account are keys themselves. */
export type OwnPaths = {
  readonly hot: string;
  readonly gas: string;
  readonly depositAt: (index: number) => string;
};

const tree = { coinType: 283, isSharedByNetworks: false };

export function ownPaths(network: KeyNetwork): OwnPaths {
  const deposits = accountPath(tree, "", network);
  return {
    hot: accountPath(tree, "hot", network),
    gas: accountPath(tree, "gas", network),
    depositAt: (index) => `${deposits}/${index}'`,
  };
}

/** The address of the key at a path. */
export function addressAt(keys: Ed25519Keys, path: string): string {
  const key = keys.ed25519At(path);
  try {
    return addressText(key.publicKey);
  } finally {
    key.wipe();
  }
}
