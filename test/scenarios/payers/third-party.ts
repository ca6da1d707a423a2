import type { SandboxChain } from "../../../src/sandbox/sandbox-file.ts";
import type { TestSite } from "../support/test-site.ts";

/** Where a deposit is paid. */
export type PaidPlace = { readonly address: string; readonly tag: string | null };

/** An account outside the service that can be paid, and what it holds, in smallest units, as a node or the payer's own library counts it. */
export type Receiver = { readonly address: string; readonly held: () => Promise<bigint> };

/**
 * Someone who pays and is paid on one chain with software of another project, and finds everything else in `sandbox.json`. Reserves the chain
 * where blocks have to be made.
 */
export type ThirdParty = {
  /** Pays an exact decimal amount; the payment is sent when it resolves. */
  readonly pay: (alpha: string, place: PaidPlace, amount: string) => Promise<void>;
  /** A new account that can receive the currency. */
  readonly receiver: (alpha: string) => Promise<Receiver>;
  readonly close: () => Promise<void>;
};

export type OpenThirdParty<Reached extends SandboxChain = SandboxChain> = (
  chain: string,
  reached: Reached,
  site: TestSite,
) => ThirdParty | Promise<ThirdParty>;
