import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { TokenDelivery } from "../port.ts";
import type { EvmReceipt } from "./answer.ts";
import { readTransferLog } from "./token-transfers.ts";

/** What a transaction of ours calls; addresses and data in lower case. */
export type MadeCall = {
  readonly from: string;
  readonly to: string | null;
  readonly data: string;
};

/** `transfer(address,uint256)`: the selector, a receiver and an amount, and nothing else. */
const transferData = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/;

/** Contracts of the deployment's own tokens, lower case, and what they are. */
export type ListedTokens = ReadonlyMap<string, CurrencyId>;

/** The tokens among a chain's currencies. */
export function listedTokens(currencies: readonly Currency[]): ListedTokens {
  return new Map(
    currencies.flatMap(({ token, id }) =>
      token === null ? [] : [[token.contract.toLowerCase(), id] as const],
    ),
  );
}

/**
 * What the logs of a successful transaction say that came of the transfer it asked of a listed token. Null: exactly the
 * transfer, or it asked for none. Only logs of the token's own contract count, and of those only moves out of the account that
 * pays: what else it logs is no part of this payment.
 */
export function readDelivery(
  receipt: EvmReceipt,
  { from, to, data }: MadeCall,
  listed: ListedTokens,
): TokenDelivery | null {
  const currency = to === null ? undefined : listed.get(to);
  const [, payee, amount] = transferData.exec(data) ?? [];
  if (!receipt.hasSucceeded || currency === undefined) return null;
  if (payee === undefined || amount === undefined) return null;
  const requestedUnits = BigInt(`0x${amount}`);
  const moves = receipt.logs
    .filter(({ contract }) => contract === to)
    .flatMap((log) => readTransferLog(log) ?? [])
    .filter((move) => move.from === from);
  const sentUnits = sum(moves);
  const receivedUnits = sum(moves.filter((move) => move.to === `0x${payee}`));
  if (requestedUnits === 0n || (receivedUnits === requestedUnits && sentUnits === requestedUnits))
    return null;
  return { currency, requestedUnits, receivedUnits, sentUnits };
}

function sum(moves: readonly { readonly units: bigint }[]): bigint {
  return moves.reduce((total, { units }) => total + units, 0n);
}
