import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type BuiltBlock,
  type BuiltOptions,
  type BuiltTransaction,
  buildBlock,
  buildTransaction,
} from "./monero-builder.ts";
import { moneroRegtest } from "./monero-network.ts";

/** A node that serves blocks which no honest miner and no wallet makes. It checks nothing. */
export type CraftedMonerod = {
  readonly url: string;
  /** Puts a transaction into the pool. */
  readonly send: (options: BuiltOptions) => BuiltTransaction;
  /** Puts one into the pool that was built elsewhere. */
  readonly add: (transaction: BuiltTransaction) => void;
  /** Mines a block with the transaction, if any; `reward` is what it pays its miner. */
  readonly mine: (txid?: string | null, reward?: BuiltOptions) => BuiltBlock;
  /** Removes the newest blocks; their transactions are gone. */
  readonly pop: (count: number) => void;
  readonly close: () => Promise<void>;
};

type Mined = BuiltBlock & {
  readonly height: number;
  readonly parentHash: string;
  readonly time: number;
};

/** An address that is not ours. */
const miner =
  "44Kbx4sJ7JDRDV5aAhLJzQCjDz2ViLRduE3ijDZu3osWKBjMGkV1XPk4pfDUMqt1Aiezvephdqm6YD19GKFD9ZcXVUTp6BW";
const firstTime = 1_790_000_000;

export async function startCraftedMonerod(): Promise<CraftedMonerod> {
  const genesis: Mined = {
    hash: moneroRegtest.genesisHash,
    blob: "",
    rewardId: "",
    txids: [],
    height: 0,
    parentHash: "0".repeat(64),
    time: firstTime,
  };
  const blocks: Mined[] = [genesis];
  const transactions = new Map<string, BuiltTransaction>();
  let mined = 0n;

  const tip = (): Mined => blocks.at(-1) ?? genesis;
  const header = (block: Mined | undefined) =>
    block === undefined
      ? null
      : {
          status: "OK",
          blob: block.blob,
          block_header: {
            height: block.height,
            hash: block.hash,
            prev_hash: block.parentHash,
            timestamp: block.time,
            orphan_status: false,
          },
        };
  const heightOf = (txid: string): number | undefined =>
    blocks.find(({ txids }) => txids.includes(txid))?.height;

  type Params = {
    readonly height?: number;
    readonly hash?: string;
    readonly txs_hashes?: readonly string[];
    readonly key_images?: readonly string[];
    readonly prune?: boolean;
  };
  const methods: Readonly<Record<string, (params: Params) => object | null>> = {
    get_info: () => ({ status: "OK", nettype: "fakechain", top_block_hash: tip().hash }),
    get_last_block_header: () => header(tip()),
    get_block_header_by_height: ({ height = 0 }) => header(blocks[height]),
    get_block_header_by_hash: ({ hash }) => header(blocks.find((block) => block.hash === hash)),
    get_block: ({ hash }) => header(blocks.find((block) => block.hash === hash)),
    "/get_transaction_pool_hashes": () => ({
      status: "OK",
      tx_hashes: [...transactions.keys()].filter((txid) => heightOf(txid) === undefined),
    }),
    "/get_transactions": ({ txs_hashes = [], prune = false }) => ({
      status: "OK",
      txs: txs_hashes.flatMap((txid) => {
        const transaction = transactions.get(txid);
        if (transaction === undefined) return [];
        const height = heightOf(txid);
        return [
          {
            tx_hash: txid,
            pruned_as_hex: transaction.prunedHex,
            prunable_hash: transaction.prunableHash,
            ...(prune ? {} : { prunable_as_hex: transaction.prunableHex }),
            in_pool: height === undefined,
            ...(height === undefined ? {} : { block_height: height }),
          },
        ];
      }),
    }),
    "/is_key_image_spent": ({ key_images = [] }) => ({
      status: "OK",
      spent_status: key_images.map(() => 0),
    }),
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Params & {
        readonly method?: string;
        readonly params?: Params;
      };
      const path = request.url ?? "";
      if (path !== "/json_rpc") {
        response.end(JSON.stringify(methods[path]?.(body)));
        return;
      }
      const result = methods[body.method ?? ""]?.(body.params ?? {}) ?? null;
      // As monerod: a height above the tip, or a hash that it does not know.
      const code = body.params?.height === undefined ? -5 : -2;
      const error = { code, message: "Internal error: can't get block" };
      response.end(
        JSON.stringify({
          jsonrpc: "2.0",
          id: 0,
          ...(result === null ? { error } : { result }),
        }),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send: (options) => {
      const transaction = buildTransaction(options);
      transactions.set(transaction.txid, transaction);
      return transaction;
    },
    add: (transaction) => {
      transactions.set(transaction.txid, transaction);
    },
    mine: (txid = null, reward) => {
      mined += 1n;
      const { hash, height } = tip();
      const place = { height: height + 1, parentHash: hash, time: firstTime + 120 * (height + 1) };
      const block = buildBlock({
        ...place,
        reward: reward ?? { secret: mined + 7n, outputs: [{ address: miner, units: 1_000n }] },
        txids: txid === null ? [] : [txid],
      });
      blocks.push({ ...block, ...place });
      return block;
    },
    pop: (count) => {
      for (const { txids } of blocks.splice(blocks.length - count))
        for (const txid of txids) transactions.delete(txid);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
