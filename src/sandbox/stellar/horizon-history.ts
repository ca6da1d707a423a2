import { encodeMuxedAccountToAddress } from "@stellar/stellar-sdk/base";
import type {
  ClaimAtom,
  ManageOfferSuccessResult,
  MuxedAccount,
  Operation,
  OperationResultTr,
  PublicKey,
  Asset as XdrAsset,
} from "@stellar/stellar-sdk/xdr";
import { accountOf } from "./entries.ts";
import { networkId } from "./genesis.ts";
import {
  addressOf,
  assetMembers,
  assetText,
  decimal,
  isoTime,
  type Listed,
} from "./horizon-answer.ts";
import { priceText, renderPredicate } from "./horizon-market.ts";
import type { FoundTransaction } from "./ledger.ts";
import { readSigned } from "./transactions.ts";

/*
 * The operations of a transaction and their effects, as Horizon lists them.
 */

/** Operations by their number in the protocol. */
const operationTypes = [
  "createAccount",
  "payment",
  "pathPaymentStrictReceive",
  "manageSellOffer",
  "createPassiveSellOffer",
  "setOptions",
  "changeTrust",
  "allowTrust",
  "accountMerge",
  "inflation",
  "manageData",
  "bumpSequence",
  "manageBuyOffer",
  "pathPaymentStrictSend",
  "createClaimableBalance",
  "claimClaimableBalance",
  "beginSponsoringFutureReserves",
  "endSponsoringFutureReserves",
];

/** An operation where it was executed; `result` is null if it was not. */
export type Executed = {
  readonly id: bigint;
  readonly source: PublicKey;
  readonly body: Operation["body"];
  readonly result: OperationResultTr | null;
};

export function listOperations(found: FoundTransaction): readonly Listed[] {
  const { type } = found.result.result;
  return executedIn(found).map((executed) => {
    const { id, source, body } = executed;
    return {
      id: String(id),
      paging_token: String(id),
      transaction_hash: found.hash,
      transaction_successful: type === "txSuccess" || type === "txFeeBumpInnerSuccess",
      created_at: isoTime(found.ledger.closeTime),
      source_account: addressOf(source),
      type: snake(body.type),
      type_i: operationTypes.indexOf(body.type),
      ...detailsOf(executed),
    };
  });
}

export function executedIn({
  envelope,
  ledger,
  order,
  result,
}: FoundTransaction): readonly Executed[] {
  const signed = readSigned(envelope, networkId);
  const operations = signed?.transaction.operations ?? [];
  const { result: outcome } = result;
  const inner =
    outcome.type === "txFeeBumpInnerSuccess" || outcome.type === "txFeeBumpInnerFailed"
      ? outcome.innerResultPair.result.result
      : outcome;
  const results = inner.type === "txSuccess" || inner.type === "txFailed" ? inner.results : [];
  const place = (BigInt(ledger.sequence) << 32n) + (BigInt(order) << 12n);
  return operations.flatMap(({ sourceAccount, body }, index) => {
    if (signed === null) return [];
    const source = sourceAccount === null ? signed.source : accountOf(sourceAccount);
    const found = results[index];
    const tr = found?.type === "opInner" ? found.tr : null;
    return [{ id: place + BigInt(index + 1), source, body, result: tr }];
  });
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function receiver(to: MuxedAccount): Readonly<Record<string, string>> {
  const address = addressOf(accountOf(to));
  return to.type === "keyTypeEd25519"
    ? { to: address }
    : {
        to: address,
        to_muxed: encodeMuxedAccountToAddress(to),
        to_muxed_id: String(to.med25519.id),
      };
}

function detailsOf({ body, result, source }: Executed): object {
  const from = addressOf(source);
  if (body.type === "createAccount") {
    const { destination, startingBalance } = body.createAccountOp;
    const starting_balance = decimal(startingBalance);
    return { funder: from, account: addressOf(destination), starting_balance };
  }
  if (body.type === "payment") {
    const { asset, amount, destination } = body.paymentOp;
    return { from, ...receiver(destination), ...assetMembers(asset), amount: decimal(amount) };
  }
  if (body.type === "pathPaymentStrictSend") {
    const { sendAsset, sendAmount, destAsset, destMin, destination, path } =
      body.pathPaymentStrictSendOp;
    const arrived = arrivedBy(result) ?? 0n;
    return {
      from,
      ...receiver(destination),
      ...assetMembers(destAsset),
      amount: decimal(arrived),
      destination_min: decimal(destMin),
      source_amount: decimal(sendAmount),
      ...assetMembers(sendAsset, "source_"),
      path: path.map((asset) => assetMembers(asset)),
    };
  }
  if (body.type === "pathPaymentStrictReceive") {
    const { sendAsset, sendMax, destAsset, destAmount, destination, path } =
      body.pathPaymentStrictReceiveOp;
    return {
      from,
      ...receiver(destination),
      ...assetMembers(destAsset),
      amount: decimal(destAmount),
      source_max: decimal(sendMax),
      source_amount: decimal(sentBy(result, sendAsset, destAmount)),
      ...assetMembers(sendAsset, "source_"),
      path: path.map((asset) => assetMembers(asset)),
    };
  }
  if (body.type === "manageSellOffer") {
    const { amount, offerId, ...offer } = body.manageSellOfferOp;
    return { offer_id: String(offerId), amount: decimal(amount), ...offerMembers(offer) };
  }
  if (body.type === "createPassiveSellOffer") {
    const { amount, ...offer } = body.createPassiveSellOfferOp;
    return { amount: decimal(amount), ...offerMembers(offer) };
  }
  if (body.type === "manageBuyOffer") {
    const { buyAmount, offerId, ...offer } = body.manageBuyOfferOp;
    return { offer_id: String(offerId), amount: decimal(buyAmount), ...offerMembers(offer) };
  }
  if (body.type === "accountMerge")
    return { account: from, into: addressOf(accountOf(body.destination)) };
  if (body.type === "createClaimableBalance") {
    const { asset, amount, claimants } = body.createClaimableBalanceOp;
    return {
      asset: assetText(asset),
      amount: decimal(amount),
      claimants: claimants.map(({ v0 }) => ({
        destination: addressOf(v0.destination),
        predicate: renderPredicate(v0.predicate),
      })),
    };
  }
  if (body.type === "claimClaimableBalance")
    return { balance_id: body.claimClaimableBalanceOp.balanceId.toXdr("hex"), claimant: from };
  if (body.type === "manageData") return { name: body.manageDataOp.dataName.toString() };
  return {};
}

function offerMembers(offer: {
  readonly selling: XdrAsset;
  readonly buying: XdrAsset;
  readonly price: { readonly n: number; readonly d: number };
}): object {
  const { selling, buying, price } = offer;
  return {
    price: priceText(price),
    price_r: { n: price.n, d: price.d },
    ...assetMembers(buying, "buying_"),
    ...assetMembers(selling, "selling_"),
  };
}

export function arrivedBy(result: OperationResultTr | null): bigint | null {
  if (result?.type !== "pathPaymentStrictSend") return null;
  const { value } = result;
  return value.type === "pathPaymentStrictSendSuccess" ? value.success.last.amount : null;
}

/** What a path payment sent: what the first asset's offers got, or what arrived where no offer was taken. */
export function sentBy(result: OperationResultTr | null, asset: XdrAsset, arrived: bigint): bigint {
  const offers = claimedBy(result);
  const first = offers.filter(({ value }) => value.assetBought.equals(asset));
  return offers.length === 0
    ? arrived
    : first.reduce((sum, { value }) => sum + value.amountBought, 0n);
}

/** The offers that an operation took. */
export function claimedBy(result: OperationResultTr | null): readonly ClaimAtom[] {
  const taken = (value: ManageOfferSuccessResult): readonly ClaimAtom[] => value.offersClaimed;
  if (result?.type === "pathPaymentStrictSend")
    return result.value.type === "pathPaymentStrictSendSuccess" ? result.value.success.offers : [];
  if (result?.type === "pathPaymentStrictReceive")
    return result.value.type === "pathPaymentStrictReceiveSuccess"
      ? result.value.success.offers
      : [];
  if (result?.type === "manageSellOffer" || result?.type === "createPassiveSellOffer")
    return result.value.type === "manageSellOfferSuccess" ? taken(result.value.success) : [];
  if (result?.type === "manageBuyOffer")
    return result.value.type === "manageBuyOfferSuccess" ? taken(result.value.success) : [];
  return [];
}
