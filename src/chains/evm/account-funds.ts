import { type Currency, contractAmong } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { AccountFunds } from "../paying-port.ts";
import { readCount } from "./answer.ts";
import type { EvmNode, Question } from "./evm-node.ts";
import { balanceAt, headerByNumber, tokenBalanceAt } from "./questions.ts";

/** The account's transaction count on the chain, which is the nonce of its next transaction. */
export function nextNonceOf(address: string): Question<number> {
  return { method: "eth_getTransactionCount", params: [address, "latest"], read: readCount };
}

/** The address's balance at the newest block, and at the newest block with that many confirmations. */
export async function readFunds(
  node: EvmNode,
  currencies: readonly Currency[],
  {
    address,
    currency,
    confirmations,
  }: {
    readonly address: string;
    readonly currency: CurrencyId;
    readonly confirmations: number;
  },
  signal: AbortSignal,
): Promise<AccountFunds> {
  const contract = contractAmong(currencies, currency);
  const latest = await node.ask(headerByNumber("latest"), signal);
  if (latest === null) throw new Unavailable(node.chain, "the node has no latest block");
  const height = Math.max(0, latest.height - Math.max(0, confirmations - 1));
  const final = await node.ask(headerByNumber(height), signal);
  if (final === null) throw new Unavailable(node.chain, `the node has no block ${height}`);
  const [atLatest, atFinal] = await node.askAll(
    [heldAfter(latest.hash), heldAfter(final.hash)],
    signal,
  );
  if (atLatest === null || atFinal === null)
    throw new Unavailable(node.chain, `the contract of currency ${currency} returns no balance`);
  return { latest: atLatest, final: atFinal, reserved: 0n };

  function heldAfter(hash: string): Question<bigint | null> {
    return contract === null ? balanceAt(address, hash) : tokenBalanceAt(contract, address, hash);
  }
}
