import { ImpossibleAnswer } from "../port.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import {
  absentAsNull,
  readFields,
  readInteger,
  readList,
  readText,
  resultOrNull,
} from "./answer.ts";
import type { BlockSource, ChainTransaction } from "./block-source.ts";
import { outgoing } from "./block-spends.ts";
import { transfersOf } from "./block-transfers.ts";
import { readJsonBlock, readJsonTransaction } from "./json-block.ts";
import { addressOfPayee, addressOfScript } from "./output-script.ts";
import type { ChainRules } from "./read-block.ts";

/**
 * Reads blocks as the node's JSON, where the format of transactions changes with the chain's upgrades. The first transaction of a
 * block mints coins, which only a transaction without transparent outputs may spend, so its outputs are no payments to us.
 *
 * Zebra finds any transaction by its id. zcashd does with `-txindex`, which its index of addresses requires.
 */
export function createJsonSource(rpc: JsonRpc, rules: ChainRules): BlockSource {
  const { chain, network } = rules;

  const fetchTransactions: BlockSource["transactions"] = async (txids, signal) => {
    const answers = await rpc.batch(
      txids.map((txid) => ({ method: "getrawtransaction", params: [txid, 1] })),
      signal,
    );
    const found = new Map<string, ChainTransaction>();
    for (const [index, txid] of txids.entries()) {
      const answer = answers[index];
      const result = answer === undefined ? null : resultOrNull(answer);
      if (result === null) continue;
      const transaction = readJsonTransaction(result);
      if (transaction.txid !== txid)
        throw new ImpossibleAnswer(
          "node",
          `answered transaction ${transaction.txid} when asked for ${txid}`,
        );
      found.set(txid, transaction);
    }
    return found;
  };

  return {
    readBlock: async (block, signal, mayBeWatched = () => true) => {
      const read = await readJsonBlock(rpc, block.hash, signal);
      if (read === null || read.header === null) return null;
      const payments = read.transactions.slice(1);
      return {
        block: read.header,
        transfers: payments.flatMap((transaction) =>
          transfersOf(chain, transaction).filter(({ to }) => mayBeWatched(to)),
        ),
        spends: {
          sources: () => payments.flatMap(({ claims }) => claims),
          transactionsFrom: (sources) =>
            payments
              .filter(({ claims }) => claims.some((claim) => sources.has(claim)))
              .map((transaction) =>
                outgoing(
                  network,
                  transaction.txid,
                  transaction.claims,
                  transfersOf(chain, transaction),
                ),
              ),
        },
      };
    },
    txidsIn: async (block, signal) => {
      const read = await readJsonBlock(rpc, block.hash, signal);
      if (read === null || read.header === null) return null;
      return read.transactions.map(({ txid }) => txid);
    },
    findSpender: async (hash, claims, signal) => {
      const read = await readJsonBlock(rpc, hash, signal);
      if (read === null) return null;
      const spender = read.transactions.find((one) =>
        one.claims.some((claim) => claims.has(claim)),
      );
      return { parentHash: read.parentHash, spender: spender ?? null };
    },
    transactions: fetchTransactions,
    senders: async (txids, _block, signal) => {
      const found = await fetchTransactions(txids, signal);
      const parents = [...found.values()].flatMap(({ claims }) => claims.map(parentOf));
      const creators = await fetchTransactions([...new Set(parents)], signal);
      const addressOf = (claim: string): string | null => {
        const vout = Number(claim.slice(claim.indexOf(":") + 1));
        const script = creators.get(parentOf(claim))?.outputs[vout]?.script;
        return script === undefined ? null : addressOfScript(network, script);
      };
      return new Map(
        [...found].map(([txid, { claims }]) => {
          const addresses = claims.flatMap((claim) => addressOf(claim) ?? []);
          return [txid, { addresses: [...new Set(addresses)], claims }];
        }),
      );
    },
    mempool: async (signal) => {
      const txids = readList(await rpc.call("getrawmempool", [false], signal)).map(readText);
      return { txids, version: txids.join() };
    },
    isPending: async (txid, signal) => {
      const result = await absentAsNull(rpc.call<unknown>("getrawtransaction", [txid, 1], signal));
      return result !== null && readFields(result)["blockhash"] === undefined;
    },
    indexedHeight: async (signal) => {
      const address = addressOfPayee(network, { kind: "p2pkh", hash: new Uint8Array(20) });
      const question = { addresses: [address], chainInfo: true };
      try {
        const answer = readFields(await rpc.call("getaddressutxos", [question], signal));
        return readInteger(answer["height"]);
      } catch (error) {
        // This node has no such index.
        if (error instanceof RpcError) return null;
        throw error;
      }
    },
  };
}

function parentOf(claim: string): string {
  return claim.slice(0, claim.indexOf(":"));
}
