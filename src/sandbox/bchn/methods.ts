import {
  confirmationsOf,
  familyMethods,
  findBlock,
  readTransaction,
} from "../utxo-ledger/family-methods.ts";
import type { LedgerNode } from "../utxo-ledger/node.ts";
import {
  booleanAt,
  hashAt,
  integerAt,
  listAt,
  type Methods,
  type Params,
  RpcFault,
  type RpcJson,
  type RpcObject,
  rpcCode,
  textAt,
} from "../utxo-ledger/rpc.ts";
import type { LedgerBlock, LedgerCoin, LedgerTransaction } from "../utxo-ledger/rules.ts";
import { scriptOfAddress } from "./addresses.ts";
import {
  chainWork,
  headerJson,
  plainScriptJson,
  rawBlock,
  regtestDifficulty,
  scriptJson,
  tokenJson,
  transactionJson,
} from "./answers.ts";
import { checkHighFee } from "./checks.ts";
import { poolMethods, stateMethods } from "./pool-methods.ts";

/** The methods of BCHN 28 that differ from the family's, or that it adds. Members and codes follow its `src/rpc`. */
export function bchnMethods(node: LedgerNode): Methods {
  return {
    ...blockMethods(node),
    ...transactionMethods(node),
    ...poolMethods(node),
    ...stateMethods(node),
  };
}

function blockMethods(node: LedgerNode): Methods {
  const { chain, ledger } = node;
  return {
    getblockheader: (params) => {
      const block = findBlock(node, hashAt(params, 0, "hash"));
      return booleanAt(params, 1, true) ? headerJson(node, block) : block.header;
    },
    getblock: (params) => {
      const block = findBlock(node, hashAt(params, 0, "blockhash"));
      const verbosity = levelAt(params, 1, 1);
      if (verbosity === 0) return rawBlock(block);
      return {
        ...headerJson(node, block),
        size: rawBlock(block).length / 2,
        tx: listed(node, block, verbosity),
      };
    },
    getblockchaininfo: () => {
      const { hash, height } = chain.tip();
      return {
        chain: "regtest",
        blocks: height,
        headers: height,
        bestblockhash: hash,
        difficulty: regtestDifficulty,
        mediantime: chain.next().medianTimeAt(height),
        verificationprogress: 1,
        initialblockdownload: false,
        chainwork: chainWork(height),
        size_on_disk: 0,
        pruned: false,
        warnings: "",
      };
    },
    waitfornewblock: async (params, signal) => {
      const timeoutMs = integerAt(params, 0, 0);
      const stop =
        timeoutMs === 0 ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      await ledger.tipChange(stop);
      const { hash, height } = chain.tip();
      return { hash, height };
    },
    getindexinfo: (params) =>
      [undefined, null, "", "txindex"].includes(params[0] as string)
        ? { txindex: { synced: true, best_block_height: chain.tip().height } }
        : {},
  };
}

/** A boolean or a number, as BCHN takes a verbosity. */
function levelAt(params: Params, index: number, absent: number): number {
  const value = params[index] ?? absent;
  return typeof value === "boolean" ? Number(value) : integerAt([value], 0);
}

function listed({ chain }: LedgerNode, block: LedgerBlock, verbosity: number): RpcJson {
  if (verbosity === 1) return block.transactions.map(({ txid }) => txid);
  const spent = chain.spentBy(block);
  return block.transactions.map((transaction, position) => {
    const find = (outpoint: string): LedgerCoin | null => spent.get(outpoint) ?? null;
    const coins = position === 0 ? null : coinsOf(transaction, find);
    return { ...transactionJson(transaction, coins, verbosity > 2), hex: transaction.raw };
  });
}

/** The spent coins in order; null if one is unknown. */
function coinsOf(
  { spends }: LedgerTransaction,
  find: (outpoint: string) => LedgerCoin | null,
): readonly LedgerCoin[] | null {
  const coins = spends.flatMap((outpoint) => find(outpoint) ?? []);
  return coins.length === spends.length ? coins : null;
}

function transactionMethods(node: LedgerNode): Methods {
  const { chain, pool } = node;
  const { sendrawtransaction } = familyMethods(node);
  return {
    getrawtransaction: (params) => getRawTransaction(node, params),
    decoderawtransaction: (params) => {
      const transaction = readTransaction(node, textAt(params, 0));
      return transactionJson(transaction, null, false);
    },
    sendrawtransaction: async (params, signal) => {
      const allowsHighFees = booleanAt(params, 1, false);
      const transaction = readTransaction(node, textAt(params, 0));
      if (!allowsHighFees && pool.find(transaction.txid) === null)
        checkHighFee(pool.check(transaction));
      return (await sendrawtransaction?.(params, signal)) ?? null;
    },
    testmempoolaccept: (params) => {
      const transaction = readTransaction(node, textAt(listAt(params, 0), 0));
      const { txid } = transaction;
      try {
        checkHighFee(pool.check(transaction));
        return [{ txid, allowed: true }];
      } catch (error) {
        if (!(error instanceof RpcFault)) throw error;
        const found = /^(.*?)(?:,.*)? \(code (\d+)\)$/.exec(error.message);
        const reason = found === null ? "missing-inputs" : `${found[2] ?? ""}: ${found[1] ?? ""}`;
        return [{ txid, allowed: false, "reject-reason": reason }];
      }
    },
    gettxout: (params) => {
      const outpoint = `${hashAt(params, 0, "txid")}:${integerAt(params, 1)}`;
      const isPoolSeen = booleanAt(params, 2, true);
      const coin = isPoolSeen ? pool.coinAt(outpoint) : chain.coinAt(outpoint);
      if (coin === null || (isPoolSeen && pool.spenderOf(outpoint) !== null)) return null;
      const tip = chain.tip();
      return {
        bestblock: tip.hash,
        confirmations: coin.height === null ? 0 : tip.height - coin.height + 1,
        value: coin.units,
        scriptPubKey: scriptJson(coin.script),
        ...tokenJson(coin),
        coinbase: coin.isCoinbase,
      };
    },
    scantxoutset: (params) => scan(node, params),
  };
}

function getRawTransaction(node: LedgerNode, params: Params): RpcJson {
  const { chain, pool } = node;
  const txid = hashAt(params, 0, "parameter 1");
  const verbosity = levelAt(params, 1, 0);
  const named =
    params[2] === undefined || params[2] === null
      ? null
      : chain.find(hashAt(params, 2, "parameter 3"));
  const missing = (reason: string): RpcFault =>
    new RpcFault(
      rpcCode.invalidAddressOrKey,
      `${reason}. Use gettransaction for wallet transactions.`,
    );
  if (params[2] !== undefined && params[2] !== null && named === null)
    throw new RpcFault(rpcCode.invalidAddressOrKey, "Block hash not found");
  if (txid === chain.blockAt(0)?.transactions[0]?.txid)
    throw new RpcFault(
      rpcCode.invalidAddressOrKey,
      "The genesis block coinbase is not considered an ordinary transaction and cannot be retrieved",
    );
  if (verbosity < 0 || verbosity > 2)
    throw new RpcFault(rpcCode.invalidAddressOrKey, `Wrong verbosity level ${verbosity}`);
  const pending = named === null ? (pool.find(txid)?.transaction ?? null) : null;
  const mined = named ?? (pending === null ? (chain.findTransaction(txid)?.block ?? null) : null);
  const transaction = pending ?? mined?.transactions.find((candidate) => candidate.txid === txid);
  if (transaction === undefined)
    throw missing(
      named === null
        ? "No such mempool or blockchain transaction"
        : "No such transaction found in the provided block",
    );
  if (verbosity === 0) return transaction.raw;
  return {
    ...describe(node, transaction, verbosity),
    ...(mined === null ? {} : placeOf(node, mined)),
    ...(named === null ? {} : { in_active_chain: chain.isBest(named) }),
  };
}

/** Verbosity 2 adds the value and script of what each input spends, and the fee. */
function describe(
  { chain }: LedgerNode,
  transaction: LedgerTransaction,
  verbosity: number,
): RpcObject {
  const plain = { ...transactionJson(transaction, null, false), hex: transaction.raw };
  if (verbosity < 2 || transaction.spends.length === 0) return plain;
  const made = transaction.spends.map((outpoint) => {
    const [txid = "", vout = ""] = outpoint.split(":");
    return chain.findTransaction(txid)?.transaction.outputs[Number(vout)] ?? null;
  });
  return withInputs(plain, transaction, made);
}

function withInputs(
  plain: RpcObject,
  { outputs }: LedgerTransaction,
  made: readonly (LedgerTransaction["outputs"][number] | null)[],
): RpcObject {
  const taken = made.reduce((sum, output) => sum + (output?.units ?? 0n), 0n);
  const vin = (plain["vin"] as readonly RpcObject[]).map((input, index) => {
    const output = made[index] ?? null;
    if (output === null) return input;
    return {
      ...input,
      value: output.units,
      scriptPubKey: plainScriptJson(output.script),
      ...tokenJson(output),
    };
  });
  return { ...plain, vin, fee: outputs.reduce((rest, { units }) => rest - units, taken) };
}

/** An index still knows the block that a reorg has dropped. */
function placeOf(node: LedgerNode, block: LedgerBlock): RpcObject {
  const { hash: blockhash, time } = block;
  const confirmations = confirmationsOf(node, block);
  return confirmations < 0
    ? { blockhash, confirmations: 0 }
    : { blockhash, confirmations, time, blocktime: time };
}

/** Only `raw(SCRIPT)` and `addr(ADDRESS)` of the descriptors. As BCHN answers it, without the block of the scan. */
function scan({ chain }: LedgerNode, params: Params): RpcJson {
  const action = textAt(params, 0);
  if (action === "status") return null;
  if (action === "abort") return false;
  if (action !== "start") throw new RpcFault(rpcCode.invalidParameter, "Invalid command");
  const needles = new Set(listAt(params, 1).map(scriptOfDescriptor));
  const unspents: RpcObject[] = [];
  let total = 0n;
  let searched = 0;
  for (const [outpoint, coin] of chain.coins()) {
    searched += 1;
    if (!needles.has(coin.script)) continue;
    const [txid = "", vout = ""] = outpoint.split(":");
    total += coin.units;
    unspents.push({
      txid,
      vout: Number(vout),
      scriptPubKey: coin.script,
      amount: coin.units,
      height: coin.height ?? 0,
      ...tokenJson(coin),
    });
  }
  return { success: true, searched_items: searched, unspents, total_amount: total };
}

function scriptOfDescriptor(sent: unknown): string {
  const object = typeof sent === "object" && sent !== null ? sent : { desc: sent };
  const { desc } = object as { readonly desc?: unknown };
  const text = String(desc);
  const [, kind, content = ""] = /^(raw|addr)\(([^()]+)\)(?:#.{8})?$/.exec(text) ?? [];
  const script = kind === "addr" ? scriptOfAddress(content) : kind === "raw" ? content : null;
  if (script === null)
    throw new RpcFault(rpcCode.invalidAddressOrKey, `Invalid descriptor '${text}'`);
  return script;
}
