import type { KeyNetwork } from "../keys/account-paths.ts";

/** One network of Cardano, from the signer's own configuration. Plain JSON. */
export type CardanoNetwork = {
  readonly keys: KeyNetwork;
  /** The network's number in Byron's addresses of test networks. */
  readonly magic: number;
  /** The time of slot 0, in seconds since 1970, were all slots a second long; null on private networks, where only nodes know it. */
  readonly slotZero: number | null;
  /** The supply in lovelace as decimal text: no amount is larger. */
  readonly unitsMax: string;
};
