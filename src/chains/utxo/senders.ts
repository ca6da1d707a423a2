import type { TransactionFormat, UtxoNetwork } from "../../currencies/utxo-facts.ts";
import type { BlockRef, Senders } from "../port.ts";
import type { RpcAnswer } from "../rpc/decode-reply.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { AnswerTooLarge } from "../rpc/node-error.ts";
import {
  type Fields,
  readFields,
  readInteger,
  readList,
  readText,
  resultOrNull,
} from "./answer.ts";
import { claimsOf } from "./block-spends.ts";
import { outpointOf } from "./draft-body.ts";
import { addressOfScript } from "./output-script.ts";
import type { RawBlock } from "./parse-block.ts";
import { type RawTransaction, readTransactionHead } from "./parse-transaction.ts";
import { type ChainRules, type KeptBlocks, readRawBlock } from "./read-block.ts";

type Input = {
  readonly outpoint: string;
  /** The spent output's script, in hex; null if the node did not report it. */
  readonly script: string | null;
};

/** Transactions, or parents of them, per question: a raw transaction may have a megabyte. */
const chunkLength = 400;
/** Of transactions in a block, asked with their block: the node reads the whole block for each of them. */
const wholeBlocksMax = 16;

/**
 * The owners of the coins that the transactions spend. What a block's transactions spend is in its bytes, which are read once for
 * all of them, unless the block is `kept`; the coins' scripts are in the same block, or come from the mempool, the transaction
 * index, or the set of unspent outputs. Transactions that the node does not have, or not in that block, are left out.
 */
export async function readSenders(
  rpc: JsonRpc,
  rules: ChainRules,
  txids: readonly string[],
  block: BlockRef | null,
  signal: AbortSignal,
  kept?: KeptBlocks,
): Promise<ReadonlyMap<string, Senders>> {
  if (txids.length === 0) return new Map();
  const { chain, network } = rules;
  const { claims, scripts } =
    block === null
      ? await readPending(rpc, chain.transactionFormat, txids, signal)
      : claimsInBlock(
          txids,
          kept?.get(block) ?? (await readRawBlock(rpc, rules, block.hash, signal)),
        );
  await addParentsScripts(
    rpc,
    chain.transactionFormat,
    openAmong(claims, scripts),
    scripts,
    signal,
  );
  if (block === null) await addUnspentScripts(rpc, openAmong(claims, scripts), scripts, signal);
  else if (chain.findsById !== true) await addReportedScripts(rpc, block, claims, scripts, signal);
  return new Map([...claims].map(([txid, spent]) => [txid, originOf(network, spent, scripts)]));
}

/** What transactions spend, by their ids, and the scripts of spent outputs in hex, as far as they are known. */
type Spending = {
  readonly claims: Map<string, readonly string[]>;
  readonly scripts: Map<string, string>;
};

async function readPending(
  rpc: JsonRpc,
  format: TransactionFormat,
  txids: readonly string[],
  signal: AbortSignal,
): Promise<Spending> {
  const claims: Spending["claims"] = new Map();
  await eachRaw(rpc, txids, signal, (txid, bytes) => {
    claims.set(txid, claimsOf(bytes, readTransactionHead({ bytes, at: 0 }, format)));
  });
  return { claims, scripts: new Map() };
}

/** Nothing of a block that the node does not have. */
function claimsInBlock(txids: readonly string[], block: RawBlock | null): Spending {
  const spending: Spending = { claims: new Map(), scripts: new Map() };
  if (block === null) return spending;
  const { bytes, transactions } = block;
  const asked = new Set(txids);
  const places = new Map(block.txids.map((txid, place) => [txid, place]));
  for (const [place, transaction] of transactions.entries()) {
    const txid = block.txids[place] ?? "";
    if (!asked.has(txid)) continue;
    // The first transaction is the coinbase, which spends nothing.
    const claims = place === 0 ? [] : claimsOf(bytes, transaction);
    spending.claims.set(txid, claims);
    for (const claim of claims) {
      const { txid: parent, vout } = outpointOf(claim);
      const creator = transactions[places.get(parent) ?? -1];
      const script = creator === undefined ? null : scriptIn(bytes, creator, vout);
      if (script !== null) spending.scripts.set(claim, script);
    }
  }
  return spending;
}

/** The claims whose scripts are not known yet. */
function openAmong(
  claims: Spending["claims"],
  scripts: ReadonlyMap<string, string>,
): readonly string[] {
  return [...claims.values()].flat().filter((claim) => !scripts.has(claim));
}

function originOf(
  network: UtxoNetwork,
  claims: readonly string[],
  scripts: ReadonlyMap<string, string>,
): Senders {
  const addresses = claims.flatMap((claim) => {
    const script = scripts.get(claim);
    return script === undefined ? [] : (addressOfScript(network, script) ?? []);
  });
  return { addresses: [...new Set(addresses)], claims };
}

/** Neither coinbase inputs nor MimbleWimble inputs name an outpoint. */
export function inputsOf(transaction: Fields): readonly Input[] {
  return readList(transaction["vin"]).flatMap((value) => {
    const input = readFields(value);
    if (typeof input["txid"] !== "string") return [];
    const txid = input["txid"];
    const vout = readInteger(input["vout"]);
    const prevout = input["prevout"];
    const script = prevout === undefined ? null : scriptOf(readFields(prevout));
    return [{ outpoint: `${txid}:${vout}`, script }];
  });
}

function scriptOf(output: Fields): string {
  return readText(readFields(output["scriptPubKey"])["hex"]);
}

/** From the transactions that created the outputs. */
async function addParentsScripts(
  rpc: JsonRpc,
  format: TransactionFormat,
  open: readonly string[],
  scripts: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const wanted = Map.groupBy(open, (claim) => outpointOf(claim).txid);
  await eachRaw(rpc, [...wanted.keys()], signal, (parent, bytes) => {
    const transaction = readTransactionHead({ bytes, at: 0 }, format);
    for (const claim of wanted.get(parent) ?? []) {
      const script = scriptIn(bytes, transaction, outpointOf(claim).vout);
      if (script !== null) scripts.set(claim, script);
    }
  });
}

/** From the set of unspent outputs, without the mempool, where the transactions themselves have spent them. */
async function addUnspentScripts(
  rpc: JsonRpc,
  open: readonly string[],
  scripts: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const answers = await rpc.batch(
    open.map(outpointOf).map(({ txid, vout }) => ({
      method: "gettxout",
      params: [txid, vout, false],
    })),
    signal,
  );
  open.forEach((claim, index) => {
    const answer = answers[index];
    const coin = answer === undefined ? null : resultOrNull(answer);
    if (coin !== null) scripts.set(claim, scriptOf(readFields(coin)));
  });
}

/**
 * Where the node lacks the transactions that created the outputs: Bitcoin Core from 25.0 on reports spent outputs with the
 * transactions of a block. Other nodes are not asked any further, since they read whole blocks for nothing.
 */
async function addReportedScripts(
  rpc: JsonRpc,
  block: BlockRef,
  claims: Spending["claims"],
  scripts: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const open = [...claims].flatMap(([txid, spent]) =>
    spent.every((claim) => scripts.has(claim)) ? [] : [txid],
  );
  for (let from = 0; from < open.length; from += wholeBlocksMax) {
    const answers = await rpc.batch(
      open.slice(from, from + wholeBlocksMax).map((txid) => ({
        method: "getrawtransaction",
        params: [txid, 2, block.hash],
      })),
      signal,
    );
    const reported = answers
      .map(resultOrNull)
      .flatMap((result) => (result === null ? [] : inputsOf(readFields(result))))
      .filter(({ script }) => script !== null);
    if (reported.length === 0) return;
    for (const { outpoint, script } of reported) if (script !== null) scripts.set(outpoint, script);
  }
}

/**
 * Lets `use` see the bytes of those transactions that the node finds by their ids. Without a transaction index, nodes refuse to
 * look up old ones, with various errors.
 */
async function eachRaw(
  rpc: JsonRpc,
  txids: readonly string[],
  signal: AbortSignal,
  use: (txid: string, bytes: Buffer) => void,
): Promise<void> {
  for (let from = 0; from < txids.length; from += chunkLength) {
    const chunk = txids.slice(from, from + chunkLength);
    const answers = await askForRaw(rpc, chunk, signal);
    for (const [index, txid] of chunk.entries()) {
      const answer = answers[index];
      if (answer !== undefined && "result" in answer)
        use(txid, Buffer.from(readText(answer.result), "hex"));
    }
  }
}

/** In halves where an answer is too large: a hundred transactions of four megabytes are. */
async function askForRaw(
  rpc: JsonRpc,
  txids: readonly string[],
  signal: AbortSignal,
): Promise<readonly RpcAnswer[]> {
  try {
    return await rpc.batch(
      txids.map((txid) => ({ method: "getrawtransaction", params: [txid, false] })),
      signal,
    );
  } catch (error) {
    if (!(error instanceof AnswerTooLarge) || txids.length === 1) throw error;
    const half = Math.ceil(txids.length / 2);
    return [
      ...(await askForRaw(rpc, txids.slice(0, half), signal)),
      ...(await askForRaw(rpc, txids.slice(half), signal)),
    ];
  }
}

function scriptIn(bytes: Buffer, { outputs }: RawTransaction, vout: number): string | null {
  const output = outputs[vout];
  if (output === undefined) return null;
  return bytes.toString("hex", output.scriptAt, output.scriptAt + output.scriptLength);
}
