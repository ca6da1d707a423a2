import type { JsonObject } from "../../platform/kernel/json.ts";
import { affects } from "./account-methods.ts";
import { answeredMetadata } from "./apply.ts";
import type { ClosedLedger, Executed } from "./closed-ledger.ts";
import type { Node } from "./node.ts";
import { printFields, timeText } from "./print-transaction.ts";
import { resultCode, resultText } from "./results.ts";

/** What a connection follows. */
export type Subscriptions = {
  /** Executes `subscribe` or `unsubscribe`; resolves to the method's result. */
  readonly change: (method: "subscribe" | "unsubscribe", params: JsonObject) => JsonObject;
  /** The messages for a ledger that was closed. */
  readonly messagesFor: (ledger: ClosedLedger) => readonly JsonObject[];
};

export function createSubscriptions(node: Node): Subscriptions {
  const streams = new Set<string>();
  const accounts = new Set<string>();
  return {
    change: (method, { accounts: named, streams: wanted }) => {
      for (const [own, list] of [
        [streams, wanted],
        [accounts, named],
      ] as const)
        for (const one of Array.isArray(list) ? list.map(String) : []) {
          if (method === "subscribe") own.add(one);
          else own.delete(one);
        }
      return method === "subscribe" && streams.has("ledger") ? headOf(node) : {};
    },
    messagesFor: (ledger) => {
      const isFollowed = (executed: Executed): boolean =>
        streams.has("transactions") || [...accounts].some((address) => affects(executed, address));
      return [
        ...(streams.has("ledger") ? [ledgerClosed(node, ledger)] : []),
        ...ledger.transactions.filter(isFollowed).map((one) => validated(one, ledger)),
      ];
    },
  };
}

function headOf(node: Node): JsonObject {
  const { closeTime, hash, index } = node.ledger.newest();
  const { baseFee, networkId, reserveBase, reserveIncrement } = node.ledger.settings();
  return {
    fee_base: Number(baseFee),
    ledger_hash: hash,
    ledger_index: index,
    ledger_time: closeTime,
    network_id: networkId,
    reserve_base: Number(reserveBase),
    reserve_inc: Number(reserveIncrement),
    validated_ledgers: node.completeLedgers(),
  };
}

function ledgerClosed(node: Node, { transactions }: ClosedLedger): JsonObject {
  return { type: "ledgerClosed", ...headOf(node), txn_count: transactions.length };
}

function validated({ metadata, transaction }: Executed, ledger: ClosedLedger): JsonObject {
  const { TransactionResult: result } = metadata;
  return {
    type: "transaction",
    close_time_iso: timeText(ledger.closeTime),
    engine_result: result,
    engine_result_code: resultCode(result),
    engine_result_message: resultText(result),
    hash: transaction.txid,
    ledger_hash: ledger.hash,
    ledger_index: ledger.index,
    meta: answeredMetadata(transaction.json, metadata),
    status: "closed",
    tx_json: { ...printFields(transaction, 2), date: ledger.closeTime },
    validated: true,
  };
}
