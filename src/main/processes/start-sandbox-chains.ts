import { isBuilt } from "../../currencies/chain-record.ts";
import { coins, findCoin } from "../../currencies/coins.ts";
import type { ChainId } from "../../currencies/currency.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { SandboxChain } from "../../sandbox/sandbox-file.ts";
import { sandboxFamilyOf } from "../families/sandbox-families.ts";
import type { StartedChain } from "../families/sandbox-family.ts";

export type SandboxChains = {
  readonly chains: Readonly<Record<string, SandboxChain>>;
  /** Selected chains that did not start, and why. */
  readonly missing: readonly { readonly chain: string; readonly reason: string }[];
  /** Chains that the program can follow and that were not selected. */
  readonly unselected: readonly ChainId[];
  /** Pids of the nodes that are processes of their own, by chain; null while one does not run. */
  readonly pids: () => Readonly<Record<ChainId, number | null>>;
  /** Resolves with the reason when a node cannot be restarted any more. */
  readonly failed: Promise<string>;
  readonly stop: () => Promise<void>;
};

/**
 * The chains that `SLUICE_CHAINS` selects: a list of their coins' codes, `all` of those that the program can follow, or by
 * default (null) a few of them. Throws for a code that is no chain's.
 */
export function selectChains(selection: string | null): readonly ChainId[] {
  const followed = coins.filter(({ chain }) => isBuilt(chain)).map(({ chain }) => chain.id);
  if (selection === null) return followed.filter((chain) => sandboxFamilyOf(chain).isDefault);
  const names = selection.split(",").map((name) => name.trim().toUpperCase());
  if (names.length === 1 && names[0] === "ALL") return followed;
  for (const name of names) {
    if (findCoin(name) !== null) continue;
    const known = coins.map(({ chain }) => chain.id).join(", ");
    throw new Error(`SLUICE_CHAINS: there is no chain "${name}". Use all, or some of ${known}`);
  }
  return [...new Set(names)];
}

/** Starts the selected private chains of the sandbox, each where it can run. Rejects when one that can run fails to start. */
export async function startSandboxChains(
  home: string,
  selected: readonly ChainId[],
  world: World,
): Promise<SandboxChains> {
  const missing: { chain: ChainId; reason: string }[] = [];
  const started: StartedChain[] = [];
  const stop = async (): Promise<void> => {
    await Promise.allSettled(started.map((node) => node.stop()));
  };
  const outcomes = await Promise.allSettled(
    selected.map(async (chain) => {
      const node = await startChain(chain, home, world);
      if (typeof node === "string") missing.push({ chain, reason: node });
      else started.push(node);
    }),
  );
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure !== undefined) {
    await stop();
    throw failure.reason;
  }
  return {
    chains: Object.fromEntries(started.map(({ chain, reached }) => [chain, reached])),
    missing,
    unselected: selectChains("all").filter((chain) => !selected.includes(chain)),
    pids: () =>
      Object.fromEntries(
        started.flatMap(({ chain, pid }) => (pid === undefined ? [] : [[chain, pid()]])),
      ),
    failed: Promise.race(started.map((node) => node.failed)),
    stop,
  };
}

async function startChain(
  chain: ChainId,
  home: string,
  world: World,
): Promise<StartedChain | string> {
  const coin = findCoin(chain);
  return coin !== null && isBuilt(coin.chain)
    ? await sandboxFamilyOf(chain).start(home, world)
    : "this chain cannot be followed yet";
}
