import { confirmationsOf } from "../utxo-ledger/family-methods.ts";
import type { LedgerNode } from "../utxo-ledger/node.ts";
import type { RpcObject } from "../utxo-ledger/rpc.ts";
import type { LedgerBlock, LedgerTransaction } from "../utxo-ledger/rules.ts";
import { addressOfScript } from "./addresses.ts";
import { easiestBits, merkleRootIn } from "./blocks.ts";
import { decode } from "./codec.ts";

const groups = { 1: null, 4: "892f2085", 5: "26a7270a" } as const;

/** `TransactionObject` of Zebra: a transaction as `getblock` and `getrawtransaction` describe it. `block` is null for a pending one. */
export function transactionJson(
  node: LedgerNode,
  transaction: LedgerTransaction,
  block: LedgerBlock | null,
): RpcObject {
  const { expiryHeight, inputs, lockTime, version } = decode(transaction);
  const isCoinbase = transaction.spends.length === 0;
  const group = groups[version];
  return {
    in_active_chain: block !== null && node.chain.isBest(block),
    hex: transaction.raw,
    ...(block === null ? {} : placeOf(node, block)),
    vin: inputs.map(({ scriptSig, sequence, txid, vout }) =>
      isCoinbase
        ? { coinbase: scriptSig, sequence }
        : { txid, vout, scriptSig: { asm: "", hex: scriptSig }, sequence },
    ),
    vout: transaction.outputs.map(({ script, units }, n) => ({
      value: units,
      valueZat: Number(units),
      n,
      scriptPubKey: scriptJson(script),
    })),
    vShieldedSpend: [],
    vShieldedOutput: [],
    vjoinsplit: [],
    ...(version < 5 ? {} : { orchard: { actions: [], valueBalance: 0n, valueBalanceZat: 0 } }),
    valueBalance: 0n,
    valueBalanceZat: 0,
    size: transaction.raw.length / 2,
    txid: transaction.txid,
    overwintered: version >= 4,
    version,
    ...(group === null ? {} : { versiongroupid: group, expiryheight: expiryHeight }),
    locktime: lockTime,
    ...(block === null ? {} : { time: block.time, blockhash: block.hash, blocktime: block.time }),
  };
}

function placeOf(node: LedgerNode, block: LedgerBlock): RpcObject {
  return node.chain.isBest(block)
    ? { height: block.height, confirmations: confirmationsOf(node, block) }
    : { height: -1, confirmations: 0 };
}

export function scriptJson(script: string): RpcObject {
  const address = addressOfScript(script);
  const type = script.startsWith("76a914") ? "pubkeyhash" : "scripthash";
  return {
    asm: "",
    hex: script,
    ...(address === null
      ? { type: script.startsWith("6a") ? "nulldata" : "nonstandard" }
      : { reqSigs: 1, type, addresses: [address] }),
  };
}

/** `BlockHeaderObject`; `getblock` adds the transactions. */
export function headerJson(node: LedgerNode, block: LedgerBlock): RpcObject {
  const next = node.chain.isBest(block) ? node.chain.blockAt(block.height + 1) : null;
  const bytes = Buffer.from(block.header, "hex");
  return {
    hash: block.hash,
    confirmations: confirmationsOf(node, block),
    height: block.height,
    version: bytes.readUInt32LE(0),
    merkleroot: merkleRootIn(block.header),
    blockcommitments: "0".repeat(64),
    finalsaplingroot: "0".repeat(64),
    time: block.time,
    nonce: Buffer.from(bytes.subarray(108, 140)).reverse().toString("hex"),
    solution: bytes.toString("hex", 141),
    bits: easiestBits,
    difficulty: 1,
    previousblockhash: block.parentHash,
    ...(next === null ? {} : { nextblockhash: next.hash }),
  };
}
