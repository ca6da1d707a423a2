import { createJsonRpc, type JsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { parseDecimal } from "../../src/platform/kernel/decimal.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { UtxoNode } from "../../src/sandbox/utxo-node.ts";
import type { Debit, Output, TruthBlock, TruthReader } from "./best-chain.ts";

const never = new AbortController().signal;
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const etherId = "1002";

type EvmTransaction = {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
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

export type OpenTruth = TruthReader & { readonly close: () => Promise<void> };

/** `tokens`: currency id by contract, lower case. */
export function evmTruth(url: string, tokens: ReadonlyMap<string, string>): OpenTruth {
  const rpc = createJsonRpc({
    nodes: [{ url }],
    chain: "ETH",
    timeoutMs: 30_000,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  const ask = <Result>(method: string, params: readonly unknown[]): Promise<Result> =>
    rpc.callOnce<Result>(method, params, never);
  return {
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
      return {
        height,
        hash: block.hash,
        parentHash: block.parentHash,
        outputs: [
          ...valued.map(({ hash, to, value }) => ether(hash, to ?? "", BigInt(value))),
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

/** Value between accounts. Value that contracts forward only moves among our own addresses, which adds up to nothing. */
function ether(txid: string, address: string, units: bigint): Output {
  return { txid, vout: null, address: address.toLowerCase(), currency: etherId, units };
}

function gasOf({ gasUsed, effectiveGasPrice }: EvmReceipt): bigint {
  return BigInt(gasUsed) * BigInt(effectiveGasPrice);
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

type CoinBlock = {
  readonly hash: string;
  readonly previousblockhash?: string;
  readonly tx: readonly CoinTransaction[];
};
type CoinTransaction = {
  readonly txid: string;
  readonly vin: readonly { readonly txid?: string; readonly vout?: number }[];
  readonly vout: readonly {
    readonly n: number;
    readonly value: string | number;
    readonly scriptPubKey: CoinScript;
  }[];
};
/** litecoind's older format beside bitcoind's. */
type CoinScript = { readonly address?: string; readonly addresses?: readonly string[] };

/** The current node. */
export function coinTruth(node: () => UtxoNode, currency: string): OpenTruth {
  const hashAt = (height: number): Promise<string> =>
    node().command<string>("getblockhash", [height]);
  // Read from the first block on, so that every spent output is known.
  const known = new Map<string, Output>();
  return {
    tipHeight: () => node().command<number>("getblockcount"),
    hashAt,
    blockAt: async (height) => {
      const block = await node().command<CoinBlock>("getblock", [await hashAt(height), 2]);
      const outputs = block.tx.flatMap((transaction) => outputsOf(transaction, currency));
      for (const output of outputs) known.set(`${output.txid}:${output.vout}`, output);
      return {
        height,
        hash: block.hash,
        parentHash: block.previousblockhash ?? "",
        outputs,
        ...spentBy(block, known),
      };
    },
    waiting: async () => new Set(await node().command<readonly string[]>("getrawmempool")),
    holdings: async (addresses) => {
      if (addresses.length === 0) return 0n;
      const scan = await node().command<{ readonly total_amount: string | number }>(
        "scantxoutset",
        ["start", addresses.map((address) => `addr(${address})`)],
      );
      return coinUnits(scan.total_amount);
    },
    close: () => Promise.resolve(),
  };
}

/** Without outputs that have no address: the worthless commitments of coinbases. */
function outputsOf({ txid, vout }: CoinTransaction, currency: string): readonly Output[] {
  return vout.flatMap(({ n, value, scriptPubKey: { address, addresses } }) => {
    const payee = address ?? addresses?.[0];
    return payee === undefined
      ? []
      : [{ txid, vout: n, address: payee, currency, units: coinUnits(value) }];
  });
}

function spentBy(
  block: CoinBlock,
  known: ReadonlyMap<string, Output>,
): Pick<TruthBlock, "debits" | "burnt"> {
  const debits: Debit[] = [];
  const burnt = new Map<string, bigint>();
  for (const { txid, vin, vout } of block.tx.slice(1)) {
    const spent = vin.map((input) => known.get(`${input.txid}:${input.vout}`)!);
    debits.push(
      ...spent.map(({ address, currency, units }) => ({ txid, address, currency, units })),
    );
    const inputUnits = vout.reduce((sum, { value }) => sum + coinUnits(value), 0n);
    burnt.set(txid, spent.reduce((sum, { units }) => sum + units, 0n) - inputUnits);
  }
  return { debits, burnt };
}

function coinUnits(value: string | number): bigint {
  const parsed = parseDecimal(String(value), 8);
  if (parsed.kind !== "units") throw new Error(`an amount of the node: ${value}`);
  return parsed.units;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
