import { Address, beginCell, type Cell } from "@ton/core";
import {
  readTonAddress,
  type TonNetworkKind,
  tonAddressText,
} from "../../currencies/ton-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { BlockRef } from "../port.ts";
import { Malformed, readFields, readList, readText } from "../rpc/answer.ts";
import { readBigInt, readCell, readHash, readInteger } from "./answer.ts";
import { addressOf } from "./highload-wallet.ts";
import type { ToncenterQuestion } from "./toncenter-node.ts";
import { type ExecutedTransaction, readTransaction } from "./transaction.ts";

/** The masterchain, which has one shard. */
export const masterchain = { workchain: -1, shard: "-9223372036854775808" };

/** The newest masterchain block, and the state before the first one, which identifies a network. */
export type MasterchainInfo = {
  readonly height: number;
  readonly hash: string;
  /** 64 hexadecimal digits. */
  readonly zeroState: string;
};

export const masterchainInfo: ToncenterQuestion<MasterchainInfo> = {
  method: "getMasterchainInfo",
  params: {},
  read: (result) => {
    const { last, init } = readFields(result);
    const { height, hash } = readBlockId(last);
    return { height, hash, zeroState: readHash(readFields(init)["root_hash"]) };
  },
};

/** A masterchain block with the number of its network. */
export type MasterBlock = { readonly header: BlockRef; readonly globalId: number };

/** The masterchain block at a height that the node has. */
export function blockAt(height: number): ToncenterQuestion<MasterBlock> {
  return {
    method: "getBlockHeader",
    params: { ...masterchain, seqno: height },
    read: (result) => {
      const { id, gen_utime, global_id, prev_blocks } = readFields(result);
      const block = readBlockId(id);
      const [previous] = readList(prev_blocks);
      const parent = readBlockId(previous);
      if (block.height !== height || parent.height !== height - 1)
        throw new Malformed(`block ${block.height} after ${parent.height} for ${height}`);
      const time = instantFromSeconds(readInteger(gen_utime));
      return {
        header: { ...block, parentHash: parent.hash, time },
        globalId: readInteger(global_id),
      };
    },
  };
}

/**
 * The name of a masterchain block: its hash and its height. Nodes find blocks by both, as `BlockIdExt` of the chain's own protocol has them.
 */
function readBlockId(value: unknown): Pick<BlockRef, "height" | "hash"> {
  const { root_hash, seqno } = readFields(value);
  const height = readInteger(seqno);
  return { height, hash: `${readHash(root_hash)}:${height}` };
}

/** The height in the name of a block; null for other text. */
export function heightIn(hash: string): number | null {
  const [, height] = /^[0-9a-f]{64}:(\d{1,10})$/.exec(hash) ?? [];
  return height === undefined ? null : Number(height);
}

/**
 * The newest transaction of an account; its time is 0 if there is none. An account that was deleted has none either: the network keeps
 * nothing of it, and its next transaction is again its first one.
 */
export type TransactionRef = { readonly lt: bigint; readonly hash: string };

/** An account after a masterchain block. */
export type AccountState = {
  readonly kind: "active" | "uninitialized" | "frozen";
  readonly balance: bigint;
  readonly last: TransactionRef;
  /** Name of the masterchain block. */
  readonly block: string;
  /** When that block was made, in seconds since 1970. */
  readonly time: number;
};

/**
 * The account after the masterchain block at that height, or after the newest one. Its code and data are not read: strangers write what they
 * like there, and a contract that failed in its first transaction is active without data.
 */
export function accountState(
  account: string,
  height: number | null,
): ToncenterQuestion<AccountState> {
  return {
    method: "getAddressInformation",
    params: { address: account, ...(height === null ? {} : { seqno: height }) },
    read: (result) => {
      const { balance, block_id, last_transaction_id, state, sync_utime } = readFields(result);
      const kind = readText(state);
      if (kind !== "active" && kind !== "uninitialized" && kind !== "frozen")
        throw new Malformed(`an account that is ${kind}`);
      const last = readFields(last_transaction_id);
      const block = readBlockId(block_id);
      if (height !== null && block.height !== height)
        throw new Malformed(`an account after block ${block.height} for ${height}`);
      return {
        kind,
        // A node says -1 for an account that does not exist.
        balance: balance === "-1" || balance === -1 ? 0n : readBigInt(balance),
        last: { lt: readBigInt(last["lt"]), hash: readHash(last["hash"]) },
        block: block.hash,
        time: readInteger(sync_utime),
      };
    },
  };
}

/** The data of a contract after the newest masterchain block; null without any. */
export function contractData(account: string): ToncenterQuestion<Cell | null> {
  return {
    method: "getAddressInformation",
    params: { address: account },
    read: (result) => {
      const { data, state } = readFields(result);
      return state !== "active" || data === "" ? null : readCell(data);
    },
  };
}

/** At most so many transactions are in one answer. */
const pageSize = 100;

/** Transactions of an account, newest first: from that one on, down to those after `toLt`. */
export function transactionsFrom(
  account: string,
  network: TonNetworkKind,
  { hash, lt }: TransactionRef,
  toLt: bigint,
): ToncenterQuestion<readonly ExecutedTransaction[]> {
  return {
    method: "getTransactions",
    params: {
      address: account,
      lt: lt.toString(),
      hash: Buffer.from(hash, "hex").toString("base64"),
      to_lt: toLt.toString(),
      limit: pageSize,
      archival: true,
    },
    read: (result) =>
      readList(result).map((one) => readTransaction(readCell(readFields(one)["data"]), network)),
  };
}

/** What a get method returned: numbers and cells; null for other entries. */
export type MethodStack = readonly (bigint | Cell | null)[];

/** Runs a get method after the masterchain block at that height, or after the newest one; null if the contract fails. */
export function getMethod(
  account: string,
  method: string,
  stack: readonly (readonly [string, string])[],
  height: number | null,
): ToncenterQuestion<MethodStack | null> {
  return {
    method: "runGetMethod",
    params: { address: account, method, stack, ...(height === null ? {} : { seqno: height }) },
    read: (result) => {
      const { exit_code, stack: returned } = readFields(result);
      const code = readInteger(exit_code);
      return code === 0 || code === 1 ? readList(returned).map(readEntry) : null;
    },
  };
}

function readEntry(value: unknown): bigint | Cell | null {
  const [type, content] = readList(value);
  if (type === "num") {
    const text = readText(content);
    if (!/^-?0x[0-9a-f]{1,64}$/.test(text)) throw new Malformed("no number of a stack");
    return text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text);
  }
  return type === "cell" || type === "slice" ? readCell(readFields(content)["bytes"]) : null;
}

/** A parameter of the network's configuration, in the newest masterchain block. */
export function configParameter<Read>(
  id: number,
  read: (parameter: Cell) => Read,
): ToncenterQuestion<Read> {
  return {
    method: "getConfigParam",
    params: { config_id: id },
    read: (result) => {
      const parameter = readCell(readFields(readFields(result)["config"])["bytes"]);
      try {
        return read(parameter);
      } catch (error) {
        if (error instanceof Malformed) throw error;
        throw new Malformed(`parameter ${id} of the configuration in another form`);
      }
    },
  };
}

/** An address as an argument of a get method. */
export function addressArgument(account: string): readonly [string, string] {
  const cell = beginCell().storeAddress(parseAccount(account)).endCell();
  return ["tvm.Slice", cell.toBoc().toString("base64")];
}

/** The library's form of an account in its canonical spelling. */
function parseAccount(account: string): Address {
  return addressOf(present(readTonAddress(account), "an address").id);
}

/** The canonical spelling of an address; null outside the basic workchain. */
export function accountText(address: Address, network: TonNetworkKind): string | null {
  return address.workChain === 0 ? tonAddressText(address.hash, network) : null;
}

/** Sends an external message; resolves with the reason if the node refuses it. */
export function submissionOf(raw: Uint8Array): ToncenterQuestion<string | null> {
  return {
    method: "sendBoc",
    params: { boc: Buffer.from(raw).toString("base64") },
    read: () => null,
    onError: (text) => (/external message|Failed to unpack/.test(text) ? text : null),
  };
}
