import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import type { DerivedAddressing, Transfer } from "../../src/chains/port.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { createTronAdapter } from "../../src/chains/tron/adapter.ts";
import { type TronNetwork, verifyTronNode } from "../../src/chains/tron/network.ts";
import { createTronNode } from "../../src/chains/tron/tron-node.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { PrivateTron } from "./private-tron.ts";
import { accountXpubs, listedCurrencies, signal } from "./tron-accounts.ts";

export type ConnectedTron = {
  readonly adapter: ChainAdapter<DerivedAddressing>;
  readonly close: () => Promise<void>;
};

/** The adapter of the ledger's chain on the nodes at the URLs. */
export function connectTron(
  ledger: PrivateTron,
  urls: readonly string[],
  options: {
    readonly network?: TronNetwork;
    /** Each node is checked before its answers count; off to test the reader's own check. */
    readonly verifies?: boolean;
  } = {},
): ConnectedTron {
  const { network = { genesisId: null }, verifies = true } = options;
  const nodes = createHttpNodes({
    nodes: urls.map((url) => ({ url })),
    chain: "TRX",
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
    attempts: 2,
    ...(verifies ? { verify: verifyTronNode(network) } : {}),
  });
  const node = createTronNode("TRX", nodes);
  const { deposits, hot, gas } = accountXpubs;
  const adapter = createTronAdapter({
    network,
    node,
    accountXpub: deposits,
    treasuryXpubs: { hot, gas },
    currencies: listedCurrencies(ledger),
    clock: systemClock,
  });
  return { adapter, close: node.close };
}

/** The transfers of a transaction in a solid block. */
export async function solidTransfers(
  { reader }: ChainAdapter,
  txid: string,
): Promise<readonly Transfer[]> {
  const status = await reader.statusOf(txid, [], signal);
  if (status.kind !== "included") throw new Error(`${txid} is ${status.kind}`);
  const header = present(await reader.headerAt(status.height, signal), "its block");
  const content = present(await reader.readBlock(header, signal), "the block's content");
  return content.transfers.filter(({ key }) => key.txid === txid);
}

/** A transfer as a short text for comparison: receiver, currency or token, units. */
export function describeTransfer({ to, asset }: Transfer): string {
  return asset.kind === "currency"
    ? `${to} ${asset.amount.currency} ${asset.amount.units}`
    : `${to} ${asset.locator} ${asset.units}`;
}
