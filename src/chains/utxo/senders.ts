import type { TransactionFormat, UtxoNetwork } from "../../currencies/utxo-facts.ts";
import type { BlockRef, Senders } from "../port.ts";
import type { RpcAnswer } from "../rpc/decode-reply.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import {
  type Fields,
  readFields,
  readInteger,
  readList,
  readText,
  resultOrNull,
} from "./answer.ts";
import { addressOfScript } from "./output-script.ts";
import { readTransactionHead } from "./parse-transaction.ts";
import type { ChainRules } from "./read-block.ts";

type Input = {
  readonly outpoint: string;
  readonly txid: string;
  readonly vout: number;
  /** The spent output's script, in hex; null if the node did not report it. */
  readonly script: string | null;
};

/**
 * The owners of the coins that the transactions spend. Bitcoin Core includes spent outputs for transactions in blocks; otherwise
 * they come from the mempool, the transaction index, or the set of unspent outputs. Transactions that the node does not have are
 * left out.
 */
export async function readSenders(
  rpc: JsonRpc,
  { chain, network }: ChainRules,
  txids: readonly string[],
  block: BlockRef | null,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Senders>> {
  const calls = txids.map((txid) => ({
    method: "getrawtransaction",
    // Verbosity 2 adds the spent outputs on Bitcoin Core from 25.0 on; older nodes take it for "true".
    params: block === null || chain.findsById === true ? [txid, 2] : [txid, 2, block.hash],
  }));
  const answers = await rpc.batch(calls, signal);
  const inputs = new Map<string, readonly Input[]>();
  answers.forEach((answer, index) => {
    const result = resultOrNull(answer);
    const txid = txids[index];
    if (result !== null && txid !== undefined) inputs.set(txid, inputsOf(readFields(result)));
  });
  const unresolved = [...inputs.values()].flat().filter(({ script }) => script === null);
  const scripts = await spentScripts(rpc, chain.transactionFormat, unresolved, signal);
  return new Map([...inputs].map(([txid, list]) => [txid, originOf(network, list, scripts)]));
}

function originOf(
  network: UtxoNetwork,
  inputs: readonly Input[],
  scripts: ReadonlyMap<string, string>,
): Senders {
  const addresses = inputs.flatMap(({ outpoint, script }) => {
    const spent = script ?? scripts.get(outpoint);
    return spent === undefined ? [] : (addressOfScript(network, spent) ?? []);
  });
  return { addresses: [...new Set(addresses)], claims: inputs.map(({ outpoint }) => outpoint) };
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
    return [{ outpoint: `${txid}:${vout}`, txid, vout, script }];
  });
}

function scriptOf(output: Fields): string {
  return readText(readFields(output["scriptPubKey"])["hex"]);
}

/** Scripts of spent outputs by outpoint, as far as the node knows them. */
async function spentScripts(
  rpc: JsonRpc,
  format: TransactionFormat,
  inputs: readonly Input[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const scripts = new Map<string, string>();
  const parents = [...new Set(inputs.map(({ txid }) => txid))];
  const calls = parents.map((txid) => ({ method: "getrawtransaction", params: [txid, false] }));
  const answers = await rpc.batch(calls, signal);
  const byParent = new Map(parents.map((txid, index) => [txid, rawOf(answers[index])]));
  for (const { outpoint, txid, vout } of inputs) {
    const raw = byParent.get(txid) ?? null;
    const script = raw === null ? null : outputScript(raw, format, vout);
    if (script !== null) scripts.set(outpoint, script);
  }
  const open = inputs.filter(({ outpoint }) => !scripts.has(outpoint));
  // Without the mempool, where the queried transaction itself has spent them.
  const coins = await rpc.batch(
    open.map(({ txid, vout }) => ({ method: "gettxout", params: [txid, vout, false] })),
    signal,
  );
  open.forEach(({ outpoint }, index) => {
    const answer = coins[index];
    const coin = answer === undefined ? null : resultOrNull(answer);
    if (coin !== null) scripts.set(outpoint, scriptOf(readFields(coin)));
  });
  return scripts;
}

/** Without a transaction index, a node refuses to look up old transactions, with various errors. */
function rawOf(answer: RpcAnswer | undefined): Buffer | null {
  return answer !== undefined && "result" in answer
    ? Buffer.from(readText(answer.result), "hex")
    : null;
}

function outputScript(raw: Buffer, format: TransactionFormat, vout: number): string | null {
  const output = readTransactionHead({ bytes: raw, at: 0 }, format).outputs[vout];
  if (output === undefined) return null;
  return raw.toString("hex", output.scriptAt, output.scriptAt + output.scriptLength);
}
