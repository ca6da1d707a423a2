import { type Currency, coinAmong } from "../../currencies/currency.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import {
  type BlockRef,
  type ChainReader,
  ImpossibleAnswer,
  type TransactionReceipt,
} from "../port.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { pollForBlock } from "../rpc/poll-for-block.ts";
import { contentOf } from "./ledger-content.ts";
import { verifyNetwork, type XrplNetwork } from "./network.ts";
import {
  accountAt,
  type ExecutedLedger,
  headerAt,
  headerWithHash,
  ledgerWithHash,
  serverState,
  validatedHeader,
} from "./questions.ts";
import type { AskRippled, RippledNode } from "./rippled-node.ts";
import type { ExecutedTransaction } from "./transaction.ts";
import { readSenders, readTransactionStatus } from "./transaction-status.ts";

export type XrplReaderOptions = {
  readonly node: RippledNode;
  readonly network: XrplNetwork;
  readonly currencies: readonly Currency[];
  readonly clock: Clock;
};

const forgottenAfterSeconds = 3_600;
/** Balances asked for at a time. */
const questionsAtOnce = 16;

/**
 * Reads one XRP Ledger network through rippled or Clio. Validated ledgers never change, and only they are read: what waits in an open
 * ledger promises nothing and is four seconds away.
 */
export function createXrplReader(options: XrplReaderOptions): ChainReader {
  const { node, network, currencies, clock } = options;
  const { chain } = node;
  const coin = coinAmong(currencies);

  return {
    finality: { kind: "final" },
    verifyNetwork: (signal) => verifyNetwork(node, network, signal),
    // Most nodes do not keep the first ledgers.
    networkIdentity: async (signal) => {
      await verifyNetwork(node, network, signal);
      return `network ${network.networkId}`;
    },
    tip: (signal) => node.consult((ask) => ask(validatedHeader), signal),
    headerAt: (height, signal) =>
      node.consult(async (ask) => {
        const header = await ask(headerAt(height));
        if (header === null) await assertHistory(ask, height);
        return header;
      }, signal),
    headerByHash: (hash, signal) => node.consult((ask) => ask(headerWithHash(hash)), signal),
    readBlock: async (block, signal, mayBeWatched) => {
      const ledger = await readLedger(node, block, signal);
      return ledger === null ? null : contentOf(chain, coin, ledger, mayBeWatched);
    },
    pendingTransfers: null,
    pendingSpends: null,
    senders: (txids, block, signal) => readSenders(node, txids, block, signal),
    forgottenAfterSeconds,
    statusOf: (txid, spends, signal) => readTransactionStatus(node, txid, spends, signal),
    balancesAt: (addresses, _currency, hash, signal) =>
      readBalancesAt(node, addresses, hash, signal),
    receiptsIn: async (txids, block, signal) => {
      if (txids.length === 0) return [];
      const ours = new Set(txids);
      const ledger = await readLedger(node, block, signal);
      return ledger?.executed.filter(({ txid }) => ours.has(txid)).map(toReceipt) ?? null;
    },
    unspentOutputs: null,
    waitForBlock: pollForBlock(
      clock,
      async (signal) => (await node.consult((ask) => ask(validatedHeader), signal)).hash,
    ),
    limitations: (signal) => describeLimitations(node, signal),
  };
}

/** The outcome of one of our own transactions. */
function toReceipt({ txid, hasSucceeded, feeUnits }: ExecutedTransaction): TransactionReceipt {
  return { txid, hasSucceeded, feeUnits };
}

/** The ledger with that hash, from one node; null when the network has another one at its height. */
async function readLedger(
  node: RippledNode,
  { height, hash }: BlockRef,
  signal: AbortSignal,
): Promise<ExecutedLedger | null> {
  return await node.consult(async (ask) => {
    const ledger = await ask(ledgerWithHash(hash));
    if (ledger === null) {
      if ((await ask(headerAt(height))) === null) await assertHistory(ask, height);
      return null;
    }
    const { header } = ledger;
    if (header.hash !== hash || header.height !== height)
      throw new ImpossibleAnswer(node.chain, `a node answers ledger ${header.hash} for ${hash}`);
    return ledger;
  }, signal);
}

/** Rejects with `NodeFault` for a node that lacks a ledger of its own past: another one may have it. */
async function assertHistory(ask: AskRippled, height: number): Promise<void> {
  const tip = await ask(validatedHeader);
  // The first ledger is number 1.
  if (height < 1 || height > tip.height) return;
  const { completeLedgers } = await ask(serverState);
  throw new NodeFault("denied", `has no ledger ${height}: it has ${completeLedgers}`);
}

/** Each account's balance right after the ledger with that hash, including its reserve; null if the node does not have the ledger. */
async function readBalancesAt(
  node: RippledNode,
  addresses: readonly string[],
  hash: string,
  signal: AbortSignal,
): Promise<readonly bigint[] | null> {
  return await node.consult(async (ask) => {
    const balances: bigint[] = [];
    for (let from = 0; from < addresses.length; from += questionsAtOnce) {
      const part = addresses.slice(from, from + questionsAtOnce);
      const roots = await Promise.all(part.map((address) => ask(accountAt(hash, address))));
      for (const root of roots) {
        if (root === "unknown") return null;
        balances.push(root?.balance ?? 0n);
      }
    }
    return balances;
  }, signal);
}

async function describeLimitations(
  node: RippledNode,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { completeLedgers } = await node.consult((ask) => ask(serverState), signal);
  return completeLedgers.includes(",")
    ? [`ledgers that the node in use lacks: it has only ${completeLedgers}`]
    : [];
}
