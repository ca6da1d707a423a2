import { disassembleBytecodeBCH } from "@bitauth/libauth/build/lib/vm/instruction-sets/common/instruction-sets-utils.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { confirmationsOf } from "../utxo-ledger/family-methods.ts";
import type { LedgerNode } from "../utxo-ledger/node.ts";
import type { RpcObject } from "../utxo-ledger/rpc.ts";
import type {
  LedgerBlock,
  LedgerCoin,
  LedgerOutput,
  LedgerTransaction,
} from "../utxo-ledger/rules.ts";
import { addressOfScript } from "./addresses.ts";
import { headerFields } from "./blocks.ts";
import { decode, tokenOf } from "./codec.ts";

/** `TxToUniv` of BCHN: a transaction as JSON, without `hex`. With `coins`, the spent ones in order, `vin` names them and the fee is known. */
export function transactionJson(
  transaction: LedgerTransaction,
  coins: readonly LedgerCoin[] | null,
  showsPrevouts: boolean,
): RpcObject {
  const { inputs, locktime, version } = decode(transaction);
  const isCoinbase = transaction.spends.length === 0;
  return {
    txid: transaction.txid,
    hash: transaction.txid,
    version,
    size: transaction.raw.length / 2,
    locktime,
    vin: inputs.map((input, index) => {
      const hex = bytesToHex(input.unlockingBytecode);
      const coin = coins?.[index];
      const origin = isCoinbase
        ? { coinbase: hex }
        : {
            txid: bytesToHex(input.outpointTransactionHash),
            vout: input.outpointIndex,
            scriptSig: { asm: disassembleBytecodeBCH(input.unlockingBytecode), hex },
          };
      const prevout = coin === undefined || !showsPrevouts ? {} : { prevout: prevoutJson(coin) };
      return { ...origin, ...prevout, sequence: input.sequenceNumber };
    }),
    vout: transaction.outputs.map((output, n) => ({
      value: output.units,
      n,
      scriptPubKey: scriptJson(output.script),
      ...tokenJson(output),
    })),
    ...(coins === null ? {} : { fee: feeOf(transaction, coins) }),
  };
}

function feeOf({ outputs }: LedgerTransaction, coins: readonly LedgerCoin[]): bigint {
  const taken = coins.reduce((sum, { units }) => sum + units, 0n);
  return outputs.reduce((rest, { units }) => rest - units, taken);
}

function prevoutJson(coin: LedgerCoin): RpcObject {
  return {
    generated: coin.isCoinbase,
    height: coin.height ?? 0x7fffffff,
    value: coin.units,
    scriptPubKey: plainScriptJson(coin.script),
    ...tokenJson(coin),
  };
}

/** `ScriptToUniv`, for outputs that are spent. */
export function plainScriptJson(script: string): RpcObject {
  const address = addressOfScript(script);
  return {
    asm: disassembleBytecodeBCH(hexToBytes(script)),
    hex: script,
    type: typeOf(script),
    ...(address === null ? {} : { address }),
  };
}

/** `ScriptPubKeyToUniv`, for outputs that a transaction makes. */
export function scriptJson(script: string): RpcObject {
  const address = addressOfScript(script);
  return {
    asm: disassembleBytecodeBCH(hexToBytes(script)),
    hex: script,
    ...(address === null ? {} : { reqSigs: 1 }),
    type: typeOf(script),
    ...(address === null ? {} : { addresses: [address] }),
  };
}

/** `TokenDataToUniv`. */
export function tokenJson({ cargo }: LedgerOutput): RpcObject {
  const token = tokenOf(cargo);
  if (token === null) return {};
  const { amount, category, nft } = token;
  return {
    tokenData: {
      category: bytesToHex(category),
      amount: amount.toString(),
      ...(nft === undefined
        ? {}
        : {
            nft: { capability: nft.capability, commitment: bytesToHex(nft.commitment) },
          }),
    },
  };
}

function typeOf(script: string): string {
  if (/^76a914.{40}88ac$/.test(script)) return "pubkeyhash";
  if (/^(?:a914.{40}|aa20.{64})87$/.test(script)) return "scripthash";
  if (/^(?:21.{66}|41.{130})ac$/.test(script)) return "pubkey";
  return script.startsWith("6a") ? "nulldata" : "nonstandard";
}

/** `blockheaderToJSON`; `getblock` adds size and transactions. */
export function headerJson(node: LedgerNode, block: LedgerBlock): RpcObject {
  const { chain } = node;
  const { bits, merkleRoot, nonce, version } = headerFields(block.header);
  const next = chain.isBest(block) ? chain.blockAt(block.height + 1) : null;
  return {
    hash: block.hash,
    confirmations: confirmationsOf(node, block),
    height: block.height,
    version,
    versionHex: (version >>> 0).toString(16).padStart(8, "0"),
    merkleroot: merkleRoot,
    time: block.time,
    mediantime: chain.next().medianTimeAt(block.height),
    nonce,
    bits: bits.toString(16).padStart(8, "0"),
    difficulty: regtestDifficulty,
    chainwork: chainWork(block.height),
    nTx: block.transactions.length,
    ...(block.height === 0 ? {} : { previousblockhash: block.parentHash }),
    ...(next === null ? {} : { nextblockhash: next.hash }),
  };
}

/** `GetDifficulty` of 0x207fffff. */
export const regtestDifficulty = 4.6565423739069247e-10;

/** Every block of regtest proves two hashes. */
export function chainWork(height: number): string {
  return (2n * BigInt(height + 1)).toString(16).padStart(64, "0");
}

/** The header, the number of transactions in the family's variable-length form, and the transactions. */
export function rawBlock({ header, transactions }: LedgerBlock): string {
  return header + compactSize(transactions.length) + transactions.map(({ raw }) => raw).join("");
}

function compactSize(count: number): string {
  if (count < 0xfd) return count.toString(16).padStart(2, "0");
  const bytes = Buffer.alloc(3, 0xfd);
  bytes.writeUInt16LE(count, 1);
  return bytes.toString("hex");
}
