import { money } from "../../platform/kernel/money.ts";
import type { MayBeWatched, Transfer, TransfersByReceiver } from "../port.ts";
import type { ChainTransaction } from "./block-source.ts";
import { hasAddress, kindOfScript } from "./output-script.ts";
import type { BlockParts, RawBlock } from "./parse-block.ts";
import { categoryAt, extensionFlag, type RawTransaction } from "./parse-transaction.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/**
 * The outputs of the block that pay an address. Of ten thousand in a block few pay us, so a transfer is made only of those that are
 * asked for.
 */
export function transfersByReceiver(
  chain: UtxoChain,
  block: RawBlock,
  height: number,
): TransfersByReceiver {
  const { bytes, transactions } = block;
  const keys: string[] = [];
  for (const { outputs } of transactions)
    for (const { scriptAt, scriptLength } of outputs)
      if (hasAddress(chain, bytes, scriptAt, scriptLength))
        keys.push(keyAt(bytes, scriptAt, scriptLength));
  return {
    keys,
    to: (wanted) => transfersOfBlock(chain, block, height, (key) => wanted.has(key)),
  };
}

/** The outputs of the block that pay an address, or one of those selected, in block order. */
export function transfersOfBlock(
  chain: UtxoChain,
  block: RawBlock,
  height: number,
  isSelected: (key: string) => boolean = () => true,
): readonly Transfer[] {
  return block.transactions.flatMap((transaction, position) =>
    outputsToAddresses(
      chain,
      block.bytes,
      transaction,
      block.txids[position] ?? "",
      spendableFrom(chain, transaction, position, height),
      isSelected,
    ),
  );
}

/** The script in hex, which is the watch key. */
function keyAt(bytes: Buffer, scriptAt: number, scriptLength: number): string {
  return bytes.toString("hex", scriptAt, scriptAt + scriptLength);
}

/** Whether any output pays an address that may be watched, by its watch key. */
export function paysAny({ bytes, transactions }: BlockParts, mayBeWatched: MayBeWatched): boolean {
  const keys: string[] = [];
  for (const { outputs } of transactions)
    for (const { scriptAt, scriptLength } of outputs)
      if (kindOfScript(bytes, scriptAt, scriptLength) !== null)
        keys.push(keyAt(bytes, scriptAt, scriptLength));
  return mayBeWatched.any?.(keys) ?? keys.some((key) => mayBeWatched(key));
}

/** All outputs of a transaction that pay an address and can be spent at once. */
export function transfersOf(
  chain: UtxoChain,
  { txid, outputs }: ChainTransaction,
): readonly Transfer[] {
  return outputs.flatMap(({ token, units, script }, index): Transfer[] => {
    if (!hasAddress(chain, Buffer.from(script, "hex"), 0, script.length / 2)) return [];
    return [
      {
        key: { txid, index },
        to: script,
        asset: assetOf(chain, units, token),
        spendableFromHeight: null,
      },
    ];
  });
}

/**
 * An output with tokens is a payment in an asset that nobody lists: it is never a coin of ours, since spending it would burn the
 * tokens. Counted as one of the asset, because what the tokens are worth is not ours to say.
 */
function assetOf(chain: UtxoChain, units: bigint, category?: string): Transfer["asset"] {
  return category === undefined
    ? { kind: "currency", amount: money(units, chain.currency) }
    : { kind: "unlisted", locator: category, units: 1n };
}

/** The first transaction is the coinbase; one with the extension flag pays out what left the extension block. */
function spendableFrom(
  chain: UtxoChain,
  transaction: RawTransaction,
  position: number,
  height: number,
): number | null {
  if (position === 0) return height + chain.coinbaseMaturity;
  const isPegout = chain.pegoutMaturity !== null && (transaction.flags & extensionFlag) !== 0;
  return isPegout ? height + chain.pegoutMaturity : null;
}

/** The outputs of a transaction that pay an address, or one of those selected. */
export function outputsToAddresses(
  chain: UtxoChain,
  bytes: Buffer,
  transaction: RawTransaction,
  txid: string,
  spendableFromHeight: number | null,
  isSelected: (key: string) => boolean = () => true,
): readonly Transfer[] {
  const transfers: Transfer[] = [];
  transaction.outputs.forEach(({ tokensAt, units, scriptAt, scriptLength }, index) => {
    if (!hasAddress(chain, bytes, scriptAt, scriptLength)) return;
    const to = keyAt(bytes, scriptAt, scriptLength);
    if (!isSelected(to)) return;
    transfers.push({
      key: { txid, index },
      to,
      asset: assetOf(
        chain,
        units,
        tokensAt === undefined ? undefined : categoryAt(bytes, tokensAt),
      ),
      spendableFromHeight,
    });
  });
  return transfers;
}
