import type { ChainId } from "../../currencies/currency.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { ChainPayer } from "../../sandbox/chain-payer.ts";
import type { Float, FundedPurpose } from "../../sandbox/fund-treasury.ts";
import type { SandboxChain } from "../../sandbox/sandbox-file.ts";
import type { ChainConfig } from "../config/config.ts";

/** A running private chain; a killed node restarts at the same address. */
export type StartedChain = {
  readonly chain: ChainId;
  readonly reached: SandboxChain;
  /** Pid of its node; null while it does not run. Absent: the node is part of this process. */
  readonly pid?: () => number | null;
  /** Resolves with the reason when its node cannot be restarted any more. */
  readonly failed: Promise<string>;
  readonly stop: () => Promise<void>;
};

/**
 * One chain of the sandbox, as its family treats it. Created by `sandboxFamilyOf`. Apart from `Family`, so that production loads
 * nothing of the sandbox. A family loads what its node and its payer need when one of them is started: the nodes of all families
 * need a thousand files more than those of the default chains.
 */
export type SandboxFamily = {
  /** Whether it runs unless `SLUICE_CHAINS` selects other chains. */
  readonly isDefault: boolean;
  /** Starts the chain in `home`, or resolves with the reason why it cannot run here. */
  readonly start: (home: string, world: World) => Promise<StartedChain | string>;
  /** A payer for the running chain, whose node may belong to another process. */
  readonly createPayer: (reached: SandboxChain, world: World) => Promise<ChainPayer>;
  /** What the deployment's configuration says about the chain besides its network and its nodes. */
  readonly chainConfig: (reached: SandboxChain) => Partial<ChainConfig>;
  /** Contracts of the chain's test tokens by alpha code. */
  readonly tokens: (reached: SandboxChain) => Readonly<Record<string, string>>;
  /** Whether blocks arrive without anyone mining them. */
  readonly minesByItself: boolean;
  /** The initial floats, so that the first payout need not wait. */
  readonly floats: (
    reached: SandboxChain,
  ) => Readonly<Partial<Record<FundedPurpose, readonly Float[]>>>;
};
