import type { CardanoNetworkId } from "../../currencies/cardano-address.ts";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { BlockRef, ChainReader, UnspentOutputs } from "../port.ts";
import { pollForBlock } from "../rpc/poll-for-block.ts";
import { readBalancesAt } from "./balances-at.ts";
import { contentOf, headerOf, outgoing, receiptOf, transfersOf } from "./block-content.ts";
import type { CardanoLink, CardanoNode } from "./cardano-node.ts";
import type { ReadBlock } from "./chain-memory.ts";
import { blockAt, blockOf, findTip } from "./chain-walk.ts";
import { readMempool } from "./mempool.ts";
import { verifyNetwork } from "./network.ts";
import { parsePoint } from "./point.ts";
import { readSlotTimes, type SlotTimes } from "./slot-times.ts";
import { readSenders, readTransactionStatus } from "./transaction-status.ts";
import { newestPoint, readUnspent } from "./utxo-query.ts";

export type CardanoReaderOptions = {
  readonly node: CardanoNode;
  readonly network: CardanoNetworkId;
  readonly currency: CurrencyId;
  readonly clock: Clock;
  readonly reorgLimit: number;
};

/** Transactions that wallets make expire within hours; a node's mempool forgets them when it restarts. */
const forgottenAfterSeconds = 24 * 3_600;
/** A hard fork that changes the length of slots is announced epochs before. */
const timesSeconds = 600;

/** Reads one network of Cardano through Ogmios and Kupo. */
export function createCardanoReader(options: CardanoReaderOptions): ChainReader {
  const { clock, currency, network, node, reorgLimit } = options;
  const timesNow = cachedTimes(clock);

  const consult = <Answer>(
    work: (link: CardanoLink) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> => node.consult(work, signal);
  const header = async (link: CardanoLink, block: ReadBlock | null): Promise<BlockRef | null> =>
    block === null ? null : headerOf(block, await timesNow(link));
  const read = async (link: CardanoLink, hash: string): Promise<ReadBlock | null> => {
    const point = parsePoint(hash);
    return point === null ? null : await blockOf(link, point);
  };

  return {
    finality: { kind: "probable", reorgLimit },
    verifyNetwork: (signal) => consult((link) => verifyNetwork(link, network), signal),
    networkIdentity: () => Promise.resolve(`magic ${network.magic}`),
    tip: (signal) =>
      consult(async (link) => {
        const tip = await findTip(link);
        return headerOf(tip, await timesNow(link));
      }, signal),
    headerAt: (height, signal) =>
      consult(async (link) => header(link, await blockAt(link, height)), signal),
    headerByHash: (hash, signal) =>
      consult(async (link) => header(link, await read(link, hash)), signal),
    readBlock: (block, signal, mayBeWatched) =>
      consult(async (link) => {
        const found = await read(link, block.hash);
        return found === null ? null : contentOf(block, found.transactions, currency, mayBeWatched);
      }, signal),
    pendingTransfers: (signal) =>
      consult(
        async (link) => (await readMempool(link)).flatMap((one) => transfersOf(one, currency)),
        signal,
      ),
    pendingSpends: (isOurs, signal) =>
      consult(
        async (link) =>
          (await readMempool(link))
            .filter(({ claims }) => claims.some(isOurs))
            .map((one) => outgoing(one, currency)),
        signal,
      ),
    senders: (txids, block, signal) => consult((link) => readSenders(link, txids, block), signal),
    forgottenAfterSeconds,
    statusOf: (txid, spends, signal) =>
      consult((link) => readTransactionStatus(link, txid, spends), signal),
    balancesAt: (addresses, _currency, hash, signal) =>
      consult((link) => readBalancesAt(link, addresses, hash), signal),
    receiptsIn: (txids, block, signal) =>
      consult(async (link) => {
        if (txids.length === 0) return [];
        const ours = new Set(txids);
        const found = await read(link, block.hash);
        return found?.transactions.filter(({ txid }) => ours.has(txid)).map(receiptOf) ?? null;
      }, signal),
    unspentOutputs: (outpoints, signal) => consult((link) => unspentAmong(link, outpoints), signal),
    waitForBlock: pollForBlock(clock, (signal) => consult(newestPoint, signal)),
    limitations: () =>
      Promise.resolve([
        "payments to an address with our key and another wallet's stake: only addresses that were given out are watched",
        "payments before their first block, unless they reach the node in use first",
      ]),
  };
}

function cachedTimes(clock: Clock): (link: CardanoLink) => Promise<SlotTimes> {
  let known: { readonly times: SlotTimes; readonly until: Instant } | null = null;
  return async (link) => {
    if (known === null || clock.now() >= known.until)
      known = { times: await readSlotTimes(link), until: addSeconds(clock.now(), timesSeconds) };
    return known.times;
  };
}

/** See `ChainReader.unspentOutputs`. */
async function unspentAmong(
  link: CardanoLink,
  outpoints: readonly string[],
): Promise<UnspentOutputs | null> {
  const before = await newestPoint(link);
  const unspent = await readUnspent(link, outpoints);
  return (await newestPoint(link)) === before
    ? { atHash: before, outpoints: new Set(unspent.keys()) }
    : null;
}
