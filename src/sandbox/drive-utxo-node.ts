import { RawOldTx } from "@scure/btc-signer/script.js";
import { RpcError } from "../chains/rpc/node-error.ts";
import { assert } from "../platform/kernel/assert.ts";
import { formatDecimal, parseDecimal } from "../platform/kernel/decimal.ts";
import type { UtxoNode } from "./utxo-node.ts";

/** The calls needed to drive a node, whether this process runs it or only knows its URL. */
export type DrivenNode = Pick<UtxoNode, "command" | "faucet">;

/** Digits of bitcoin and litecoin. */
const exp = 8;
/** What a replacement pays on top, far above the node's own rule. */
const replacementFeeUnits = 100_000n;

export type Payment = { readonly address: string; readonly units: bigint };

type Outpoint = { readonly txid: string; readonly vout: number };

/** Mines blocks with all pending transactions, paying the faucet. Resolves with their hashes. */
export async function mineBlocks(node: DrivenNode, count: number): Promise<readonly string[]> {
  const address = await node.faucet<string>("getnewaddress");
  return await node.command<readonly string[]>("generatetoaddress", [count, address]);
}

/** Pays several different addresses in one transaction of the faucet; resolves with its id. */
export async function payFromFaucet(
  node: DrivenNode,
  payments: readonly Payment[],
): Promise<string> {
  const amounts = payments.map(({ address, units }) => [address, formatDecimal(units, exp)]);
  return await node.faucet<string>("sendmany", ["", Object.fromEntries(amounts)]);
}

/**
 * Pays one address the same amount so many times in one transaction of the faucet, which `sendmany` refuses; resolves with
 * its id. The faucet's wallet takes a second of processor time for 40 transactions.
 */
export async function payPieces(
  node: DrivenNode,
  { address, units }: Payment,
  pieces: number,
): Promise<string> {
  const { scriptPubKey } = await node.command<{ readonly scriptPubKey: string }>(
    "validateaddress",
    [address],
  );
  const output = { amount: units, script: Buffer.from(scriptPubKey, "hex") };
  const unfunded = Buffer.from(
    RawOldTx.encode({
      version: 2,
      inputs: [],
      outputs: Array.from({ length: pieces }, () => output),
      lockTime: 0,
    }),
  );
  const { hex } = await node.faucet<{ readonly hex: string }>("fundrawtransaction", [
    unfunded.toString("hex"),
    {},
    false,
  ]);
  return await signAndSend(node, hex);
}

/**
 * Replaces the newest `depth` blocks by `depth + 1` others. `wait`: the old blocks' transactions become pending again;
 * `include`: the new blocks contain them.
 */
export async function reorgBlocks(
  node: DrivenNode,
  depth: number,
  transactions: "wait" | "include",
): Promise<void> {
  const height = await node.command<number>("getblockcount");
  assert(depth > 0 && depth < height, "a reorg of existing blocks");
  const replaced = await transactionsFrom(node, height - depth + 1);
  const hash = await node.command<string>("getblockhash", [height - depth + 1]);
  await node.command("invalidateblock", [hash]);
  if (transactions === "include") {
    await mineBlocks(node, depth + 1);
    return;
  }
  for (let count = 0; count <= depth; count += 1) {
    // A new address each time; otherwise a block of the same height and second would equal the invalidated one.
    const address = await node.faucet<string>("getnewaddress");
    await node.command("generateblock", [address, []]);
  }
  // At the lower height the node dropped transactions that spend coinbases which were not mature there.
  for (const raw of replaced) await sendAgain(node, raw);
}

/** Raw transactions of the blocks from this height on, oldest first, without coinbases. */
async function transactionsFrom(node: DrivenNode, from: number): Promise<readonly string[]> {
  const tip = await node.command<number>("getblockcount");
  const found: string[] = [];
  for (let height = from; height <= tip; height += 1) {
    const hash = await node.command<string>("getblockhash", [height]);
    const { tx } = await node.command<{ readonly tx: readonly { readonly hex: string }[] }>(
      "getblock",
      [hash, 2],
    );
    found.push(...tx.slice(1).map(({ hex }) => hex));
  }
  return found;
}

/** Ignores transactions that are already pending or no longer valid. */
async function sendAgain(node: DrivenNode, raw: string): Promise<void> {
  try {
    await node.command("sendrawtransaction", [raw]);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
}

/**
 * Replaces a pending transaction of the faucet by one that pays the faucet itself, for so many units less than it spends; resolves
 * with its id.
 */
export async function replacePayment(
  node: DrivenNode,
  txid: string,
  feeUnits = replacementFeeUnits,
): Promise<string> {
  const spent = await inputsOf(node, txid);
  const values = await Promise.all(spent.map((outpoint) => valueOf(node, outpoint)));
  const total = values.reduce((sum, value) => sum + value, 0n);
  const address = await node.faucet<string>("getnewaddress");
  const inputs = spent.map((outpoint) => ({ ...outpoint, sequence: 0xfffffffd }));
  const outputs = [{ [address]: formatDecimal(total - feeUnits, exp) }];
  const draft = await node.command<string>("createrawtransaction", [inputs, outputs]);
  return await signAndSend(node, draft);
}

/** Signs a raw transaction with the faucet's keys and sends it; resolves with its id. */
export async function signAndSend(node: DrivenNode, draft: string): Promise<string> {
  const signed = await node.faucet<{ hex: string; complete: boolean }>(
    "signrawtransactionwithwallet",
    [draft],
  );
  assert(signed.complete, "the faucet can sign what it spends");
  return await node.command<string>("sendrawtransaction", [signed.hex]);
}

type Decoded = {
  readonly vin: readonly Outpoint[];
  readonly vout: readonly { readonly n: number; readonly value: string | number }[];
};

/** The faucet's wallet keeps its own transactions, so no index of the node is needed. */
async function decode(node: DrivenNode, txid: string): Promise<Decoded> {
  const { hex } = await node.faucet<{ hex: string }>("gettransaction", [txid]);
  return await node.command<Decoded>("decoderawtransaction", [hex]);
}

async function inputsOf(node: DrivenNode, txid: string): Promise<readonly Outpoint[]> {
  const { vin } = await decode(node, txid);
  return vin.map((input) => ({ txid: input.txid, vout: input.vout }));
}

async function valueOf(node: DrivenNode, { txid, vout }: Outpoint): Promise<bigint> {
  const { vout: outputs } = await decode(node, txid);
  const output = outputs.find(({ n }) => n === vout);
  const value = parseDecimal(String(output?.value), exp);
  assert(value.kind === "units", "an amount of the node");
  return value.units;
}
