import { Address, loadMessage } from "@ton/core";
import { present } from "../../../platform/kernel/assert.ts";
import type { Executed } from "../chain.ts";
import { ToncenterError, wrongRequest } from "../toncenter-error.ts";
import { blockOf } from "./block-methods.ts";
import {
  address,
  type Call,
  count,
  integer,
  integerOrNull,
  type Methods,
  parseHash,
} from "./parameters.ts";
import { base64Hash, printBlockId, printTransaction, printTransactionExt } from "./print.ts";

const blockTransactionsMax = 10_000;
const transactionsMax = 1_000;
/** What a node adds to a page that begins after a transaction: bits of its protocol's mode. */
const listingMode = 135;

export const transactionMethods: Methods = {
  getTransactions: (call) => pageOf(call).map(printTransaction),
  getTransactionsStd: (call) => ({
    "@type": "raw.transactions",
    transactions: pageOf(call).map(printTransaction),
  }),
  getBlockTransactions: (call) => {
    const listed = listBlock(call);
    return {
      "@type": "blocks.transactions",
      ...listed.common,
      transactions: listed.transactions.map(({ account, hash, transaction }) => ({
        "@type": "blocks.shortTxId",
        mode: listingMode,
        account,
        lt: String(transaction.lt),
        hash: base64Hash(hash),
      })),
    };
  },
  getBlockTransactionsExt: (call) => {
    const listed = listBlock(call);
    return {
      "@type": "blocks.transactionsExt",
      ...listed.common,
      transactions: listed.transactions.map(printTransactionExt),
    };
  },
  tryLocateTx: locateReceiver,
  tryLocateResultTx: locateReceiver,
  tryLocateSourceTx: (call) => {
    const { destination, lt, source } = linkOf(call);
    const sent = (executed: Executed): boolean =>
      executed.outMessages.some((cell) => {
        const { info } = loadMessage(cell.beginParse());
        return info.type === "internal" && info.createdLt === lt && info.dest.equals(destination);
      });
    return printTransaction(located(call.ledger.transactionsOf(source.toRawString()).find(sent)));
  },
};

/** Newest first, from the newest transaction or from the one that a request names, which is the first. */
function pageOf({ ledger, params }: Call): readonly Executed[] {
  const limit = count(params, "limit", 10, transactionsMax);
  const lt = integerOrNull(params, "lt") ?? 0n;
  const hash = typeof params["hash"] === "string" ? params["hash"] : "";
  if ((lt !== 0n) !== (hash !== ""))
    throw wrongRequest("failed to validate request: lt and hash should be used together");
  const all = ledger.transactionsOf(address(params).toRawString());
  let last = all.length - 1;
  if (lt !== 0n) {
    last = all.findIndex(({ transaction }) => transaction.lt === lt);
    if (last === -1)
      throw new ToncenterError(
        500,
        "LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time",
      );
    if (all[last]?.hash !== parseHash(hash))
      throw new ToncenterError(500, "LITE_SERVER_UNKNOWN: transaction hash mismatch");
  }
  const toLt = integerOrNull(params, "to_lt") ?? 0n;
  return all
    .slice(Math.max(0, last + 1 - limit), last + 1)
    .filter(({ transaction }) => transaction.lt > toLt)
    .reverse();
}

/** The transactions of a block by account, then by logical time, after the one that a request names. */
function listBlock(call: Call): {
  readonly common: object;
  readonly transactions: readonly Executed[];
} {
  const { params } = call;
  const most = count(params, "count", 40, blockTransactionsMax);
  const block = blockOf(call);
  const lt = integerOrNull(params, "after_lt");
  const account = accountAfter(params["after_hash"], block.id.workchain);
  if ((lt !== null) !== (account !== null))
    throw wrongRequest(
      "failed to validate request: after_lt and after_hash should be used together",
    );
  const sorted = block.transactions.toSorted(inListing);
  const rest = sorted.filter(
    (one) =>
      lt === null ||
      account === null ||
      one.account > account ||
      (one.account === account && one.transaction.lt > lt),
  );
  const common = {
    id: printBlockId(block.id),
    req_count: most,
    incomplete: rest.length > most,
  };
  return { common, transactions: rest.slice(0, most) };
}

function inListing(one: Executed, other: Executed): number {
  if (one.account !== other.account) return one.account < other.account ? -1 : 1;
  return one.transaction.lt < other.transaction.lt ? -1 : 1;
}

/** The raw address of an account that a request names by its hash or by a whole address. */
function accountAfter(value: unknown, workchain: number): string | null {
  if (typeof value !== "string" || value === "") return null;
  if (value.includes(":")) return Address.parseRaw(value).toRawString();
  const hash = parseHash(value);
  if (hash === null) throw wrongRequest("failed to parse after_hash");
  return `${workchain}:${hash}`;
}

type Link = { readonly source: Address; readonly destination: Address; readonly lt: bigint };

function linkOf({ params }: Call): Link {
  return {
    source: address(params, "source"),
    destination: address(params, "destination"),
    lt: integer(params, "created_lt"),
  };
}

function locateReceiver(call: Call): object {
  const { destination, lt, source } = linkOf(call);
  const processed = ({ inMessage }: Executed): boolean => {
    if (inMessage === null) return false;
    const { info } = loadMessage(present(inMessage, "a message").beginParse());
    return info.type === "internal" && info.createdLt === lt && info.src.equals(source);
  };
  const all = call.ledger.transactionsOf(destination.toRawString());
  return printTransaction(located(all.find(processed)));
}

function located(executed: Executed | undefined): Executed {
  if (executed === undefined) throw new ToncenterError(404, "transaction was not found");
  return executed;
}
