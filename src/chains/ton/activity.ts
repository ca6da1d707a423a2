import { Cell } from "@ton/core";
import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { AccountCharge, OutgoingPayment, OutgoingTransaction, Transfer } from "../port.ts";
import { readBody } from "./message-body.ts";
import { passedOn } from "./orders.ts";
import { watchKeyOf } from "./payee-addressing.ts";
import { numberOf } from "./query-id.ts";
import type { ExecutedTransaction, InternalMessage } from "./transaction.ts";

/** What tells the jettons of an account apart: its own wallets of them, as their masters name these. */
export type AccountContext = {
  readonly network: TonNetworkKind;
  readonly coin: CurrencyId;
  readonly jettonWallets: ReadonlyMap<string, CurrencyId>;
};

/** A transaction of one of our accounts, or of its wallet of a jetton, and what it means. */
export type Activity = {
  readonly transaction: ExecutedTransaction;
  /** The normalized hash of the message that an owner signed, where the transaction makes its payments; otherwise the transaction's own hash. */
  readonly txid: string;
  /** What it brought from others; null for nothing. */
  readonly transfer: Transfer | null;
  readonly charge: AccountCharge;
  /** What it does for its owner; null unless it makes the payments that an owner signed. */
  readonly outgoing: OutgoingTransaction | null;
  /** Who sent what it brought, and what that used up. */
  readonly senders: { readonly addresses: readonly string[]; readonly claims: readonly string[] };
};

/**
 * Interprets a transaction of one of our accounts. `passing`: the transaction that passed its payments on to this one, if one did. That one
 * itself is no more than a charge, given back here, so that both together cost what the order's fee says. Pure.
 */
export function activityOf(
  transaction: ExecutedTransaction,
  context: AccountContext,
  passing: ExecutedTransaction | null = null,
): Activity {
  const { account, hash, input } = transaction;
  const charge = (txid: string, units: bigint): AccountCharge => ({
    txid,
    account,
    amount: { units, currency: context.coin },
  });
  const order = (passing ?? transaction).input;
  if (order?.kind === "external" && passedOn(transaction) === null) {
    const outgoing = outgoingOf(transaction, order, passing, context);
    const spent =
      outgoing.payments.reduce(
        (sum, { currency, units }) => (currency === context.coin ? sum + units : sum),
        0n,
      ) + (outgoing.feeUnits ?? 0n);
    return {
      transaction,
      txid: order.id,
      transfer: null,
      // Nothing beside its payments and its fee, except what came from the transaction that passed them on.
      charge: charge(order.id, -changeOf(transaction) - spent),
      outgoing,
      senders: { addresses: [account], claims: outgoing.claims },
    };
  }
  const message = input?.kind === "internal" ? input.message : null;
  const transfer = message === null ? null : transferOf(transaction, message, context);
  const brought = transfer?.asset.kind === "currency" ? transfer.asset.amount : null;
  const credited = brought?.currency === context.coin ? brought.units : 0n;
  return {
    transaction,
    txid: hash,
    transfer,
    charge: charge(hash, credited - changeOf(transaction)),
    outgoing: null,
    senders: sendersOf(message, context),
  };
}

/** The id of the order that a transaction is the first to execute; null for others. */
export function orderIdOf({ input }: ExecutedTransaction): string | null {
  return input?.kind === "external" ? input.id : null;
}

/** What a transaction added to the account's balance of coin, or took from it. */
function changeOf({ fees, input, sent }: ExecutedTransaction): bigint {
  const brought = input?.kind === "internal" ? input.message.value : 0n;
  return sent.reduce((rest, message) => rest - message.value - message.fees, brought - fees);
}

/**
 * The deposit that a message brings. Messages that came back, what is left of the cost of our own transfers, and what a wallet of a jetton
 * sends along are no deposits: they are part of the account's charges. Nor is money that went back because the contract failed.
 */
function transferOf(
  transaction: ExecutedTransaction,
  message: InternalMessage,
  { coin, jettonWallets, network }: AccountContext,
): Transfer | null {
  const { account, hash } = transaction;
  if (message.isBounced || message.from === account || returnsMoney(transaction)) return null;
  const to = (comment: string | null) => watchKeyOf(account, comment);
  const received = (key: string, currency: CurrencyId, units: bigint): Transfer | null =>
    units === 0n
      ? null
      : {
          key: { txid: hash, index: 0 },
          to: key,
          asset: { kind: "currency", amount: { units, currency } },
          spendableFromHeight: null,
        };
  const jetton = jettonWallets.get(message.from);
  const body = readBody(message.body, network);
  if (jetton !== undefined)
    return body.kind === "jettonArrived" ? received(to(body.comment), jetton, body.units) : null;
  if (body.kind === "excess") return null;
  // A contract that only behaves as a wallet of a jetton brings nothing but its coin.
  const comment = body.kind === "money" ? body.comment : null;
  return received(to(comment), coin, message.value);
}

/**
 * Whether the account's contract failed, or has no code, and the money went back. What a sender asks not to bounce stays, even where there
 * is no contract yet.
 */
export function returnsMoney({ isAborted, sent }: ExecutedTransaction): boolean {
  return isAborted && sent.some(({ isBounced }) => isBounced);
}

function sendersOf(
  message: InternalMessage | null,
  { jettonWallets, network }: AccountContext,
): Activity["senders"] {
  if (message === null) return { addresses: [], claims: [] };
  const claims = [`${message.from}#${message.createdLt}`];
  const body = jettonWallets.has(message.from) ? readBody(message.body, network) : null;
  // The jetton's wallet names who sent it.
  const sender = body?.kind === "jettonArrived" ? body.from : null;
  return { addresses: [sender ?? message.from], claims };
}

/** Reads what the owner signed, as far as it has the form of the highload wallet v3. */
function outgoingOf(
  transaction: ExecutedTransaction,
  { body, id }: { readonly id: string; readonly body: Cell },
  passing: ExecutedTransaction | null,
  { coin, jettonWallets, network }: AccountContext,
): OutgoingTransaction {
  const { account, fees, sent } = transaction;
  const queryId = queryIdIn(body);
  let feeUnits = fees + (passing === null ? 0n : costOf(passing));
  const payments = sent.flatMap((message): readonly OutgoingPayment[] => {
    feeUnits += message.fees;
    const jetton = jettonWallets.get(message.to);
    const order = readBody(message.body, network);
    if (jetton === undefined || order.kind !== "jettonTransfer") {
      const comment = order.kind === "money" ? order.comment : null;
      const to = watchKeyOf(message.to, comment);
      return [{ to, address: message.to, tag: comment, currency: coin, units: message.value }];
    }
    // What goes along for the cost of a jetton's transfer; the rest of it comes back later.
    feeUnits += message.value;
    const address = order.to ?? message.to;
    const { comment: tag, units } = order;
    return [{ to: watchKeyOf(address, tag), address, tag, currency: jetton, units }];
  });
  return {
    txid: id,
    sender: account,
    claims: queryId === null ? [] : [`${account}#${numberOf(queryId)}`],
    payments,
    feeUnits,
  };
}

/** What the network took for a transaction and for the way of its messages. */
function costOf({ fees, sent }: ExecutedTransaction): bigint {
  return sent.reduce((sum, message) => sum + message.fees, fees);
}

/** The query id of an order to the highload wallet; null for other messages. */
function queryIdIn(body: Cell): bigint | null {
  const slice = body.beginParse();
  if (slice.remainingBits !== 512 || slice.remainingRefs !== 1) return null;
  const order = slice.loadRef().beginParse();
  if (order.remainingBits !== 32 + 8 + 23 + 64 + 22 || order.remainingRefs !== 1) return null;
  return order.skip(32 + 8).loadUintBig(23);
}
