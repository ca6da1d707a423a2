import type { ListedTokens } from "../../currencies/currency.ts";
import { toChecksumAddress } from "../../currencies/eip55.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { OutgoingPayment, OutgoingTransaction } from "../port.ts";
import { batchPaymentsOf } from "./batch-outcomes.ts";
import type { EvmNode } from "./evm-node.ts";
import { type BatchPayment, isCoin } from "./payout-delegate.ts";
import { readPendingBlock } from "./pending-transfers.ts";
import { callOf, type UsedCall } from "./questions.ts";
import { nonceClaim } from "./senders.ts";

/**
 * Transactions of our accounts in the node's pending block. Token payments are recognized by their call data; whether a call succeeds is not known yet.
 */
export function createPendingSpendsReader(
  node: EvmNode,
  coin: CurrencyId,
  listed: ListedTokens,
): (
  isOurs: (source: string) => boolean,
  signal: AbortSignal,
) => Promise<readonly OutgoingTransaction[]> {
  return async (isOurs, signal) => {
    const waiting = await readPendingBlock(node, signal);
    const ours = waiting.filter(({ from }) => isOurs(from));
    const calls = await node.askAll(
      ours.map(({ txid }) => callOf(txid)),
      signal,
    );
    return ours.map(({ txid, from, nonce }, place) => {
      const call = calls[place] ?? null;
      return {
        txid,
        sender: from,
        claims: [nonceClaim(from, nonce)],
        payments: call === null ? [] : paymentsOf(call, coin, listed),
        feeUnits: null,
      };
    });
  };
}

/** ERC-20 `transfer(address,uint256)`: selector, receiver, amount. */
const transferPattern = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/;

function paymentsOf(
  call: UsedCall,
  coin: CurrencyId,
  listed: ListedTokens,
): readonly OutgoingPayment[] {
  const { to, value, data } = call;
  if (to === null) return [];
  const batch = batchPaymentsOf(call);
  if (batch !== null) return batch.map((payment) => outgoing(payment, coin, listed));
  const coins =
    value === 0n ? [] : [{ to, address: toChecksumAddress(to), currency: coin, units: value }];
  const [, receiver, amount] = transferPattern.exec(data) ?? [];
  if (receiver === undefined || amount === undefined) return coins;
  const key = `0x${receiver}`;
  const token = {
    to: key,
    address: toChecksumAddress(key),
    currency: listed.get(to) ?? null,
    units: BigInt(`0x${amount}`),
  };
  return [...coins, token];
}

function outgoing(payment: BatchPayment, coin: CurrencyId, listed: ListedTokens): OutgoingPayment {
  const { asset, receiver, units } = payment;
  const currency = isCoin(payment) ? coin : (listed.get(asset) ?? null);
  return { to: receiver, address: toChecksumAddress(receiver), currency, units };
}
