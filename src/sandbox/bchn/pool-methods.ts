import type { LedgerNode } from "../utxo-ledger/node.ts";
import type { PendingTransaction } from "../utxo-ledger/pool.ts";
import {
  booleanAt,
  hashAt,
  type Methods,
  RpcFault,
  type RpcObject,
  rpcCode,
  textAt,
} from "../utxo-ledger/rpc.ts";
import { addressOfScript } from "./addresses.ts";
import { relayFee } from "./checks.ts";

/** About pending transactions. */
export function poolMethods({ pool }: LedgerNode): Methods {
  const describeEntry = ({ feeUnits, time, transaction }: PendingTransaction): RpcObject => ({
    fees: { base: feeUnits, modified: feeUnits },
    size: transaction.raw.length / 2,
    time,
    depends: [
      ...new Set(transaction.spends.map((outpoint) => outpoint.split(":")[0] ?? "")),
    ].filter((txid) => pool.find(txid) !== null),
    spentby: transaction.outputs.flatMap(
      (_, vout) => pool.spenderOf(`${transaction.txid}:${vout}`) ?? [],
    ),
  });
  return {
    getrawmempool: (params) => {
      if (params.length > 1) throw new RpcFault(rpcCode.misc, "getrawmempool ( verbose )");
      const entries = pool.entries();
      return booleanAt(params, 0, false)
        ? Object.fromEntries(entries.map((entry) => [entry.transaction.txid, describeEntry(entry)]))
        : entries.map(({ transaction }) => transaction.txid);
    },
    getmempoolentry: (params) => {
      const entry = pool.find(hashAt(params, 0, "parameter 1"));
      if (entry === null)
        throw new RpcFault(rpcCode.invalidAddressOrKey, "Transaction not in mempool");
      return describeEntry(entry);
    },
    getmempoolinfo: () => {
      const bytes = pool
        .entries()
        .reduce((sum, { transaction }) => sum + transaction.raw.length / 2, 0);
      return {
        loaded: true,
        size: pool.entries().length,
        bytes,
        usage: bytes,
        maxmempool: 320_000_000,
        mempoolminfee: relayFee,
        minrelaytxfee: relayFee,
      };
    },
    estimatefee: (params) => {
      if (params.length > 0) throw new RpcFault(rpcCode.misc, "estimatefee");
      return relayFee;
    },
  };
}

/** About the node itself. */
export function stateMethods({ rules }: LedgerNode): Methods {
  return {
    getnetworkinfo: () => ({
      version: 28_000_100,
      subversion: "/Bitcoin Cash Node:28.0.1(EB32.0)/",
      protocolversion: 70016,
      localservices: "0000000000000425",
      localrelay: true,
      timeoffset: 0,
      networkactive: false,
      connections: 0,
      networks: [],
      relayfee: relayFee,
      excessutxocharge: 0n,
      localaddresses: [],
      warnings: "simulated",
    }),
    getconnectioncount: () => 0,
    validateaddress: (params) => {
      const sent = textAt(params, 0);
      const script = rules.scriptOfAddress(sent);
      if (script === null) return { isvalid: false };
      const address = addressOfScript(script) ?? sent;
      return {
        isvalid: true,
        address,
        scriptPubKey: script,
        isscript: !script.startsWith("76"),
        istokenaware: /^(?:bchreg:)?[zr]/i.test(sent),
      };
    },
  };
}
