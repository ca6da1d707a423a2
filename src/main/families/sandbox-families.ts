import { isBuilt } from "../../currencies/chain-record.ts";
import type { Coin } from "../../currencies/coin.ts";
import { findCoin } from "../../currencies/coins.ts";
import type { ChainId } from "../../currencies/currency.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import { type Faucet, loadFaucet } from "../../sandbox/faucet.ts";
import type { SandboxChain } from "../../sandbox/sandbox-file.ts";
import { algorandSandbox } from "./algorand-sandbox.ts";
import { cardanoSandbox } from "./cardano-sandbox.ts";
import { evmSandbox } from "./evm-sandbox.ts";
import { moneroSandbox } from "./monero-sandbox.ts";
import type { SandboxFamily } from "./sandbox-family.ts";
import { stellarSandbox } from "./stellar-sandbox.ts";
import { tonSandbox } from "./ton-sandbox.ts";
import { tronSandbox } from "./tron-sandbox.ts";
import { utxoSandbox } from "./utxo-sandbox.ts";
import { xrplSandbox } from "./xrpl-sandbox.ts";

const families: Readonly<Partial<Record<Coin["chain"]["family"], (coin: Coin) => SandboxFamily>>> =
  {
    utxo: utxoSandbox,
    evm: evmSandbox,
    tron: tronSandbox,
    xrpl: xrplSandbox,
    stellar: stellarSandbox,
    algorand: algorandSandbox,
    ton: tonSandbox,
    cardano: cardanoSandbox,
    monero: moneroSandbox,
  };

/** A chain that the sandbox can run, as its family treats it. Throws `InvariantViolation` for any other chain. */
export function sandboxFamilyOf(id: ChainId): SandboxFamily {
  const coin = present(findCoin(id), `coin of ${id}`);
  const { chain } = coin;
  assert(isBuilt(chain), `chain ${id} is not built`);
  return present(families[chain.family], `sandbox of the family ${chain.family}`)(coin);
}

/** The faucet of a chain from the running sandbox's file. */
export function openFaucet(id: ChainId, reached: SandboxChain, world: World): Faucet {
  return loadFaucet(id, () => sandboxFamilyOf(id).createPayer(reached, world));
}
