import type { MoneroNetworkFacts } from "../../src/currencies/monero-facts.ts";

/** Private chains begin with the main network's block and use its addresses. */
export const moneroRegtest: MoneroNetworkFacts = {
  nettype: "fakechain",
  genesisHash: "418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3",
  addressPrefixes: { standard: 18, integrated: 19, subaddress: 42 },
  leastRewardFrom: Number.MAX_SAFE_INTEGER,
};
