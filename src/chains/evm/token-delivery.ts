import type { ListedTokens } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { TokenDelivery } from "../port.ts";
import type { EvmLog, EvmReceipt } from "./answer.ts";
import { readTransferLog } from "./token-transfers.ts";

/** A call of one of our transactions; addresses and data in lower case. */
export type ExecutedCall = {
  readonly from: string;
  readonly to: string | null;
  readonly data: string;
};

/** Exactly `transfer(address,uint256)`: the selector, a receiver and an amount. */
const transferData = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/;

/**
 * The outcome of a listed token's transfer, by the logs of a successful transaction. Null: exactly as requested, or no transfer
 * was requested. Only the token's own logs count, and of those only moves out of the paying account; other logs are not part of
 * this payment.
 */
export function readDelivery(
  receipt: EvmReceipt,
  { from, to, data }: ExecutedCall,
  listed: ListedTokens,
): TokenDelivery | null {
  const currency = to === null ? undefined : listed.get(to);
  const [, payee, amount] = transferData.exec(data) ?? [];
  if (!receipt.hasSucceeded || currency === undefined) return null;
  if (payee === undefined || amount === undefined) return null;
  return deliveryOf(receipt.logs, {
    from,
    asset: to ?? "",
    receiver: `0x${payee}`,
    units: BigInt(`0x${amount}`),
    currency,
  });
}

/** The outcome of one transfer of a token, by these logs; null: exactly as requested. */
export function deliveryOf(
  logs: readonly EvmLog[],
  transfer: {
    readonly from: string;
    readonly asset: string;
    readonly receiver: string;
    readonly units: bigint;
    readonly currency: CurrencyId;
  },
): TokenDelivery | null {
  const { from, asset, receiver, units: requestedUnits, currency } = transfer;
  const moves = logs
    .filter(({ contract }) => contract === asset)
    .flatMap((log) => readTransferLog(log) ?? [])
    .filter((move) => move.from === from);
  const sentUnits = sum(moves);
  const receivedUnits = sum(moves.filter((move) => move.to === receiver));
  if (requestedUnits === 0n || (receivedUnits === requestedUnits && sentUnits === requestedUnits))
    return null;
  return { currency, requestedUnits, receivedUnits, sentUnits };
}

function sum(moves: readonly { readonly units: bigint }[]): bigint {
  return moves.reduce((total, { units }) => total + units, 0n);
}
