import { RpcError } from "../chains/rpc/rpc-error.ts";
import { assert } from "../platform/kernel/assert.ts";
import { formatDecimal, parseDecimal } from "../platform/kernel/decimal.ts";
import type { UtxoNode } from "./utxo-node.ts";

/** What driving a node takes: one that this process runs, or one that it reaches by its URL alone. */
export type DrivenNode = Pick<UtxoNode, "command" | "faucet">;

/** Digits of bitcoin and litecoin. */
const exp = 8;
/** What a replacement pays on top, far above the node's own rule. */
const replacementFeeUnits = 100_000n;

export type Payment = { readonly address: string; readonly units: bigint };

type Outpoint = { readonly txid: string; readonly vout: number };

/** Mines blocks with everything that waits; the coins go to the faucet. Resolves with their hashes. */
export async function mineBlocks(node: DrivenNode, count: number): Promise<readonly string[]> {
  const address = await node.faucet<string>("getnewaddress");
  return await node.command<readonly string[]>("generatetoaddress", [count, address]);
}

/** One transaction of the faucet that pays all of them, which must be different addresses; resolves with its id. */
export async function payFromFaucet(
  node: DrivenNode,
  payments: readonly Payment[],
): Promise<string> {
  const amounts = payments.map(({ address, units }) => [address, formatDecimal(units, exp)]);
  return await node.faucet<string>("sendmany", ["", Object.fromEntries(amounts)]);
}

/**
 * Replaces the newest `depth` blocks by `depth + 1` others. `wait`: the transactions of the old ones wait again;
 * `include`: the new blocks hold them.
 */
export async function reorgBlocks(
  node: DrivenNode,
  depth: number,
  transactions: "wait" | "include",
): Promise<void> {
  const height = await node.command<number>("getblockcount");
  assert(depth > 0 && depth < height, "a re-org of blocks that are there");
  const replaced = await transactionsFrom(node, height - depth + 1);
  const hash = await node.command<string>("getblockhash", [height - depth + 1]);
  await node.command("invalidateblock", [hash]);
  if (transactions === "include") {
    await mineBlocks(node, depth + 1);
    return;
  }
  for (let count = 0; count <= depth; count += 1) {
    // Another address each, else the block of the same height and second would be the invalid one again.
    const address = await node.faucet<string>("getnewaddress");
    await node.command("generateblock", [address, []]);
  }
  // At the lower height the node forgot those that spend a newly mined coin, which was not mature yet down there.
  for (const raw of replaced) await sendAgain(node, raw);
}

/** Raw transactions of the blocks from this height on, without what the miners paid themselves, oldest first. */
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

/** One that waits already, or that no longer fits, stays as it is. */
async function sendAgain(node: DrivenNode, raw: string): Promise<void> {
  try {
    await node.command("sendrawtransaction", [raw]);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
}

/**
 * Spends what a waiting transaction of the faucet spends back to the faucet, at a higher fee, so that the node drops the
 * first one. Resolves with the id of the second.
 */
export async function replacePayment(node: DrivenNode, txid: string): Promise<string> {
  const spent = await inputsOf(node, txid);
  const values = await Promise.all(spent.map((outpoint) => valueOf(node, outpoint)));
  const total = values.reduce((sum, value) => sum + value, 0n);
  const address = await node.faucet<string>("getnewaddress");
  const inputs = spent.map((outpoint) => ({ ...outpoint, sequence: 0xfffffffd }));
  const outputs = [{ [address]: formatDecimal(total - replacementFeeUnits, exp) }];
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

/** Of a transaction that concerns the faucet's wallet, which keeps them all without an index of the node's. */
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
