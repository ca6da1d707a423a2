import type { KeyNetwork } from "../keys/account-paths.ts";

/** One network of a chain of the Bitcoin family, from the signer's own configuration. Plain JSON. */
export type UtxoNetwork = {
  /** Address prefixes as @scure/btc-signer names them. */
  readonly bech32: string;
  readonly pubKeyHash: number;
  readonly scriptHash: number;
  /** SLIP-44 number of the coin, also on test networks. */
  readonly coinType: number;
  readonly keys: KeyNetwork;
  /** The supply in smallest units as decimal text: no amount is larger. */
  readonly unitsMax: string;
};
