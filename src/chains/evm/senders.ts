import type { Senders } from "../port.ts";
import type { EvmNode } from "./evm-node.ts";
import { transactionOf } from "./questions.ts";
import { lastSignedType } from "./receipts.ts";

/** A transaction's claim on its sender's nonce, written as `0x...#7`. */
export function nonceClaim(sender: string, nonce: number): string {
  return `${sender}#${nonce}`;
}

/** Parses the sender and nonce that `spendOf` wrote; null for anything else. */
export function parseNonceClaim(
  spend: string,
): { readonly sender: string; readonly nonce: number } | null {
  const [, sender, nonce] = /^(0x[0-9a-f]{40})#(\d{1,15})$/.exec(spend) ?? [];
  return sender === undefined ? null : { sender, nonce: Number(nonce) };
}

/** Senders and nonces by transaction id, in one batch; transactions that the node does not know are left out. */
export async function readSenders(
  node: EvmNode,
  txids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Senders>> {
  if (txids.length === 0) return new Map();
  const transactions = await node.askAll(txids.map(transactionOf), signal);
  return new Map(
    transactions.flatMap((transaction) => {
      if (transaction === null) return [];
      const { txid, from, nonce, type } = transaction;
      // Unsigned transactions use no nonce: they come from L1.
      const claims = type <= lastSignedType ? [nonceClaim(from, nonce)] : [];
      return [[txid, { addresses: [from], claims }] as const];
    }),
  );
}
