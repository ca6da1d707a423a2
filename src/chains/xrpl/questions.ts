import type { BlockRef } from "../port.ts";
import { type Fields, readFields, readList } from "../rpc/answer.ts";
import { readDrops, readHash, readUint32 } from "./answer.ts";
import { readHeader } from "./header.ts";
import type { RippledQuestion } from "./rippled-node.ts";
import { type ExecutedTransaction, readTransaction } from "./transaction.ts";

/** The newest validated ledger. */
export const validatedHeader: RippledQuestion<BlockRef> = {
  method: "ledger",
  params: { ledger_index: "validated" },
  read: readHeader,
};

/** The validated ledger at a height; null above the newest one, and if the node does not keep it. */
export function headerAt(height: number): RippledQuestion<BlockRef | null> {
  return { method: "ledger", params: { ledger_index: height }, ...validatedOrNull(readHeader) };
}

/** The validated ledger with that hash; null if the node does not have it. */
export function headerWithHash(hash: string): RippledQuestion<BlockRef | null> {
  return { method: "ledger", params: { ledger_hash: hash }, ...validatedOrNull(readHeader) };
}

/** A ledger and its transactions. */
export type ExecutedLedger = {
  readonly header: BlockRef;
  readonly executed: readonly ExecutedTransaction[];
};

/** The validated ledger with that hash and its transactions; null if the node does not have it. */
export function ledgerWithHash(hash: string): RippledQuestion<ExecutedLedger | null> {
  return {
    method: "ledger",
    params: { ledger_hash: hash, transactions: true, expand: true },
    ...validatedOrNull(readLedger),
  };
}

/** A ledger with expanded transactions, as `ledger` answers it. */
export function readLedger(result: Fields): ExecutedLedger {
  const transactions = readList(readFields(result["ledger"])["transactions"] ?? []);
  return { header: readHeader(result), executed: transactions.map(readTransaction) };
}

/** A node names a ledger that it has but that is not validated yet; to us it does not exist. */
function validatedOrNull<Answer>(
  read: (result: Fields) => Answer,
): Pick<RippledQuestion<Answer | null>, "read" | "onError"> {
  return {
    read: (result) => (result["validated"] === true ? read(result) : null),
    onError: { lgrNotFound: () => null },
  };
}

/** A transaction in a validated ledger, or one that the node has only seen; then all but its sender may still change. */
export type FoundTransaction =
  | {
      readonly kind: "validated";
      readonly height: number;
      readonly ledgerHash: string | null;
      readonly executed: ExecutedTransaction;
    }
  | {
      readonly kind: "pending";
      readonly account: string;
      readonly sequence: number | null;
    };

/** Null when the node knows no such transaction. */
export function transactionWithId(txid: string): RippledQuestion<FoundTransaction | null> {
  return {
    method: "tx",
    params: { transaction: txid },
    read: readFound,
    onError: { txnNotFound: () => null },
  };
}

function readFound(result: Fields): FoundTransaction {
  if (result["validated"] === true) {
    const hash = result["ledger_hash"];
    return {
      kind: "validated",
      height: readUint32(result["ledger_index"]),
      ledgerHash: hash === undefined ? null : readHash(hash),
      executed: readTransaction(result),
    };
  }
  const { Account, Sequence } = readFields(result["tx_json"] ?? result);
  const sequence = readUint32(Sequence);
  return { kind: "pending", account: String(Account), sequence: sequence === 0 ? null : sequence };
}

/** An account of the ledger. */
export type AccountRoot = {
  readonly balance: bigint;
  /** Of its next transaction. */
  readonly sequence: number;
  readonly flags: number;
  readonly ownerCount: number;
  /** Whether it belongs to an AMM, a vault or a loan broker, which take no payments. */
  readonly isPseudo: boolean;
};

/** The view of the ledger that answers: the newest validated one, the open one with what waits, or the one with that hash. */
export type View = "validated" | "current" | { readonly hash: string };

/** Null for an account that does not exist. Rejects with `NodeFault` if the node lacks the state of that ledger. */
export function accountIn(view: View, address: string): RippledQuestion<AccountRoot | null> {
  return {
    method: "account_info",
    params: { account: address, ...selectorOf(view) },
    read: (result) => readAccount(result["account_data"]),
    onError: { actNotFound: () => null },
  };
}

/** As `accountIn`; `unknown` if the node lacks that ledger. */
export function accountAt(
  hash: string,
  address: string,
): RippledQuestion<AccountRoot | "unknown" | null> {
  const question: RippledQuestion<AccountRoot | "unknown" | null> = accountIn({ hash }, address);
  return { ...question, onError: { ...question.onError, lgrNotFound: () => "unknown" } };
}

function selectorOf(view: View): { ledger_index: string } | { ledger_hash: string } {
  return typeof view === "string" ? { ledger_index: view } : { ledger_hash: view.hash };
}

const pseudoMembers = ["AMMID", "VaultID", "LoanBrokerID"];

function readAccount(value: unknown): AccountRoot {
  const fields = readFields(value);
  return {
    balance: readDrops(fields["Balance"]),
    sequence: readUint32(fields["Sequence"]),
    flags: readUint32(fields["Flags"]),
    ownerCount: readUint32(fields["OwnerCount"]),
    isPseudo: pseudoMembers.some((name) => fields[name] !== undefined),
  };
}

/** What a node knows about its network and itself. */
export type ServerState = {
  /** Nodes of the main network may leave out its number, 0. */
  readonly networkId: number;
  readonly isAmendmentBlocked: boolean;
  /** Ranges of heights: `32570-99000000,99000100-99000200`, or `empty`. */
  readonly completeLedgers: string;
};

export const serverState: RippledQuestion<ServerState> = {
  method: "server_info",
  params: {},
  read: (result) => {
    const info = readFields(result["info"]);
    const { network_id, amendment_blocked, complete_ledgers } = info;
    return {
      networkId: network_id === undefined ? 0 : readUint32(network_id),
      isAmendmentBlocked: amendment_blocked === true,
      completeLedgers: typeof complete_ledgers === "string" ? complete_ledgers : "empty",
    };
  },
};
