import type { Currency } from "../../currencies/currency.ts";
import { present } from "../../kernel/assert.ts";
import type { CurrencyId } from "../../kernel/money.ts";
import { Unavailable } from "../../kernel/unavailable.ts";
import type { EvmNode } from "./evm-node.ts";
import { balanceAt, headerByNumber, tokenBalanceAt } from "./questions.ts";

/**
 * Sums what the addresses hold of the currency (one of `currencies`), all as of the same block: the node's tip when the
 * question began.
 */
export async function readBalance(
  node: EvmNode,
  currencies: readonly Currency[],
  addresses: readonly string[],
  currency: CurrencyId,
  signal: AbortSignal,
): Promise<bigint> {
  const record = present(
    currencies.find(({ id }) => id === currency),
    `currency ${currency} on ${node.chain}`,
  );
  const contract = record.token?.contract ?? null;
  const latest = await node.ask(headerByNumber("latest"), signal);
  if (latest === null) throw new Unavailable(node.chain, "the node has no latest block");
  const balances = await node.askAll(
    addresses.map((address) =>
      contract === null
        ? balanceAt(address, latest.hash)
        : tokenBalanceAt(contract, address, latest.hash),
    ),
    signal,
  );
  return balances.reduce((sum, balance) => sum + balance, 0n);
}
