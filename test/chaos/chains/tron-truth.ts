import { present } from "../../../src/platform/kernel/assert.ts";
import { fromBase58, fromEvm, toBase58 } from "../../../src/sandbox/tron/address.ts";
import { parseJsonText } from "../../../src/sandbox/tron/json.ts";
import { type Debit, itself, type Output } from "../best-chain.ts";
import type { OpenTruth } from "./chaos-chain.ts";

const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const firstBlock = 0n;

type Header = { readonly number?: bigint; readonly parentHash: string };
type Block = {
  readonly blockID: string;
  readonly block_header: { readonly raw_data: Header };
  readonly transactions?: readonly Transaction[];
};
/** The members of the contract types that moved something in this run; addresses as `41` and 40 digits. */
type Transaction = {
  readonly txID: string;
  readonly raw_data: {
    readonly contract: readonly [
      {
        readonly type: string;
        readonly parameter: {
          readonly value: {
            readonly owner_address: string;
            readonly to_address?: string;
            readonly amount?: bigint;
            readonly contract_address?: string;
            readonly call_value?: bigint;
          };
        };
      },
    ];
  };
};
type Info = {
  readonly id: string;
  readonly fee?: bigint;
  readonly result?: "FAILED";
  readonly log?: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
  }[];
  readonly internal_transactions?: readonly {
    readonly caller_address: string;
    readonly transferTo_address: string;
    readonly callValueInfo?: readonly { readonly callValue?: bigint; readonly tokenId?: string }[];
    readonly rejected?: boolean;
  }[];
};
type Move = {
  readonly txid: string;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly units: bigint;
};
export type Listed = {
  /** Its currency id. */
  readonly coin: string;
  /** Currency id by contract, base58. */
  readonly tokens: ReadonlyMap<string, string>;
};

/** The solid blocks: the newest of them is the tip. */
export function tronTruth(url: string, listed: Listed): OpenTruth {
  const ask = async <Answer>(path: string, body: object): Promise<Answer> => {
    const response = await fetch(url + path, { method: "POST", body: JSON.stringify(body) });
    return parseJsonText(await response.text()) as Answer;
  };
  const newest = async (view: string): Promise<number> => {
    const { block_header } = await ask<Block>(`/${view}/getnowblock`, {});
    return Number(block_header.raw_data.number ?? firstBlock);
  };
  const blockAt = (view: string, num: number): Promise<Partial<Block>> =>
    ask<Partial<Block>>(`/${view}/getblockbynum`, { num });
  return {
    firstHeight: 0,
    holderOf: itself,
    numbersOutputs: false,
    mayContradictItself: false,
    tipHeight: () => newest("walletsolidity"),
    hashAt: async (height) => (await blockAt("walletsolidity", height)).blockID ?? null,
    blockAt: async (height) => {
      const block = (await blockAt("walletsolidity", height)) as Block;
      const { transactions = [] } = block;
      const infos =
        transactions.length === 0
          ? []
          : await ask<readonly Info[]>("/walletsolidity/gettransactioninfobyblocknum", {
              num: height,
            });
      const byId = new Map(infos.map((info) => [info.id, info]));
      const executed = transactions.map((transaction) => {
        const info = byId.get(transaction.txID);
        if (info === undefined) throw new Error(`no receipt of ${transaction.txID}`);
        return { transaction, info };
      });
      const moves = executed.flatMap(({ transaction, info }) => movesOf(transaction, info, listed));
      const fees = executed.map(({ transaction, info }) => feeOf(transaction, info, listed.coin));
      return {
        height,
        hash: block.blockID,
        parentHash: block.block_header.raw_data.parentHash,
        outputs: moves.map(outputOf),
        debits: [...moves.map(debitOf), ...fees],
        burnt: new Map(fees.map(({ txid, units }) => [txid, units])),
      };
    },
    waiting: async () => {
      const { txId = [] } = await ask<{ readonly txId?: readonly string[] }>(
        "/wallet/gettransactionlistfrompending",
        {},
      );
      const solid = await newest("walletsolidity");
      const head = await newest("wallet");
      const heights = Array.from({ length: head - solid }, (_, place) => solid + 1 + place);
      const blocks = await Promise.all(heights.map((height) => blockAt("wallet", height)));
      const included = blocks.flatMap(({ transactions = [] }) => transactions);
      return new Set([...txId, ...included.map(({ txID }) => txID)]);
    },
    holdings: async (addresses, currency) => {
      const contract = [...listed.tokens].find(([, id]) => id === currency)?.[0] ?? null;
      let total = 0n;
      for (const address of addresses) {
        total +=
          contract === null ? await coinOf(ask, address) : await tokensOf(ask, address, contract);
      }
      return total;
    },
    close: () => Promise.resolve(),
  };
}

/** What a transaction moved by itself, by its contracts' calls and by its logs; nothing if it failed. */
function movesOf(
  { txID, raw_data }: Transaction,
  { result, log = [], internal_transactions = [] }: Info,
  { coin, tokens }: Listed,
): readonly Move[] {
  if (result === "FAILED") return [];
  const [{ parameter }] = raw_data.contract;
  const { owner_address, to_address, amount, contract_address, call_value } = parameter.value;
  const coins = [
    { from: owner_address, to: to_address, units: amount },
    { from: owner_address, to: contract_address, units: call_value },
    ...internal_transactions
      .filter(({ rejected }) => rejected !== true)
      .flatMap(({ caller_address, transferTo_address, callValueInfo = [] }) =>
        callValueInfo
          .filter(({ tokenId }) => tokenId === undefined)
          .map(({ callValue }) => ({
            from: caller_address,
            to: transferTo_address,
            units: callValue,
          })),
      ),
  ];
  return [
    ...coins.flatMap(({ from, to, units = 0n }) =>
      to === undefined || units === 0n
        ? []
        : [{ txid: txID, from: toBase58(from), to: toBase58(to), currency: coin, units }],
    ),
    ...log.flatMap(({ address, topics: [topic, from, to], data }) => {
      const currency = tokens.get(toBase58(fromEvm(`0x${address}`)));
      if (currency === undefined || topic !== transferTopic) return [];
      const units = BigInt(`0x${data}`);
      return [{ txid: txID, from: addressIn(from!), to: addressIn(to!), currency, units }];
    }),
  ];
}

function addressIn(topic: string): string {
  return toBase58(fromEvm(`0x${topic.slice(-40)}`));
}

/** Also of a failed transaction: what it burned for energy and bandwidth. */
function feeOf({ txID, raw_data }: Transaction, { fee = 0n }: Info, coin: string): Debit {
  const { owner_address } = raw_data.contract[0].parameter.value;
  return { txid: txID, address: toBase58(owner_address), currency: coin, units: fee };
}

function outputOf({ txid, to, currency, units }: Move): Output {
  return { txid, vout: null, address: to, currency, units };
}

function debitOf({ txid, from, currency, units }: Move): Debit {
  return { txid, address: from, currency, units };
}

type Ask = <Answer>(path: string, body: object) => Promise<Answer>;

async function coinOf(ask: Ask, address: string): Promise<bigint> {
  const account = { address, visible: true };
  const { balance = 0n } = await ask<{ balance?: bigint }>("/walletsolidity/getaccount", account);
  return balance;
}

async function tokensOf(ask: Ask, address: string, contract: string): Promise<bigint> {
  // The function takes an address in the form of a log's topic.
  const { constant_result } = await ask<{ constant_result: readonly [string] }>(
    "/walletsolidity/triggerconstantcontract",
    {
      owner_address: address,
      contract_address: contract,
      function_selector: "balanceOf(address)",
      parameter: present(fromBase58(address), address).slice(2).padStart(64, "0"),
      visible: true,
    },
  );
  return BigInt(`0x${constant_result[0]}`);
}
