import { present } from "../../platform/kernel/assert.ts";
import type { Chain } from "./chain.ts";
import { RpcFault } from "./rpc.ts";
import type { LedgerCoin, LedgerRules, LedgerTransaction, RefusalKind } from "./rules.ts";

export type PendingTransaction = {
  readonly transaction: LedgerTransaction;
  readonly feeUnits: bigint;
  /** Seconds since 1970 when the node took it. */
  readonly time: number;
};

/** Transactions that wait for a block, parents before their children. */
export type Pool = {
  readonly entries: () => readonly PendingTransaction[];
  readonly find: (txid: string) => PendingTransaction | null;
  /** The pending transaction that spends the output. */
  readonly spenderOf: (outpoint: string) => string | null;
  /** An output that a transaction of the next block can spend: unspent on the best chain, or made by a pending transaction. */
  readonly coinAt: (outpoint: string) => LedgerCoin | null;
  /** What the transaction would burn. Throws `RpcFault` if the node would not take it. */
  readonly check: (transaction: LedgerTransaction) => bigint;
};

export type ChangingPool = Pool & {
  /** Adds a transaction that passed `check` when the pool was as it is now. */
  readonly add: (transaction: LedgerTransaction, time: number) => void;
  /**
   * After the chain has changed: keeps what can still be mined of the returned transactions, in any order, and of those that
   * waited. The first of two that conflict stays.
   */
  readonly settle: (returned: readonly LedgerTransaction[], time: number) => void;
};

export function createPool(rules: LedgerRules, chain: Chain): ChangingPool {
  const entries = new Map<string, PendingTransaction>();
  const spenders = new Map<string, string>();

  const refuse = (kind: RefusalKind, detail = ""): never => {
    const { code, message } = rules.refusal(kind, detail);
    throw new RpcFault(code, message);
  };

  const coinAt = (outpoint: string): LedgerCoin | null => {
    const confirmed = chain.coinAt(outpoint);
    if (confirmed !== null) return confirmed;
    const [txid = "", vout = ""] = outpoint.split(":");
    const output = entries.get(txid)?.transaction.outputs[Number(vout)];
    return output === undefined ? null : { ...output, height: null, isCoinbase: false };
  };

  const spendableAt = (outpoint: string): LedgerCoin => {
    const coin = coinAt(outpoint) ?? refuse("missingInputs");
    const depth = chain.next().height - (coin.height ?? 0);
    if (coin.isCoinbase && depth < rules.coinbaseMaturity) refuse("immature", depth.toString());
    return coin;
  };

  const check = (transaction: LedgerTransaction): bigint => {
    const { txid, spends, outputs } = transaction;
    const isUnspentInChain = outputs.some((_, vout) => chain.coinAt(`${txid}:${vout}`) !== null);
    if (isUnspentInChain) refuse("alreadyInChain");
    const next = chain.next();
    rules.checkAlone(transaction, next);
    if (entries.has(txid)) refuse("alreadyPending");
    if (spends.some((outpoint) => spenders.has(outpoint))) refuse("conflict");
    const coins = spends.map(spendableAt);
    const feeUnits = feeOf(transaction, coins);
    if (feeUnits < 0n) refuse("outputsExceedInputs");
    rules.checkSpending(transaction, coins, feeUnits, next);
    return feeUnits;
  };

  const add = (transaction: LedgerTransaction, time: number): void => {
    const coins = transaction.spends.map((outpoint) => present(coinAt(outpoint), "its coin"));
    const feeUnits = feeOf(transaction, coins);
    entries.set(transaction.txid, { transaction, feeUnits, time });
    for (const outpoint of transaction.spends) spenders.set(outpoint, transaction.txid);
  };

  return {
    entries: () => [...entries.values()],
    find: (txid) => entries.get(txid) ?? null,
    spenderOf: (outpoint) => spenders.get(outpoint) ?? null,
    coinAt,
    check,
    add,
    settle: (returned, time) => {
      let waiting = [
        ...returned.map((transaction) => ({ transaction, time })),
        ...entries.values(),
      ];
      entries.clear();
      spenders.clear();
      // Each pass adds the children of the transactions that the pass before added.
      for (let left = -1; left !== waiting.length; ) {
        left = waiting.length;
        waiting = waiting.filter((candidate) => {
          if (!isAccepted(() => check(candidate.transaction))) return true;
          add(candidate.transaction, candidate.time);
          return false;
        });
      }
    },
  };
}

function feeOf({ outputs }: LedgerTransaction, coins: readonly LedgerCoin[]): bigint {
  const taken = coins.reduce((sum, { units }) => sum + units, 0n);
  return outputs.reduce((rest, { units }) => rest - units, taken);
}

function isAccepted(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    return false;
  }
}
