import { findCoin } from "../../../src/currencies/coins.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { assets } from "../assets.ts";
import { algorandChaosChain } from "./algorand.ts";
import { cardanoChaosChain } from "./cardano.ts";
import type { ChaosChain } from "./chaos-chain.ts";
import { evmChaosChain } from "./evm.ts";
import { moneroChaosChain } from "./monero.ts";
import { stellarChaosChain } from "./stellar.ts";
import { tonChaosChain } from "./ton.ts";
import { tronChaosChain } from "./tron.ts";
import { utxoChaosChain } from "./utxo.ts";
import { xrplChaosChain } from "./xrpl.ts";

type Opener = (chain: string, folder: string) => Promise<ChaosChain | string>;

const families: Readonly<Record<string, Opener>> = {
  algorand: algorandChaosChain,
  cardano: cardanoChaosChain,
  evm: evmChaosChain,
  monero: moneroChaosChain,
  utxo: utxoChaosChain,
  tron: tronChaosChain,
  xrpl: xrplChaosChain,
  stellar: stellarChaosChain,
  ton: tonChaosChain,
};

/** The chains of the run's assets. */
export const chaosChains: readonly string[] = [...new Set(assets.map(({ chain }) => chain))];

const onDemand: readonly string[] = ["XLM", "TON", "ADA", "ALGO", "XMR"];

/** Those of a run that names none. Kills on the others have to be asked for: too few were run so far. */
export const defaultChains: readonly string[] = chaosChains.filter(
  (chain) => !onDemand.includes(chain),
);

/** Opens the chains whose programs are installed; their nodes are not started. */
export async function openChains(
  chains: readonly string[],
  folder: string,
  print: (line: string) => void,
): Promise<readonly ChaosChain[]> {
  const open: ChaosChain[] = [];
  for (const chain of chains) {
    const { family } = present(findCoin(chain), `coin ${chain}`).chain;
    const opened = await present(families[family], `the family ${family}`)(chain, folder);
    if (typeof opened !== "string") open.push(opened);
    else print(`Without ${chain}: ${opened}`);
  }
  return open;
}
