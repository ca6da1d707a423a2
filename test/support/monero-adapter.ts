import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import { createMoneroAdapter } from "../../src/chains/monero/adapter.ts";
import { createMonerodNode } from "../../src/chains/monero/monerod-node.ts";
import { verifyMonerod } from "../../src/chains/monero/network.ts";
import type { DerivedAddressing } from "../../src/chains/port.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { readMoneroAddress } from "../../src/currencies/monero-address.ts";
import type { MoneroNetworkFacts } from "../../src/currencies/monero-facts.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import vectors from "../vectors/monero-addresses.json" with { type: "json" };
import { moneroRegtest } from "./monero-network.ts";

export const xmr = "1007" as CurrencyId;

export type TestMoneroAdapter = {
  readonly adapter: ChainAdapter<DerivedAddressing>;
  readonly close: () => Promise<void>;
};

/** An adapter with a fixed account for this node; `network` other than the node's own is not verified before use. */
export function openMoneroAdapter(
  url: string,
  network: MoneroNetworkFacts = moneroRegtest,
): TestMoneroAdapter {
  const nodes = createHttpNodes({
    nodes: [{ url }],
    chain: "XMR",
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
    ...(network === moneroRegtest ? { verify: verifyMonerod(network) } : {}),
  });
  const node = createMonerodNode("XMR", nodes);
  const primary = readMoneroAddress(
    vectors.wallet.subaddresses[0]!.address,
    moneroRegtest.addressPrefixes,
  );
  return {
    adapter: createMoneroAdapter({
      network,
      node,
      currency: xmr,
      viewKey: Buffer.from(vectors.wallet.viewKey, "hex"),
      spendKey: primary!.spendKey,
      clock: systemClock,
      paying: null,
    }),
    close: node.close,
  };
}
