import { createJsonRpc, type JsonRpc } from "../../../src/chains/rpc/json-rpc.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { type Debit, itself, type Output } from "../best-chain.ts";
import type { OpenTruth } from "./chaos-chain.ts";

const never = new AbortController().signal;
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

type EvmTransaction = {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly input: string;
};
type EvmBlock = {
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly EvmTransaction[];
};
type EvmReceipt = {
  readonly transactionHash: string;
  readonly status: string;
  readonly from: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly logs: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
  }[];
};
type EvmPool = Readonly<
  Record<"pending" | "queued", Readonly<Record<string, Readonly<Record<string, { hash: string }>>>>>
>;

/** `coin`: its currency id. `tokens`: currency id by contract, lower case. */
export function evmTruth(
  url: string,
  { coin, tokens }: { readonly coin: string; readonly tokens: ReadonlyMap<string, string> },
): OpenTruth {
  const rpc = createJsonRpc({
    nodes: [{ url }],
    chain: "EVM",
    timeoutMs: 30_000,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  const ask = <Result>(method: string, params: readonly unknown[]): Promise<Result> =>
    rpc.callOnce<Result>(method, params, never);
  /**
   * Value between accounts, and what batches of payouts move. Other value that contracts forward only moves among our own addresses,
   * which adds up to nothing.
   */
  const ether = (txid: string, address: string, units: bigint): Output => ({
    txid,
    vout: null,
    address: address.toLowerCase(),
    currency: coin,
    units,
  });
  return {
    firstHeight: 0,
    holderOf: itself,
    numbersOutputs: false,
    // A killed Anvil has come back with a state that contained a token payment of a lost block (1.7.1 saves both separately).
    mayContradictItself: true,
    tipHeight: async () => Number(await ask<string>("eth_blockNumber", [])),
    hashAt: async (height) =>
      (await ask<EvmBlock | null>("eth_getBlockByNumber", [hex(height), false]))?.hash ?? null,
    blockAt: async (height) => {
      const block = await ask<EvmBlock>("eth_getBlockByNumber", [hex(height), true]);
      const receipts = await ask<readonly EvmReceipt[]>("eth_getBlockReceipts", [block.hash]);
      const succeeded = receipts.filter(({ status }) => status === "0x1");
      const ids = new Set(succeeded.map(({ transactionHash }) => transactionHash));
      const valued = block.transactions.filter(
        ({ hash, to, value }) => ids.has(hash) && to !== null && BigInt(value) > 0n,
      );
      const moves = succeeded.flatMap((receipt) => tokenMoves(receipt, tokens));
      const byId = new Map(succeeded.map((receipt) => [receipt.transactionHash, receipt]));
      const paid = block.transactions.flatMap((one) => batchMoves(one, byId.get(one.hash)));
      return {
        height,
        hash: block.hash,
        parentHash: block.parentHash,
        outputs: [
          ...valued.map(({ hash, to, value }) => ether(hash, to ?? "", BigInt(value))),
          ...paid.map(({ txid, to, units }) => ether(txid, to, units)),
          ...moves.map(({ txid, to, currency, units }) => ({
            txid,
            vout: null,
            address: to,
            currency,
            units,
          })),
        ],
        debits: [
          ...valued.map(({ hash, from, value }) => ether(hash, from, BigInt(value))),
          ...paid.map(({ txid, from, units }) => ether(txid, from, units)),
          ...receipts.map((receipt) =>
            ether(receipt.transactionHash, receipt.from, gasOf(receipt)),
          ),
          ...moves.map(({ txid, from, currency, units }) => ({
            txid,
            address: from,
            currency,
            units,
          })),
        ],
        burnt: new Map(receipts.map((receipt) => [receipt.transactionHash, gasOf(receipt)])),
      };
    },
    waiting: async () => {
      const { pending, queued } = await ask<EvmPool>("txpool_content", []);
      const senders = [...Object.values(pending), ...Object.values(queued)];
      return new Set(senders.flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash)));
    },
    holdings: (addresses, currency) => evmHoldings(rpc, addresses, contractOf(tokens, currency)),
    close: rpc.close,
  };
}

function gasOf({ gasUsed, effectiveGasPrice }: EvmReceipt): bigint {
  return BigInt(gasUsed) * BigInt(effectiveGasPrice);
}

/** Digits of a batch's data: selector, number of assets (2), each asset (48), each payment (72). */
const batch = { selector: "0x02711fa6", assets: 12, asset: 48, payment: 72 } as const;

/** The coin that an account's batch moved, by the account's last log: a word with a bit for each payment. */
function batchMoves(
  { hash, from, to, input }: EvmTransaction,
  receipt: EvmReceipt | undefined,
): readonly { txid: string; from: string; to: string; units: bigint }[] {
  if (receipt === undefined || to !== from || !input.startsWith(batch.selector)) return [];
  const own = receipt.logs.findLast((log) => log.address.toLowerCase() === from.toLowerCase());
  const made = BigInt(own?.data ?? 0);
  const start = batch.assets + batch.asset * Number.parseInt(input.slice(10, 12), 16);
  const payments = input.slice(start).match(new RegExp(`.{${batch.payment}}`, "g")) ?? [];
  return payments.flatMap((text, place) => {
    const at = batch.assets + batch.asset * Number.parseInt(text.slice(0, 2), 16);
    const isCoin = /^0{40}$/.test(input.slice(at, at + 40));
    const isMade = (made >> BigInt(place)) % 2n === 1n;
    const units = BigInt(`0x${text.slice(42)}`);
    return isCoin && isMade ? [{ txid: hash, from, to: `0x${text.slice(2, 42)}`, units }] : [];
  });
}

type TokenMove = Debit & { readonly from: string; readonly to: string };

function tokenMoves(
  receipt: EvmReceipt,
  tokens: ReadonlyMap<string, string>,
): readonly Omit<TokenMove, "address">[] {
  return receipt.logs.flatMap(({ address, topics, data }) => {
    const currency = tokens.get(address.toLowerCase());
    if (currency === undefined || topics[0] !== transferTopic) return [];
    const [from, to] = [addressIn(topics[1]!), addressIn(topics[2]!)];
    return [{ txid: receipt.transactionHash, from, to, currency, units: BigInt(data) }];
  });
}

function addressIn(topic: string): string {
  return `0x${topic.slice(-40).toLowerCase()}`;
}

function contractOf(tokens: ReadonlyMap<string, string>, currency: string): string | null {
  return [...tokens].find(([, id]) => id === currency)?.[0] ?? null;
}

async function evmHoldings(
  rpc: JsonRpc,
  addresses: readonly string[],
  contract: string | null,
): Promise<bigint> {
  let total = 0n;
  for (const address of addresses) {
    // balanceOf(address)
    const data = `0x70a08231${address.slice(2).padStart(64, "0")}`;
    const units =
      contract === null
        ? await rpc.call<string>("eth_getBalance", [address, "latest"], never)
        : await rpc.call<string>("eth_call", [{ to: contract, data }, "latest"], never);
    total += BigInt(units);
  }
  return total;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
