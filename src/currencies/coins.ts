import type { Coin } from "./coin.ts";
import { algorand } from "./coins/algorand.ts";
import { arbitrum } from "./coins/arbitrum.ts";
import { avalanche } from "./coins/avalanche.ts";
import { base } from "./coins/base.ts";
import { bitcoin } from "./coins/bitcoin.ts";
import { bitcoinCash } from "./coins/bitcoin-cash.ts";
import { bnb } from "./coins/bnb.ts";
import { cardano } from "./coins/cardano.ts";
import { dash } from "./coins/dash.ts";
import { dogecoin } from "./coins/dogecoin.ts";
import { ethereum } from "./coins/ethereum.ts";
import { litecoin } from "./coins/litecoin.ts";
import { monero } from "./coins/monero.ts";
import { optimism } from "./coins/optimism.ts";
import { polygon } from "./coins/polygon.ts";
import { stellar } from "./coins/stellar.ts";
import { ton } from "./coins/ton.ts";
import { tron } from "./coins/tron.ts";
import { xrp } from "./coins/xrp.ts";
import { zcash } from "./coins/zcash.ts";
import type { ChainId } from "./currency.ts";

/** Every coin. */
export const coins: readonly Coin[] = [
  ethereum,
  bnb,
  polygon,
  avalanche,
  arbitrum,
  optimism,
  base,
  bitcoin,
  litecoin,
  bitcoinCash,
  dash,
  dogecoin,
  zcash,
  tron,
  xrp,
  stellar,
  ton,
  cardano,
  algorand,
  monero,
];

const byChain = new Map(coins.map((coin) => [coin.chain.id, coin]));

/** The coin of a chain; null for an unknown chain. */
export function findCoin(chain: ChainId): Coin | null {
  return byChain.get(chain) ?? null;
}
