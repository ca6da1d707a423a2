import type { Coin } from "../../currencies/coin.ts";
import { findCoin } from "../../currencies/coins.ts";
import type { ChainId } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { ChainContext, ConnectedChain } from "./connection.ts";

type Connect = (coin: Coin, context: ChainContext) => ConnectedChain;

const families: Readonly<Partial<Record<Coin["chain"]["family"], () => Promise<Connect>>>> = {
  utxo: async () => (await import("./utxo-connection.ts")).connectUtxo,
  evm: async () => (await import("./evm-connection.ts")).connectEvm,
  tron: async () => (await import("./tron-connection.ts")).connectTron,
  xrpl: async () => (await import("./xrpl-connection.ts")).connectXrpl,
  stellar: async () => (await import("./stellar-connection.ts")).connectStellar,
  algorand: async () => (await import("./algorand-connection.ts")).connectAlgorand,
  ton: async () => (await import("./ton-connection.ts")).connectTon,
  cardano: async () => (await import("./cardano-connection.ts")).connectCardano,
  monero: async () => (await import("./monero-connection.ts")).connectMonero,
};

/**
 * Connects to the nodes of a chain that this program can follow. Loads the adapters of its family only then: those of all families take
 * twice the memory and the time of everything else, the libraries of Stellar alone 50 MB and a quarter of a second.
 */
export async function connectChain(id: ChainId, context: ChainContext): Promise<ConnectedChain> {
  const coin = present(findCoin(id), `coin of ${id}`);
  const { family } = coin.chain;
  const connect = await present(families[family], `connection of the family ${family}`)();
  return connect(coin, context);
}
