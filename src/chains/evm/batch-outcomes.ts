import type { ListedTokens } from "../../currencies/currency.ts";
import type { PaymentDelivery, PaymentOutcome, TransactionReceipt } from "../port.ts";
import type { EvmLog, EvmReceipt } from "./answer.ts";
import { type BatchPayment, isCoin, readPayMany } from "./payout-delegate.ts";
import { deliveryOf, type ExecutedCall } from "./token-delivery.ts";

/** What a batch made of its payments. */
type BatchOutcomes = Required<Pick<TransactionReceipt, "payments" | "deliveries">>;

/** The payments of the account's call of itself; null if the call is no batch. */
export function batchPaymentsOf({ from, to, data }: ExecutedCall): readonly BatchPayment[] | null {
  return to === from ? readPayMany(data) : null;
}

/**
 * The outcome of each payment of a successful batch of an account whose code we know. Coin is moved if the last log says so. Tokens are
 * judged by their own contract's logs, as those of a transaction with one payment; an empty log of the account separates the
 * payments that run code. Without a last log the account did not delegate, and nothing was moved.
 */
export function readBatchOutcomes(
  { logs }: Pick<EvmReceipt, "logs">,
  account: string,
  payments: readonly BatchPayment[],
  listed: ListedTokens,
): BatchOutcomes {
  const { parts, made } = partsOf(logs, account);
  const outcomes: PaymentOutcome[] = [];
  const deliveries: PaymentDelivery[] = [];
  let next = 0;
  for (const [place, payment] of payments.entries()) {
    const part = payment.gas === 0 ? [] : (parts[next] ?? []);
    if (payment.gas !== 0) next += 1;
    const isDone = (made >> BigInt(place)) % 2n === 1n;
    const currency = isCoin(payment) ? undefined : listed.get(payment.asset);
    if (currency === undefined) outcomes.push(isDone ? "made" : "refused");
    else {
      const delivery = deliveryOf(part, { ...payment, from: account, currency });
      const isPaid = delivery === null || delivery.receivedUnits > 0n;
      outcomes.push(isPaid ? "made" : "refused");
      // A call that failed has moved nothing, as its lack of logs says.
      if (delivery !== null && (isDone || delivery.sentUnits > 0n))
        deliveries.push({ ...delivery, place });
    }
  }
  return { payments: outcomes, deliveries };
}

/** The logs of each payment that runs code, and the last log's bits; 0 without such a log. */
function partsOf(
  logs: readonly EvmLog[],
  account: string,
): { readonly parts: readonly (readonly EvmLog[])[]; readonly made: bigint } {
  const parts: EvmLog[][] = [];
  let part: EvmLog[] = [];
  let made = 0n;
  for (const log of logs) {
    if (log.contract !== account || log.topics.length > 0) part.push(log);
    else if (log.data === "0x") {
      parts.push(part);
      part = [];
    } else made = BigInt(log.data);
  }
  return { parts, made };
}
