import { encodeFunctionData } from "viem/utils";
import { createJsonRpc, type JsonRpc } from "../chains/rpc/json-rpc.ts";
import type { ChainId, Currency } from "../currencies/currency.ts";
import { present } from "../platform/kernel/assert.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import { reject } from "../platform/kernel/rejection.ts";
import type { World } from "../platform/kernel/world.ts";
import { setNodeTime, statesKept } from "./anvil.ts";
import { type ChainPayer, followedDepth, type ReorgTransactions, type Tip } from "./chain-payer.ts";
import { mineBlocks, sendAgain } from "./mine-evm.ts";
import type { EvmSite } from "./sandbox-file.ts";

/** EIP-20 without its return value: test tokens such as Tether's return nothing. */
const transferAbi = [
  {
    type: "function",
    name: "transfer",
    stateMutability: "nonpayable",
    inputs: [
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
    ],
    outputs: [],
  },
] as const;

const timeoutMs = 30_000;
const never = new AbortController().signal;

type Block = {
  readonly number: string;
  readonly hash: string;
  readonly transactions: readonly string[];
};

/** Pays from Anvil's first developer account, which holds ether and all test tokens. */
export function createEvmPayer(
  chainId: ChainId,
  { rpc_url, tokens }: EvmSite,
  world: World,
): ChainPayer {
  const rpc = createJsonRpc({ nodes: [{ url: rpc_url }], chain: chainId, timeoutMs, ...world });
  return {
    pay: async (currency, address, units) => {
      const [from] = await rpc.call<readonly string[]>("eth_accounts", [], never);
      const transaction = { from, ...paymentOf(currency, tokens, address, units) };
      // Anvil accepts transactions that will fail. The call reports why (such as a low token balance).
      await rpc.call("eth_call", [transaction, "latest"], never);
      return await rpc.callOnce<string>("eth_sendTransaction", [transaction], never);
    },
    mine: (count) => mineBlocks(rpc, count, never),
    reorg: (depth, transactions) =>
      reorg(rpc, world.clock, Object.values(tokens), depth, transactions),
    tip: () => tipOf(rpc),
    reorgDepthMax: Math.min(statesKept, followedDepth(chainId)),
    close: rpc.close,
  };
}

function paymentOf(
  currency: Currency,
  tokens: Readonly<Record<string, string>>,
  address: string,
  units: bigint,
): { readonly to: string; readonly value?: string; readonly data?: string } {
  if (currency.kind === "coin") return { to: address, value: quantity(units) };
  const contract = tokens[currency.alpha];
  if (contract === undefined)
    reject("invalidValue", `This sandbox has no test token ${currency.alpha}.`);
  const data = encodeFunctionData({
    abi: transferAbi,
    functionName: "transfer",
    args: [address as `0x${string}`, units],
  });
  return { to: contract, data };
}

/** A transaction and its place among the replaced blocks, from the oldest; null if it was in none. */
type Sent = { readonly raw: string; readonly place: number | null };

/**
 * Not done by `anvil_reorg`, which loses two things (seen with 1.7.1): it drops transactions that were pending behind those
 * that it takes back, so all are removed first and sent again in order; and a restarted Anvil loads older states without
 * contract code, so the code is set again first. The new blocks pay another miner, which makes them different blocks within
 * the same second.
 */
async function reorg(
  rpc: JsonRpc,
  clock: Clock,
  contracts: readonly string[],
  depth: number,
  transactions: ReorgTransactions,
): Promise<void> {
  const sent = await transactionsSince(rpc, depth);
  const isIncluded = ({ place }: Sent): boolean => transactions === "include" && place !== null;
  const code = await codeOf(rpc, contracts);
  const { hash } = await tipOf(rpc);
  await rpc.callOnce("anvil_rollback", [depth], never);
  // Anvil's clock continues from the block that it rolled back to; late payments would look in time.
  await setNodeTime(rpc, clock, never);
  await rpc.callOnce("anvil_dropAllTransactions", [], never);
  for (const [contract, bytes] of code) {
    // A contract has a nonce since its creation (EIP-161); without one, the creation was rolled back.
    const nonce = await rpc.call<string>("eth_getTransactionCount", [contract, "latest"], never);
    const left = await rpc.call<string>("eth_getCode", [contract, "latest"], never);
    if (nonce !== "0x0" && left === "0x")
      await rpc.callOnce("anvil_setCode", [contract, bytes], never);
  }
  await rpc.callOnce("anvil_setCoinbase", [hash.slice(0, 42)], never);
  for (let place = 0; place < depth; place += 1) {
    for (const transaction of sent)
      if (isIncluded(transaction) && transaction.place === place)
        await sendAgain(rpc, transaction.raw, never);
    await rpc.callOnce("evm_mine", [], never);
  }
  await rpc.callOnce("anvil_setCoinbase", [noMiner], never);
  for (const transaction of sent) {
    if (!isIncluded(transaction)) await sendAgain(rpc, transaction.raw, never);
  }
}

/** Anvil's default miner. */
const noMiner = `0x${"0".repeat(40)}`;

async function codeOf(
  rpc: JsonRpc,
  contracts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const code = new Map<string, string>();
  for (const contract of contracts)
    code.set(contract, await rpc.call<string>("eth_getCode", [contract, "latest"], never));
  return code;
}

/** Repeats when a block arrives in between, since depth counts from the tip. */
async function transactionsSince(rpc: JsonRpc, depth: number): Promise<readonly Sent[]> {
  for (;;) {
    const { height } = await tipOf(rpc);
    const sent: Sent[] = [];
    for (let place = 0; place < depth; place += 1) {
      const at = quantity(BigInt(height - depth + 1 + place));
      const block = await blockAt(rpc, at);
      for (const txid of block.transactions) sent.push({ raw: await rawOf(rpc, txid), place });
    }
    for (const txid of await waitingIn(rpc))
      sent.push({ raw: await rawOf(rpc, txid), place: null });
    if ((await tipOf(rpc)).height === height) return sent.filter(({ raw }) => raw !== "");
  }
}

type Pool = Readonly<
  Record<"pending" | "queued", Readonly<Record<string, Readonly<Record<string, { hash: string }>>>>>
>;

/** Ids of pending transactions, each sender's in nonce order. */
async function waitingIn(rpc: JsonRpc): Promise<readonly string[]> {
  const { pending, queued } = await rpc.call<Pool>("txpool_content", [], never);
  return [...Object.values(pending), ...Object.values(queued)].flatMap((byNonce) =>
    Object.entries(byNonce)
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([, { hash }]) => hash),
  );
}

/** Empty if the transaction is gone. */
async function rawOf(rpc: JsonRpc, txid: string): Promise<string> {
  return (await rpc.call<string | null>("eth_getRawTransactionByHash", [txid], never)) ?? "";
}

async function tipOf(rpc: JsonRpc): Promise<Tip> {
  const { number, hash } = await blockAt(rpc, "latest");
  return { height: Number(number), hash };
}

async function blockAt(rpc: JsonRpc, at: string): Promise<Block> {
  const block = await rpc.call<Block | null>("eth_getBlockByNumber", [at, false], never);
  return present(block, `block ${at}`);
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}
