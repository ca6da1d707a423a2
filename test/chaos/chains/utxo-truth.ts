import { parseDecimal } from "../../../src/platform/kernel/decimal.ts";
import type { UtxoNode } from "../../../src/sandbox/utxo-node.ts";
import { type Debit, itself, type Output, type TruthBlock } from "../best-chain.ts";
import type { OpenTruth } from "./chaos-chain.ts";

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

/** `node`: whichever runs now. `currency`: the coin's id. */
export function utxoTruth(node: () => UtxoNode, currency: string): OpenTruth {
  const hashAt = (height: number): Promise<string> =>
    node().command<string>("getblockhash", [height]);
  // Read from the first block on, so that every spent output is known.
  const known = new Map<string, Output>();
  return {
    firstHeight: 0,
    holderOf: itself,
    numbersOutputs: true,
    mayContradictItself: false,
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
