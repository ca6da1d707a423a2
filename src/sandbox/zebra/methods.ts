import { findBlock, readTransaction } from "../utxo-ledger/family-methods.ts";
import type { LedgerNode } from "../utxo-ledger/node.ts";
import {
  booleanAt,
  hashAt,
  integerAt,
  type Methods,
  objectAt,
  type Params,
  RpcFault,
  type RpcJson,
  type RpcObject,
  rpcCode,
  textAt,
} from "../utxo-ledger/rpc.ts";
import type { LedgerBlock } from "../utxo-ledger/rules.ts";
import { addressOfScript, scriptOfAddress } from "./addresses.ts";
import { headerJson, scriptJson, transactionJson } from "./answers.ts";
import { rawBlock } from "./blocks.ts";
import { marginalFee } from "./checks.ts";
import { decode } from "./codec.ts";
import { type Upgrade, upgradeAt } from "./upgrades.ts";

const invalidParams = -32602;
const noBranch = "00000000";

/** The methods of Zebra that differ from the family's, or that it adds. Members and codes follow its `zebra-rpc/src/methods.rs`. */
export function zebraMethods(upgrades: readonly Upgrade[]): (node: LedgerNode) => Methods {
  return (node) => ({
    ...blockMethods(node),
    ...chainMethods(node, upgrades),
    ...transactionMethods(node),
    ...addressMethods(node),
    // Of the sandbox, which drives all nodes of the family alike; Zebra has no such method.
    generateblock: async (params) => {
      const script = scriptOfAddress(textAt(params, 0));
      if (script === null) throw new RpcFault(rpcCode.misc, "Invalid address");
      const [hash = ""] = await node.ledger.mine({ script, count: 1, isEmpty: true });
      return { hash };
    },
  });
}

function blockMethods(node: LedgerNode): Methods {
  const { chain } = node;
  return {
    getblockhash: (params) => {
      const block = chain.blockAt(integerAt(params, 0));
      if (block === null)
        throw new RpcFault(invalidParams, "Provided index is greater than the current tip");
      return block.hash;
    },
    getblockheader: (params) => {
      const block = blockNamed(node, params);
      return booleanAt(params, 1, true) ? headerJson(node, block) : block.header;
    },
    getblock: (params) => {
      const block = blockNamed(node, params);
      const verbosity = levelAt(params, 1, 1);
      if (verbosity === 0) return rawBlock(block);
      if (verbosity > 2) throw new RpcFault(rpcCode.invalidParameter, "invalid verbosity value");
      return {
        ...headerJson(node, block),
        size: rawBlock(block).length / 2,
        nTx: block.transactions.length,
        tx: block.transactions.map((transaction) =>
          verbosity === 1 ? transaction.txid : transactionJson(node, transaction, block),
        ),
        trees: {},
      };
    },
  };
}

/** By hash, or by height as text. */
function blockNamed(node: LedgerNode, params: Params): LedgerBlock {
  const text = textAt(params, 0);
  const isHash = /^[0-9a-f]{64}$/.test(text);
  const block = isHash ? node.chain.find(text) : node.chain.blockAt(Number(text));
  if (block === null)
    throw new RpcFault(
      isHash ? rpcCode.invalidAddressOrKey : rpcCode.invalidParameter,
      "block height not in best chain",
    );
  return block;
}

/** A number, and no boolean. */
function levelAt(params: Params, index: number, absent: number): number {
  const value = params[index] ?? absent;
  if (typeof value !== "number") throw new RpcFault(invalidParams, "Invalid params");
  return value;
}

function chainMethods({ chain, pool }: LedgerNode, upgrades: readonly Upgrade[]): Methods {
  return {
    getblockchaininfo: () => {
      const { hash, height } = chain.tip();
      return {
        // The name of the test network, which Zebra gives to regtest as well.
        chain: "test",
        blocks: height,
        headers: height,
        difficulty: 1,
        verificationprogress: 1,
        chainwork: 0,
        pruned: false,
        size_on_disk: 0,
        commitments: 0,
        bestblockhash: hash,
        estimatedheight: height,
        upgrades: Object.fromEntries(
          upgrades.map((upgrade) => [
            upgrade.branchId,
            {
              name: upgrade.name,
              activationheight: upgrade.height,
              status: height >= upgrade.height ? "active" : "pending",
            },
          ]),
        ),
        consensus: {
          chaintip: upgradeAt(upgrades, height)?.branchId ?? noBranch,
          nextblock: upgradeAt(upgrades, height + 1)?.branchId ?? noBranch,
        },
      };
    },
    getinfo: () => ({ ...versions, blocks: chain.tip().height, testnet: true, errors: "" }),
    getnetworkinfo: () => ({ ...versions, connections: 0, relayfee: 100n, warnings: "" }),
    getmempoolinfo: () => {
      const bytes = pool
        .entries()
        .reduce((sum, { transaction }) => sum + transaction.raw.length / 2, 0);
      return { size: pool.entries().length, bytes, usage: bytes };
    },
    getrawmempool: (params) => {
      const entries = pool.entries();
      if (!booleanAt(params, 0, false))
        return entries.map(({ transaction }) => transaction.txid).sort();
      return Object.fromEntries(
        entries.map(({ feeUnits, time, transaction }) => [
          transaction.txid,
          { size: transaction.raw.length / 2, fee: feeUnits, modifiedfee: feeUnits, time },
        ]),
      );
    },
    getstandardfee: () => ({ standard_fee: Number(marginalFee), version: 0 }),
  };
}

const versions = { version: 6_030_000, subversion: "/Zebra:6.3.0/", protocolversion: 170_160 };

function transactionMethods(node: LedgerNode): Methods {
  const { chain, ledger, pool } = node;
  return {
    sendrawtransaction: async (params) => {
      const transaction = readTransaction(node, textAt(params, 0));
      await ledger.send(transaction);
      return transaction.txid;
    },
    getrawtransaction: (params) => getRawTransaction(node, params),
    gettxout: (params) => {
      const txid = hashAt(params, 0, "txid");
      const outpoint = `${txid}:${integerAt(params, 1)}`;
      const isPoolSeen = booleanAt(params, 2, true);
      const coin = isPoolSeen ? pool.coinAt(outpoint) : chain.coinAt(outpoint);
      if (coin === null || (isPoolSeen && pool.spenderOf(outpoint) !== null)) return null;
      const { hash, height } = chain.tip();
      const transaction = pool.find(txid)?.transaction ?? chain.findTransaction(txid)?.transaction;
      return {
        bestblock: hash,
        confirmations: coin.height === null ? 0 : height - coin.height + 1,
        value: coin.units,
        scriptPubKey: scriptJson(coin.script),
        version: transaction === undefined ? 0 : decode(transaction).version,
        coinbase: coin.isCoinbase,
      };
    },
  };
}

function getRawTransaction(node: LedgerNode, params: Params): RpcJson {
  const { chain, pool } = node;
  const txid = textAt(params, 0);
  if (!/^[0-9a-f]{64}$/.test(txid))
    throw new RpcFault(rpcCode.invalidAddressOrKey, "Invalid string length");
  const isDescribed = levelAt(params, 1, 0) !== 0;
  const named = params[2] === undefined || params[2] === null ? null : textAt(params, 2);
  const pending = named === null ? (pool.find(txid)?.transaction ?? null) : null;
  const block =
    named === null ? (chain.findTransaction(txid)?.block ?? null) : findBlock(node, named);
  const mined = block?.transactions.find((candidate) => candidate.txid === txid) ?? null;
  const transaction = pending ?? mined;
  if (transaction === null)
    throw new RpcFault(
      rpcCode.invalidAddressOrKey,
      named === null ? "Transaction not found in mempool or best chain" : "txid not found",
    );
  if (!isDescribed) return transaction.raw;
  return transactionJson(node, transaction, pending === null ? block : null);
}

function addressMethods({ chain }: LedgerNode): Methods {
  const scriptsOf = (params: Params): ReadonlySet<string> => {
    const { addresses } =
      typeof params[0] === "string" ? { addresses: [params[0]] } : objectAt(params, 0);
    if (!Array.isArray(addresses)) throw new RpcFault(invalidParams, "Invalid params");
    return new Set(
      addresses.map((address) => {
        const script = scriptOfAddress(String(address));
        if (script === null)
          throw new RpcFault(rpcCode.invalidAddressOrKey, "parse error: invalid address");
        return script;
      }),
    );
  };
  const utxosOf = (scripts: ReadonlySet<string>): readonly RpcObject[] =>
    [...chain.coins()].flatMap(([outpoint, { height, script, units }]) => {
      const [txid = "", vout = ""] = outpoint.split(":");
      const address = scripts.has(script) ? addressOfScript(script) : null;
      if (address === null || height === null) return [];
      return [
        { address, txid, outputIndex: Number(vout), script, satoshis: Number(units), height },
      ];
    });
  return {
    getaddressutxos: (params) => {
      const utxos = utxosOf(scriptsOf(params));
      const request = params[0];
      const isPlaced = typeof request === "object" && (request as RpcObject)["chainInfo"] === true;
      const { hash, height } = chain.tip();
      return isPlaced ? { utxos, hash, height } : utxos;
    },
    getaddressbalance: (params) => {
      const balance = utxosOf(scriptsOf(params)).reduce(
        (sum, { satoshis }) => sum + Number(satoshis),
        0,
      );
      return { balance };
    },
  };
}
