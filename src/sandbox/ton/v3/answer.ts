import { Address } from "@ton/core";
import type { JsonObject } from "../../../platform/kernel/json.ts";
import { isObject } from "../json.ts";
import type { Ledger } from "../ledger.ts";
import { readState } from "../machine.ts";
import { ToncenterError, wrongRequest } from "../toncenter-error.ts";
import { balanceOf, contractOf, statusOf } from "../v2/account-methods.ts";
import type { Answer } from "../v2/answer.ts";
import { base64Hash, base64Of, printRaw } from "../v2/print.ts";
import { normalHash, send } from "../v2/send-methods.ts";
import { walletIn } from "../v2/wallets.ts";
import { listMasters, listTransfers, listWallets } from "./jettons.ts";
import { addressBook, printBlock, printShard } from "./print.ts";
import { addressesIn, integerIn, isAscending, isInRange, pageOf, type Query } from "./query.ts";
import { listTraces } from "./traces.ts";
import {
  listAdjacent,
  listByMessage,
  listMessages,
  listOfMasterBlock,
  listTransactions,
} from "./transactions.ts";

type Route = (ledger: Ledger, query: Query) => object | Promise<object>;

const routes: Readonly<Record<string, Route>> = {
  masterchainInfo: (ledger) => {
    const first = ledger.masterBlock(1);
    return {
      last: printBlock(ledger.newest()),
      first: first === null ? null : printBlock(first),
    };
  },
  blocks: listBlocks,
  masterchainBlockShards: (ledger, query) => ({
    blocks: pageOf(query, ledger.blocksIn(Number(integerIn(query, "seqno") ?? 0n))).map(printBlock),
  }),
  masterchainBlockShardState: (ledger, query) => {
    const block = ledger.masterBlock(Number(integerIn(query, "seqno") ?? 0n));
    if (block === null) throw new ToncenterError(404, "blocks not found");
    const newest = block.shards
      .map((id) => ledger.block(id, id.seqno))
      .filter((one) => one !== null);
    return { blocks: [block, ...newest].map(printBlock) };
  },
  transactions: listTransactions,
  transactionsByMasterchainBlock: listOfMasterBlock,
  transactionsByMessage: listByMessage,
  adjacentTransactions: listAdjacent,
  messages: listMessages,
  traces: listTraces,
  events: (ledger, query) => {
    const { traces, ...rest } = listTraces(ledger, query) as { readonly traces: unknown };
    return { events: traces, ...rest };
  },
  "jetton/wallets": listWallets,
  "jetton/masters": listMasters,
  "jetton/transfers": listTransfers,
  accountStates: listAccountStates,
  addressBook: (_ledger, query) => addressBook(addressesIn(query, "address").map(printRaw)),
  addressInformation: (ledger, query) => {
    const { code, data, state } = accountIn(ledger, query);
    return {
      balance: balanceOf(state),
      code: code === null ? null : base64Of(code),
      data: data === null ? null : base64Of(data),
      last_transaction_lt: String(state?.lastTransactionLt ?? 0n),
      last_transaction_hash: lastHashOf(state),
      frozen_hash: null,
      status: statusNameOf(state),
    };
  },
  walletInformation: (ledger, query) => {
    const { code, data, state } = accountIn(ledger, query);
    const wallet = code === null || data === null ? null : walletIn(code, data);
    if (code !== null && wallet === null) throw new ToncenterError(409, "not a wallet");
    return {
      balance: balanceOf(state),
      ...wallet?.information,
      last_transaction_lt: String(state?.lastTransactionLt ?? 0n),
      last_transaction_hash: lastHashOf(state),
      status: statusNameOf(state),
    };
  },
};

const posts: Readonly<
  Record<string, (ledger: Ledger, params: JsonObject) => object | Promise<object>>
> = {
  message: async (ledger, params) => {
    const message = await send({ ledger, params });
    return {
      message_hash: message.hash().toString("base64"),
      message_hash_norm: normalHash(message),
    };
  },
};

/** The answer of toncenter's API v3 at a path below `/api/v3/`; `sent` is the JSON of a POST, null for GET. */
export async function answerV3(
  ledger: Ledger,
  path: string,
  { searchParams, sent }: { readonly searchParams: Query; readonly sent: unknown },
): Promise<Answer> {
  try {
    if (sent !== null) {
      const post = Object.hasOwn(posts, path) ? posts[path] : undefined;
      if (post === undefined) throw new ToncenterError(404, `Cannot POST /api/v3/${path}`);
      if (!isObject(sent)) throw wrongRequest("an object is expected");
      return { status: 200, body: await post(ledger, sent) };
    }
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) throw new ToncenterError(404, `Cannot GET /api/v3/${path}`);
    return { status: 200, body: await route(ledger, searchParams) };
  } catch (error) {
    if (!(error instanceof ToncenterError)) throw error;
    // The second API answers with the error alone.
    return { status: error.code, body: { error: error.message, code: error.code } };
  }
}

function listBlocks(ledger: Ledger, query: Query): object {
  const [workchain, seqno, mcSeqno] = ["workchain", "seqno", "mc_seqno"].map((name) =>
    integerIn(query, name),
  );
  const shard = query.get("shard")?.toUpperCase();
  const within = isInRange(query);
  const all =
    mcSeqno == null
      ? Array.from({ length: ledger.newest().id.seqno + 1 }, (_, at) => ledger.blocksIn(at)).flat()
      : ledger.blocksIn(Number(mcSeqno));
  const found = all.filter(
    (block) =>
      (workchain == null || BigInt(block.id.workchain) === workchain) &&
      (shard === undefined || shard === "" || printShard(block.id) === shard) &&
      (seqno == null || BigInt(block.id.seqno) === seqno) &&
      within({ transaction: { lt: block.startLt, now: block.now } }),
  );
  const page = pageOf(query, isAscending(query) ? found : found.toReversed());
  if (page.length === 0) throw new ToncenterError(404, "blocks not found");
  return { blocks: page.map(printBlock) };
}

type State = ReturnType<typeof readState> | null;

function accountIn(
  ledger: Ledger,
  query: Query,
): { readonly state: State } & ReturnType<typeof contractOf> {
  const [account] = addressesIn(query, "address");
  if (account === undefined) throw new ToncenterError(401, "address of account is required");
  const stored = ledger.stateAt(account, ledger.newest().id.seqno);
  const state = stored === null ? null : readState(stored);
  return { state, ...contractOf(state) };
}

function listAccountStates(ledger: Ledger, query: Query): object {
  const asked = addressesIn(query, "address");
  if (asked.length === 0) throw wrongRequest("address of account is required");
  const accounts = asked.flatMap((account) => {
    const stored = ledger.stateAt(account, ledger.newest().id.seqno);
    if (stored === null) return [];
    const state = readState(stored);
    const { code, data } = contractOf(state);
    return [
      {
        address: printRaw(Address.parseRaw(account).toRawString()),
        account_state_hash: null,
        balance: balanceOf(state),
        extra_currencies: {},
        status: statusNameOf(state),
        last_transaction_hash: lastHashOf(state),
        last_transaction_lt: String(state.lastTransactionLt),
        ...(data === null
          ? {}
          : { data_hash: data.hash().toString("base64"), data_boc: base64Of(data) }),
        ...(code === null
          ? {}
          : { code_hash: code.hash().toString("base64"), code_boc: base64Of(code) }),
        contract_methods: null,
        interfaces: null,
      },
    ];
  });
  return { accounts, address_book: addressBook(asked.map(printRaw)), metadata: {} };
}

function lastHashOf(state: State): string {
  return base64Hash((state?.lastTransactionHash ?? 0n).toString(16).padStart(64, "0"));
}

/** The second API knows accounts that do not exist. */
function statusNameOf(state: State): string {
  if (state?.account == null) return "nonexist";
  const status = statusOf(state);
  return status === "uninitialized" ? "uninit" : status;
}
