import { Address, Cell } from "@ton/core";
import type { TonSite } from "../../../src/sandbox/sandbox-file.ts";
import { queryTon } from "../../support/query-ton.ts";
import type { Debit, Output } from "../best-chain.ts";
import { partsOf } from "../place.ts";
import type { OpenTruth } from "./chaos-chain.ts";

/** The members of API v3 that are read; hashes in base64, accounts raw. */
type Message = {
  readonly hash: string;
  readonly hash_norm?: string;
  /** Null: from outside. */
  readonly source: string | null;
  readonly destination: string | null;
  readonly value: string | null;
  readonly fwd_fee: string | null;
  readonly bounced: boolean | null;
  readonly opcode: string | null;
  readonly message_content: { readonly body: string };
};
type TonTransaction = {
  readonly account: string;
  readonly hash: string;
  readonly total_fees: string;
  readonly in_msg: Message | null;
  readonly out_msgs: readonly Message[];
};
type BlockId = { readonly seqno: number; readonly root_hash: string };

/** The highload wallet sends itself the payments of an order. */
const passedOnOpcode = "0xae42e5a4";
const transactionsMax = 1_000;

/**
 * The masterchain blocks, as toncenter's indexer (API v3) explains them. A payment with a comment is one to the account and that comment. What
 * our wallet pays is read where it leaves: several payments of an order leave in the wallet's transaction after the order's own.
 */
export function tonTruth(site: TonSite, coin: string): OpenTruth {
  const ask = async <Answer>(method: string, params: object): Promise<Answer> => {
    const answer = await queryTon<Answer>(site, method, params as never);
    if (answer === null) throw new Error(`${method} failed`);
    return answer;
  };
  const list = async (path: string): Promise<readonly TonTransaction[]> => {
    const response = await fetch(`${site.v3_url}/${path}`);
    const { transactions } = (await response.json()) as {
      readonly transactions: readonly TonTransaction[];
    };
    return transactions;
  };
  const tipHeight = async (): Promise<number> =>
    (await ask<{ readonly last: BlockId }>("getMasterchainInfo", {})).last.seqno;
  const masterchain = { workchain: -1, shard: "-9223372036854775808" };
  const headerAt = (seqno: number) =>
    ask<{ readonly id: BlockId; readonly prev_blocks: readonly BlockId[] }>("getBlockHeader", {
      ...masterchain,
      seqno,
    });
  return {
    firstHeight: 1,
    holderOf: (place) => partsOf(place).address,
    numbersOutputs: false,
    mayContradictItself: false,
    tipHeight,
    hashAt: async (height) =>
      height > (await tipHeight()) ? null : nameOf((await headerAt(height)).id),
    blockAt: async (height) => {
      const { id, prev_blocks } = await headerAt(height);
      const transactions = await list(
        `transactionsByMasterchainBlock?seqno=${height}&limit=${transactionsMax}`,
      );
      const before = async (message: Message): Promise<TonTransaction | null> => {
        const hash = encodeURIComponent(message.hash);
        return (await list(`transactionsByMessage?msg_hash=${hash}&direction=out`))[0] ?? null;
      };
      const read = await Promise.all(transactions.map((one) => readOne(one, coin, before)));
      const [parent] = prev_blocks;
      return {
        height,
        hash: nameOf(id),
        parentHash: parent === undefined ? "" : nameOf(parent),
        outputs: read.flatMap(({ outputs }) => outputs),
        debits: read.flatMap(({ debits }) => debits),
        charges: read.flatMap(({ charges }) => charges),
        burnt: new Map(read.flatMap(({ burnt }) => burnt)),
      };
    },
    // What waits for a block is not shown.
    waiting: () => Promise.resolve(new Set()),
    holdings: async (addresses) => {
      let total = 0n;
      for (const address of addresses) {
        const { balance } = await ask<{ readonly balance: string }>("getAddressInformation", {
          address,
        });
        if (BigInt(balance) > 0n) total += BigInt(balance);
      }
      return total;
    },
    close: () => Promise.resolve(),
  };
}

function nameOf({ root_hash, seqno }: BlockId): string {
  return `${hexOf(root_hash)}:${seqno}`;
}

export function hexOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("hex");
}

type Read = {
  readonly outputs: readonly Output[];
  readonly debits: readonly Debit[];
  readonly charges: readonly Debit[];
  readonly burnt: readonly (readonly [string, bigint])[];
};

type Before = (message: Message) => Promise<TonTransaction | null>;

async function readOne(transaction: TonTransaction, coin: string, before: Before): Promise<Read> {
  const none: Read = { outputs: [], debits: [], charges: [], burnt: [] };
  const { account, hash, in_msg, out_msgs } = transaction;
  if (in_msg === null) return none;
  const address = textOf(account);
  if (isOrder(in_msg)) {
    // An order that is passed on pays in the wallet's next transaction.
    if (out_msgs.some(({ destination, opcode }) => isPassedOn(account, destination, opcode)))
      return none;
    return payments(hexOf(in_msg.hash_norm ?? ""), address, out_msgs, costOf(transaction), coin);
  }
  if (in_msg.source === null) return none;
  const sender = await before(in_msg);
  if (isPassedOn(account, in_msg.source, in_msg.opcode)) {
    if (sender?.in_msg == null) throw new Error(`no order before ${hash}`);
    const cost = costOf(transaction) + costOf(sender);
    return payments(hexOf(sender.in_msg.hash_norm ?? ""), address, out_msgs, cost, coin);
  }
  const txid = hexOf(hash);
  const charges = [{ txid, address, currency: coin, units: costOf(transaction) }];
  // What a highload wallet pays was read where it left.
  const isRead = sender !== null && paysByOrder(sender);
  if (isRead || in_msg.bounced === true) return { ...none, charges };
  const place = placeFor(in_msg);
  const output = { txid, vout: null, address: place, currency: coin, units: valueOf(in_msg) };
  return { ...none, outputs: [output], charges };
}

/** Signed for a highload wallet: a signature, and the order in a cell of its own. */
function isOrder({ message_content, source }: Message): boolean {
  if (source !== null) return false;
  const body = Cell.fromBase64(message_content.body);
  return body.bits.length === 512 && body.refs.length === 1;
}

function paysByOrder({ account, in_msg }: TonTransaction): boolean {
  return in_msg !== null && (isOrder(in_msg) || isPassedOn(account, in_msg.source, in_msg.opcode));
}

/** What the network took for a transaction and for the way of its messages. */
function costOf({ out_msgs, total_fees }: TonTransaction): bigint {
  return out_msgs.reduce((sum, { fwd_fee }) => sum + BigInt(fwd_fee ?? 0), BigInt(total_fees));
}

function valueOf({ value }: Message): bigint {
  return BigInt(value ?? 0);
}

/** The account that a message pays, and the comment beside it. */
function placeFor({ destination, message_content, opcode }: Message): string {
  const account = textOf(destination ?? "");
  if (opcode !== "0x00000000") return account;
  return `${account}:${Cell.fromBase64(message_content.body).beginParse().skip(32).loadStringTail()}`;
}

function textOf(raw: string): string {
  return Address.parseRaw(raw).toString({ bounceable: false, testOnly: true });
}

function isPassedOn(account: string, other: string | null, opcode: string | null): boolean {
  return other === account && opcode === passedOnOpcode;
}

function payments(
  txid: string,
  address: string,
  sent: readonly Message[],
  cost: bigint,
  currency: string,
): Read {
  const outputs = sent.map(
    (message): Output => ({
      txid,
      vout: null,
      address: placeFor(message),
      currency,
      units: valueOf(message),
    }),
  );
  const units = outputs.reduce((sum, output) => sum + output.units, cost);
  return {
    outputs,
    debits: [{ txid, address, currency, units }],
    charges: [],
    burnt: [[txid, cost]],
  };
}
