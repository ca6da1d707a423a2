import type { SandboxChain } from "../../../src/sandbox/sandbox-file.ts";
import type { TruthReader } from "../best-chain.ts";
import type { ChainControl, Pace } from "../chain-actor.ts";
import type { Part } from "../part.ts";

export type OpenChainControl = ChainControl & { readonly close: () => Promise<void> };

export type OpenTruth = TruthReader & { readonly close: () => Promise<void> };

/** A private chain of the run, as its family opens it. */
export type ChaosChain = {
  readonly chain: string;
  /** Its node, which is killed and restarted. */
  readonly part: Part;
  /** Once, when the node runs for the first time; resolves with how payers reach the chain. */
  readonly prepare: () => Promise<SandboxChain>;
  /** Puts everything that the chain has now where no kill removes it. */
  readonly keep: () => Promise<void>;
  /** Once it is prepared. */
  readonly openControl: () => OpenChainControl;
  readonly openTruth: () => OpenTruth;
  /** An address that belongs to no one. */
  readonly newAddress: () => string;
  readonly pace: Pace;
  /** Members of the chain's configuration beside those of a sandbox. */
  readonly config?: Readonly<Record<string, unknown>>;
};
