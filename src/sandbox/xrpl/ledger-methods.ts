import type { JsonObject } from "../../platform/kernel/json.ts";
import { chooseLedger } from "./choose-ledger.ts";
import { type ClosedLedger, closeTimeResolution, type Executed } from "./closed-ledger.ts";
import type { Call, Methods } from "./node.ts";
import { printTransaction, timeText } from "./print-transaction.ts";
import { RpcError } from "./rpc-error.ts";

/** Methods about ledgers and their transactions. */
export const ledgerMethods: Methods = {
  ledger: (call) => {
    const closed = chooseLedger(call);
    const { ledger } = call.node;
    if (closed === null) {
      const { index, transactions } = ledger.open();
      const open = {
        closed: false,
        ledger_index: index,
        parent_hash: ledger.newest().hash,
        ...transactionsOf(transactions, null, call),
      };
      return { ledger: open, ledger_current_index: index, validated: false };
    }
    return {
      ledger: {
        ...printHeader(closed, call),
        ...transactionsOf(closed.transactions, closed, call),
      },
      ledger_hash: closed.hash,
      ledger_index: closed.index,
      validated: true,
    };
  },
  ledger_closed: ({ node: { ledger } }) => {
    const { hash, index } = ledger.newest();
    return { ledger_hash: hash, ledger_index: index };
  },
  ledger_current: ({ node: { ledger } }) => ({ ledger_current_index: ledger.open().index }),
  /** What a node of a test network without others offers to its operator. */
  ledger_accept: async ({ node: { ledger } }) => {
    const { index } = await ledger.close(1);
    return { ledger_current_index: index + 1 };
  },
  tx: ({ node, params: { transaction }, version }) => {
    if (typeof transaction !== "string" || !/^[0-9A-Fa-f]{64}$/.test(transaction))
      throw new RpcError("invalidParams", "Invalid parameters.");
    const found = node.ledger.find(transaction.toUpperCase());
    if (found === null || (found.kind === "closed" && !node.keeps(found.ledger.index)))
      throw new RpcError("txnNotFound");
    if (found.kind === "closed") return printTransaction(found.executed, found.ledger, version);
    return printTransaction({ transaction: found.transaction, metadata: null }, null, version);
  },
};

function printHeader(ledger: ClosedLedger, { version }: Call): JsonObject {
  const { accountHash, closeTime, hash, index, parentCloseTime, parentHash } = ledger;
  return {
    account_hash: accountHash,
    close_flags: 0,
    close_time: closeTime,
    close_time_iso: timeText(closeTime),
    close_time_resolution: closeTimeResolution,
    closed: true,
    ledger_hash: hash,
    ledger_index: version === 1 ? String(index) : index,
    parent_close_time: parentCloseTime,
    parent_hash: parentHash,
    total_coins: String(ledger.totalCoins),
    transaction_hash: ledger.transactionHash,
  };
}

function transactionsOf(
  transactions: readonly Executed[],
  ledger: ClosedLedger | null,
  { params, version }: Call,
): JsonObject {
  if (params["transactions"] !== true) return {};
  const print = (executed: Executed): JsonObject | string =>
    params["expand"] === true
      ? printTransaction(executed, ledger, version, "metaData")
      : executed.transaction.txid;
  return { transactions: transactions.map(print) };
}
