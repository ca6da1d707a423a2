import type { LedgerNode } from "./node.ts";
import { hashAt, integerAt, type Methods, RpcFault, rpcCode, textAt } from "./rpc.ts";
import type { LedgerBlock, LedgerTransaction } from "./rules.ts";

/** Methods that all nodes of the family answer alike. */
export function familyMethods(node: LedgerNode): Methods {
  const { chain, ledger } = node;
  return {
    getbestblockhash: () => chain.tip().hash,
    getblockcount: () => chain.tip().height,
    getblockhash: (params) => {
      const block = chain.blockAt(integerAt(params, 0));
      if (block === null) throw new RpcFault(rpcCode.invalidParameter, "Block height out of range");
      return block.hash;
    },
    sendrawtransaction: async (params) => {
      const transaction = readTransaction(node, textAt(params, 0));
      // A node answers for a transaction that it has as if it had just taken it.
      if (node.pool.find(transaction.txid) === null) await ledger.send(transaction);
      return transaction.txid;
    },
    invalidateblock: async (params) => {
      await ledger.invalidate(hashAt(params, 0, "blockhash"));
      return null;
    },
    reconsiderblock: async (params) => {
      await ledger.reconsider(hashAt(params, 0, "blockhash"));
      return null;
    },
    generatetoaddress: (params) => {
      const script = node.rules.scriptOfAddress(textAt(params, 1));
      if (script === null)
        throw new RpcFault(rpcCode.invalidAddressOrKey, "Error: Invalid address");
      return ledger.mine({ script, count: integerAt(params, 0), isEmpty: false });
    },
  };
}

/** Throws `RpcFault` for text that is no transaction of the chain. */
export function readTransaction({ rules }: LedgerNode, raw: string): LedgerTransaction {
  const transaction = /^(?:[0-9a-fA-F]{2})+$/.test(raw)
    ? rules.readTransaction(raw.toLowerCase())
    : null;
  if (transaction === null) throw new RpcFault(rpcCode.deserialization, "TX decode failed");
  return transaction;
}

/** The block of that hash, of any branch. Throws `RpcFault`. */
export function findBlock({ chain }: LedgerNode, hash: string): LedgerBlock {
  const block = chain.find(hash);
  if (block === null) throw new RpcFault(rpcCode.invalidAddressOrKey, "Block not found");
  return block;
}

/** How many blocks contain or follow the block; -1 outside the best chain. */
export function confirmationsOf({ chain }: LedgerNode, block: LedgerBlock): number {
  return chain.isBest(block) ? chain.tip().height - block.height + 1 : -1;
}
