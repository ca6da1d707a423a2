import type { MoneroNetworkFacts } from "../../currencies/monero-facts.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { ChainWriter } from "../paying-port.ts";
import type { ChainReader, DerivedAddressing } from "../port.ts";
import { createChainNodes } from "../rpc/create-chain-nodes.ts";
import type { HttpNodes } from "../rpc/http-nodes.ts";
import { createMoneroAddressing } from "./addressing.ts";
import { secretKeyOf } from "./crypto/points.ts";
import type { MonerodNode } from "./monerod-node.ts";
import type { ClaimCoins } from "./pay/read-key-images.ts";
import { createViewWallet } from "./pay/view-wallet.ts";
import { createMoneroWriter, type MoneroWriterOptions } from "./pay/writer.ts";
import { newestHeader } from "./questions.ts";
import { createMoneroReader } from "./reader.ts";

export type MoneroAdapterOptions = {
  readonly network: MoneroNetworkFacts;
  /** The chain's nodes; created with `verifyMonerod(network)`, each is verified before it is used. */
  readonly node: MonerodNode;
  readonly currency: CurrencyId;
  /** The account's secret view key and public spend key, 32 bytes each. */
  readonly viewKey: Uint8Array;
  readonly spendKey: Uint8Array;
  readonly clock: Clock;
  /** Null if the deployment only receives. */
  readonly paying: {
    /** The monero-wallet-rpc of the deployment's view-only wallet. */
    readonly wallet: HttpNodes;
    /** See `SignerClient.claimCoins`. */
    readonly claimCoins: ClaimCoins;
  } | null;
};

/** A Monero network, as the owner of an account's view key sees it. Throws `InvariantViolation` for keys that are none. */
export function createMoneroAdapter(
  options: MoneroAdapterOptions,
): ChainAdapter<DerivedAddressing> {
  const { clock, currency, network, node, paying, spendKey, viewKey } = options;
  const viewSecret = secretKeyOf(viewKey);
  const addressing = createMoneroAddressing(network.addressPrefixes, { viewSecret, spendKey });
  const createReader = (of: MonerodNode): ChainReader =>
    createMoneroReader({ node: of, network, currency, viewSecret, clock });
  const drafting = paying === null ? null : draftingWith(options, paying, addressing);
  const createWriter = (of: MonerodNode): ChainWriter | null =>
    drafting === null ? null : createMoneroWriter({ node: of, currency, clock, drafting });
  return {
    chain: node.chain,
    keyspace: node.chain,
    currencies: [currency],
    addressing,
    reader: createReader(node),
    nodes: createChainNodes(node, createReader, createWriter),
    writer: createWriter(node),
    sweeper: null,
  };
}

function draftingWith(
  { node, viewKey }: MoneroAdapterOptions,
  { claimCoins, wallet }: NonNullable<MoneroAdapterOptions["paying"]>,
  { changeAt }: DerivedAddressing,
): NonNullable<MoneroWriterOptions["drafting"]> {
  const primaryAddress = present(changeAt, "change addresses")(0).address;
  const account = { address: primaryAddress, viewKey: Buffer.from(viewKey).toString("hex") };
  const tipHeight = async (signal: AbortSignal): Promise<number> =>
    (await node.consult((ask) => ask(newestHeader), signal)).height;
  return {
    wallet: createViewWallet(node.chain, wallet, account, tipHeight),
    primaryAddress,
    claimCoins,
  };
}
