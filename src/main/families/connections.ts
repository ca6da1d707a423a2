import type { Coin } from "../../currencies/coin.ts";
import { findCoin } from "../../currencies/coins.ts";
import type { ChainId } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import { connectAlgorand } from "./algorand-connection.ts";
import { connectCardano } from "./cardano-connection.ts";
import type { ChainContext, ConnectedChain } from "./connection.ts";
import { connectEvm } from "./evm-connection.ts";
import { connectMonero } from "./monero-connection.ts";
import { connectStellar } from "./stellar-connection.ts";
import { connectTon } from "./ton-connection.ts";
import { connectTron } from "./tron-connection.ts";
import { connectUtxo } from "./utxo-connection.ts";
import { connectXrpl } from "./xrpl-connection.ts";

type Connect = (coin: Coin, context: ChainContext) => ConnectedChain;

const families: Readonly<Partial<Record<Coin["chain"]["family"], Connect>>> = {
  utxo: connectUtxo,
  evm: connectEvm,
  tron: connectTron,
  xrpl: connectXrpl,
  stellar: connectStellar,
  algorand: connectAlgorand,
  ton: connectTon,
  cardano: connectCardano,
  monero: connectMonero,
};

/** Connects to the nodes of a chain that this program can follow. Only processes that talk to nodes load the adapters. */
export function connectChain(id: ChainId, context: ChainContext): ConnectedChain {
  const coin = present(findCoin(id), `coin of ${id}`);
  const { family } = coin.chain;
  return present(families[family], `connection of the family ${family}`)(coin, context);
}
