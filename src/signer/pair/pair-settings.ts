import type { RemoteSigner } from "../signer-address.ts";
import type { EtcdSettings } from "./etcd-witness.ts";

/** A signer's part in a pair. */
export type PairSettings = {
  /** This signer's name in the witness's record. */
  readonly name: string;
  /** The other signer: its name, where it listens, and the certificate with the right `replicate` to present there. */
  readonly peer: RemoteSigner & { readonly name: string };
  readonly witness: EtcdSettings;
  /** How long the standby waits for a sign of life before it takes over. */
  readonly takeoverSeconds: number;
};
