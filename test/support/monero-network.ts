import { monero } from "../../src/currencies/coins/monero.ts";
import type { MoneroNetworkFacts } from "../../src/currencies/monero-facts.ts";
import { assert } from "../../src/platform/kernel/assert.ts";

/** Private chains. */
export const moneroRegtest: MoneroNetworkFacts = regtestOf();

function regtestOf(): MoneroNetworkFacts {
  const { chain } = monero;
  assert(chain.family === "monero" && chain.facts !== null, "Monero is built");
  return chain.facts.networks.regtest;
}
