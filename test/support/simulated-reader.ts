import type {
  Addressing,
  BlockRef,
  ChainReader,
  OutgoingPayment,
  OutgoingTransaction,
  TransactionStatus,
  Transfer,
  UnspentOutputs,
} from "../../src/chains/port.ts";
import { WrongNetwork } from "../../src/chains/port.ts";
import type { Clock } from "../../src/platform/kernel/clock.ts";
import { type CurrencyId, money } from "../../src/platform/kernel/money.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import {
  digest,
  lastOf,
  type SimulatedBlock,
  type SimulatedLedger,
  type SimulatedOutput,
  type SimulatedTransaction,
} from "./simulated-ledger.ts";

/* A SIMULATED node that answers from a simulated ledger, with configurable faults. See `simulated-chain.ts`. */

export type NodeFaults = {
  /** Every call fails with `Unavailable`. */
  outage: boolean;
  /** The node does not know the newest blocks. */
  lag: number;
  /** The node is on another network, and its first block shows it. */
  wrongNetwork: boolean;
  /** Runs before every answer: may wait (a slow node), throw (a broken one) or change the chain (a race). */
  beforeAnswer: ((question: string, signal: AbortSignal) => void | Promise<void>) | null;
};

export type SimulatedNode = {
  readonly chain: string;
  readonly currencies: readonly CurrencyId[];
  readonly clock: Clock;
  readonly finality: ChainReader["finality"];
  readonly showsPending: boolean;
  readonly addressing: Addressing;
  readonly ledger: SimulatedLedger;
  readonly faults: NodeFaults;
  /** How often each question was asked. */
  readonly callCounts: Map<string, number>;
  /** Aborts at the next change of the ledger, or with the signal given. */
  readonly nextChange: (signal: AbortSignal) => AbortSignal;
};

export function createSimulatedReader(node: SimulatedNode): ChainReader {
  const { chain, clock, faults, ledger, callCounts } = node;
  const view = (): readonly SimulatedBlock[] => {
    const blocks = ledger.blocks();
    return blocks.slice(0, Math.max(1, blocks.length - faults.lag));
  };
  const transfersOf = (transaction: SimulatedTransaction): readonly Transfer[] =>
    deliveredBy(transaction, node);
  const balancesAt = (
    addresses: readonly string[],
    currency: CurrencyId,
    hash: string,
  ): readonly bigint[] | null => {
    const last = view().findIndex(({ ref }) => ref.hash === hash);
    if (last === -1) return null;
    const held = new Map<string, bigint>();
    const add = (account: string, units: bigint): void => {
      held.set(account, (held.get(account) ?? 0n) + units);
    };
    for (const { transactions } of view().slice(0, last + 1))
      for (const transaction of transactions)
        for (const { to, asset } of transfersOf(transaction)) {
          if (asset.kind !== "currency" || asset.amount.currency !== currency) continue;
          add(accountOf(to), asset.amount.units);
          for (const sender of transaction.from) add(sender, -asset.amount.units);
        }
    return addresses.map((address) => held.get(address) ?? 0n);
  };
  const usingAny = (
    transactions: readonly SimulatedTransaction[],
    isOurs: (source: string) => boolean,
  ): readonly OutgoingTransaction[] =>
    transactions
      .filter(({ spends }) => spends.map(sourceOf).some(isOurs))
      .map((transaction) => ({
        txid: transaction.txid,
        sender: transaction.spends.some(isNumbered) ? sourceOf(transaction.spends[0] ?? "") : null,
        claims: transaction.spends,
        payments: transfersOf(transaction).map(paymentOf),
        feeUnits: null,
      }));

  const ask = async <Answer>(
    question: string,
    signal: AbortSignal,
    answer: () => Answer,
  ): Promise<Answer> => {
    callCounts.set(question, (callCounts.get(question) ?? 0) + 1);
    signal.throwIfAborted();
    if (faults.beforeAnswer !== null) await faults.beforeAnswer(question, signal);
    signal.throwIfAborted();
    if (faults.outage) throw new Unavailable(chain, "the simulated node is off");
    return answer();
  };

  return {
    finality: node.finality,
    verifyNetwork: (signal) =>
      ask("verifyNetwork", signal, () => {
        if (faults.wrongNetwork)
          throw new WrongNetwork(`${chain}: this node is of another network`);
      }),
    tip: (signal) => ask("tip", signal, () => lastOf(view()).ref),
    headerAt: (height, signal) => ask("headerAt", signal, () => headerOf(node, view()[height])),
    headerByHash: (hash, signal) =>
      ask("headerByHash", signal, () =>
        headerOf(
          node,
          view().find((block) => block.ref.hash === hash),
        ),
      ),
    readBlock: ({ hash }, signal) =>
      ask("readBlock", signal, () => {
        const found = view().find((block) => block.ref.hash === hash);
        if (found === undefined) return null;
        return {
          block: found.ref,
          transfers: found.transactions.flatMap(transfersOf),
          spends: {
            sources: () => found.transactions.flatMap(({ spends }) => spends.map(sourceOf)),
            transactionsFrom: (sources) =>
              usingAny(found.transactions, (source) => sources.has(source)),
          },
        };
      }),
    pendingTransfers: node.showsPending
      ? (signal) => ask("pendingTransfers", signal, () => ledger.waiting().flatMap(transfersOf))
      : null,
    pendingSpends: node.showsPending
      ? (isOurs, signal) => ask("pendingSpends", signal, () => usingAny(ledger.waiting(), isOurs))
      : null,
    senders: (txids, block, signal) =>
      ask("senders", signal, () => {
        const found = view().find((candidate) => candidate.ref.hash === block?.hash);
        const known = block === null ? ledger.waiting() : (found?.transactions ?? []);
        return new Map(
          known
            .filter((transaction) => txids.includes(transaction.txid))
            .map(({ txid, from, spends }) => [txid, { addresses: from, claims: spends }]),
        );
      }),
    forgottenAfterSeconds: 14 * 24 * 3600,
    statusOf: (txid, spends, signal) =>
      ask("statusOf", signal, () => fateOf(view(), ledger.waiting(), txid, spends)),
    balancesAt: (addresses, currency, hash, signal) =>
      ask("balancesAt", signal, () => balancesAt(addresses, currency, hash)),
    receiptsIn: (txids, { hash }, signal) =>
      ask("receiptsIn", signal, () => {
        const found = view().find((block) => block.ref.hash === hash);
        if (found === undefined) return null;
        return found.transactions
          .filter((transaction) => txids.includes(transaction.txid))
          .map(({ txid, fails }) => ({ txid, hasSucceeded: !fails, feeUnits: null }));
      }),
    unspentOutputs: (outpoints, signal) =>
      ask("unspentOutputs", signal, () => unspentIn(view(), outpoints)),
    waitForBlock: async (timeoutMs, signal) => {
      await ask("waitForBlock", signal, () => undefined);
      await clock.sleep(timeoutMs, node.nextChange(signal));
    },
    limitations: (signal) =>
      ask("limitations", signal, () => ["everything: this chain is simulated"]),
  };
}

/** The account that is paid under a tag. */
function accountOf(watchKey: string): string {
  return watchKey.split("?", 1)[0] ?? watchKey;
}

/** The account of a claim `sender#sequence`, otherwise the claim itself. */
function sourceOf(claim: string): string {
  return isNumbered(claim) ? claim.slice(0, claim.lastIndexOf("#")) : claim;
}

function isNumbered(claim: string): boolean {
  return claim.includes("#");
}

function headerOf(
  { chain, faults }: SimulatedNode,
  block: SimulatedBlock | undefined,
): BlockRef | null {
  if (block === undefined) return null;
  return faults.wrongNetwork && block.ref.height === 0
    ? { ...block.ref, hash: digest(`not ${chain}`) }
    : block.ref;
}

function deliveredBy(
  { txid, outputs, fails }: SimulatedTransaction,
  { addressing, currencies }: SimulatedNode,
): readonly Transfer[] {
  if (fails) return [];
  return outputs.map((output, index) => ({
    key: { txid, index },
    to: addressing.watchKey(output.to),
    asset: assetOf(output, currencies),
    spendableFromHeight: null,
  }));
}

function paymentOf({ to, asset }: Transfer): OutgoingPayment {
  return asset.kind === "currency"
    ? { to, address: to, currency: asset.amount.currency, units: asset.amount.units }
    : { to, address: to, currency: null, units: asset.units };
}

function assetOf(output: SimulatedOutput, currencies: readonly CurrencyId[]): Transfer["asset"] {
  if (typeof output.asset === "object")
    return { kind: "unlisted", locator: output.asset.locator, units: output.units };
  const currency = output.asset ?? currencies[0];
  if (currency === undefined) throw new Error("the simulated chain has no currency");
  return { kind: "currency", amount: money(output.units, currency) };
}

function unspentIn(
  blocks: readonly SimulatedBlock[],
  outpoints: readonly string[],
): UnspentOutputs {
  const transactions = blocks.flatMap((block) => block.transactions);
  const used = new Set(transactions.flatMap(({ spends }) => spends));
  const created = new Set(
    transactions.flatMap(({ txid, outputs }) => outputs.map((_, index) => `${txid}:${index}`)),
  );
  const there = outpoints.filter((outpoint) => created.has(outpoint) && !used.has(outpoint));
  return { atHash: lastOf(blocks).ref.hash, outpoints: new Set(there) };
}

function fateOf(
  blocks: readonly SimulatedBlock[],
  waiting: readonly SimulatedTransaction[],
  txid: string,
  spends: readonly string[],
): TransactionStatus {
  for (const { ref, transactions } of blocks) {
    for (const transaction of transactions) {
      if (transaction.txid === txid) return { kind: "included", height: ref.height };
      if (transaction.spends.some((spend) => spends.includes(spend)))
        return { kind: "conflicted", by: transaction.txid, height: ref.height };
    }
  }
  return waiting.some((transaction) => transaction.txid === txid)
    ? { kind: "pending" }
    : { kind: "unknown" };
}
