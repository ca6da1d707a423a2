import { type Block, type Executed, printBlock } from "./block.ts";
import { type Json, type JsonRecord, printMessage, readHex } from "./json.ts";
import { type TransactionInfo, transactionInfo } from "./messages.ts";
import { type NodeRequest, numberIn, type Routes, textIn } from "./routes.ts";
import { printTransaction } from "./transaction.ts";

/* Blocks, transactions and receipts. What does not exist is `{}`. */

const latestMax = 100;
const rangeMax = 100;

export const chainRoutes: Routes = {
  getnowblock: (request) => print(request, newest(request)),
  getblock: (request) => {
    const idOrNumber = textIn(request, "id_or_num");
    const detailed = request.body["detail"] === true;
    if (idOrNumber === "") return print(request, newest(request), detailed);
    if (/^-?\d{1,18}$/.test(idOrNumber)) {
      if (Number(idOrNumber) < 0) return { Error: "num must be non-positive number." };
      return print(request, at(request, Number(idOrNumber)), detailed);
    }
    if (!/^[0-9a-f]{64}$/i.test(idOrNumber) || byId(request, idOrNumber) === null)
      return { Error: "id must be legal block hash." };
    return print(request, byId(request, idOrNumber), detailed);
  },
  getblockbynum: (request) => print(request, at(request, numberIn(request, "num"))),
  getblockbyid: (request) => print(request, byId(request, textIn(request, "value"))),
  getblockbylatestnum: (request) => {
    const count = numberIn(request, "num");
    if (count <= 0 || count >= latestMax) return {};
    const end = newest(request).number + 1;
    return printRange(request, Math.max(end - count, 0), end);
  },
  getblockbylimitnext: (request) => {
    const start = numberIn(request, "startNum");
    const end = numberIn(request, "endNum");
    if (end <= 0 || end <= start || end - start > rangeMax || start < 0) return {};
    return printRange(request, start, end);
  },
  gettransactioncountbyblocknum: (request) => ({
    count: at(request, numberIn(request, "num"))?.transactions.length ?? -1,
  }),
  gettransactionbyid: (request) => {
    const executed = included(request)?.executed ?? pendingIn(request);
    return executed === null ? {} : printExecuted(request, executed);
  },
  gettransactioninfobyid: (request) => {
    const found = included(request);
    return found === null ? {} : printInfo(request, found.executed.info);
  },
  gettransactioninfobyblocknum: (request) => {
    const number = numberIn(request, "num");
    if (number <= 0) return {};
    const { transactions = [] } = at(request, number) ?? {};
    return transactions.map(({ info }) => printInfo(request, info));
  },
};

/** The pool of the full node. */
export const poolRoutes: Routes = {
  gettransactionfrompending: (request) => {
    const executed = pendingIn(request);
    return executed === null ? {} : printExecuted(request, executed);
  },
  gettransactionlistfrompending: ({ ledger }) => {
    const txId = ledger.pending().map(({ transaction }) => transaction.txid);
    return txId.length === 0 ? {} : { txId };
  },
  getpendingsize: ({ ledger }) => ({ pendingSize: ledger.pending().length }),
};

function newest({ ledger, view }: NodeRequest): Block {
  return view === "head" ? ledger.head() : ledger.solid();
}

function at(request: NodeRequest, number: number): Block | null {
  return number > newest(request).number ? null : request.ledger.blockAt(number);
}

function byId(request: NodeRequest, id: string): Block | null {
  const block = at(request, Number.parseInt(id.slice(0, 16), 16));
  return block?.id === id.toLowerCase() ? block : null;
}

function print({ visible }: NodeRequest, block: Block | null, detailed = true): JsonRecord {
  return block === null ? {} : printBlock(block, detailed, visible);
}

function printRange(request: NodeRequest, start: number, end: number): JsonRecord {
  const block: JsonRecord[] = [];
  for (let number = start; number < end && at(request, number) !== null; number += 1)
    block.push(print(request, at(request, number)));
  return { block };
}

/** The transaction of the request, if it is in a block that the view has. */
function included(request: NodeRequest): { readonly executed: Executed } | null {
  const found = request.ledger.find(readHex(textIn(request, "value")));
  return found === null || found.block.number > newest(request).number ? null : found;
}

function pendingIn(request: NodeRequest): Executed | null {
  if (request.view === "solid") return null;
  const txid = readHex(textIn(request, "value"));
  return request.ledger.pending().find(({ transaction }) => transaction.txid === txid) ?? null;
}

function printExecuted({ visible }: NodeRequest, { transaction, result }: Executed): Json {
  return printTransaction(transaction, result, visible);
}

function printInfo({ visible }: NodeRequest, info: TransactionInfo): JsonRecord {
  if (!visible) return printMessage(transactionInfo, info, visible);
  // Logs have twenty bytes, which become an address only for people.
  const log = (info.log ?? []).map((item) => ({ ...item, address: `41${item.address ?? ""}` }));
  return printMessage(transactionInfo, { ...info, log }, visible);
}
