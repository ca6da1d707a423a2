import { type Currency, contractAmong } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { AccountFunds } from "../paying-port.ts";
import { accountAt, tokenBalanceAt } from "./account.ts";
import type { TronNode } from "./tron-node.ts";

/**
 * The address's balance as of the solid block, which is both the tip and final here. Coin that is staked, delegated or being
 * unstaked is included, and reserved.
 */
export async function readFunds(
  node: TronNode,
  currencies: readonly Currency[],
  { address, currency }: { readonly address: string; readonly currency: CurrencyId },
  signal: AbortSignal,
): Promise<AccountFunds> {
  const contract = contractAmong(currencies, currency);
  if (contract !== null) {
    const held = await node.consult(
      (ask) => ask(tokenBalanceAt("walletsolidity", contract, address)),
      signal,
    );
    return { latest: held, final: held, reserved: 0n };
  }
  const account = await node.consult((ask) => ask(accountAt("walletsolidity", address)), signal);
  const { spendable, staked } = account ?? { spendable: 0n, staked: 0n };
  const held = spendable + staked;
  return { latest: held, final: held, reserved: staked };
}
