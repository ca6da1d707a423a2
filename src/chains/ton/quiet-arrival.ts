import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { AccountContext, Activity } from "./activity.ts";
import { readBody } from "./message-body.ts";
import { watchKeyOf } from "./payee-addressing.ts";
import type { ExecutedTransaction } from "./transaction.ts";

/** An account's wallet of a jetton. */
export type OwnedWallet = { readonly owner: string; readonly jetton: CurrencyId };

/**
 * What one of our wallets of a jetton took without telling its owner, since the sender forwarded no coin: no transaction of the owner shows it.
 * Null for everything else that the wallet does. What it told its owner of counts there; what it sends, and what comes back of that because the receiver
 * refused it, is part of our payments. Nobody named a deposit, so the money is unattributed, whatever text the transfer carries. Pure.
 */
export function quietArrivalOf(
  transaction: ExecutedTransaction,
  { owner, jetton }: OwnedWallet,
  { coin, network }: Pick<AccountContext, "coin" | "network">,
): Activity | null {
  const { account: wallet, hash, input, isAborted, sent } = transaction;
  const message = input?.kind === "internal" ? input.message : null;
  // The wallet's code takes jettons from other wallets of its master only, and fails otherwise.
  if (message === null || message.isBounced || isAborted) return null;
  const moved = readBody(message.body, network);
  if (moved.kind !== "jettonMoves" || moved.units === 0n) return null;
  const isTold = sent.some(
    ({ body, to }) => to === owner && readBody(body, network).kind === "jettonArrived",
  );
  if (isTold) return null;
  return {
    transaction,
    txid: hash,
    transfer: {
      key: { txid: hash, index: 0 },
      to: watchKeyOf(owner, null),
      asset: { kind: "currency", amount: { units: moved.units, currency: jetton } },
      spendableFromHeight: null,
    },
    // The wallet pays for it out of its own coin, which is in no books.
    charge: { txid: hash, account: wallet, amount: { units: 0n, currency: coin } },
    outgoing: null,
    senders: {
      addresses: [moved.from ?? message.from],
      claims: [`${message.from}#${message.createdLt}`],
    },
  };
}
