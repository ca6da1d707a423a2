import {
  ClaimAtom,
  ClaimOfferAtom,
  LedgerEntryData,
  OfferEntry,
  type PublicKey,
  type Asset as XdrAsset,
} from "@stellar/stellar-sdk/xdr";
import { present } from "../../platform/kernel/assert.ts";
import { changedAccount, entryOf, offerKey } from "./entries.ts";
import {
  adjustedAmount,
  comparePrices,
  exchange,
  least,
  liabilitiesAt,
  type Rounding,
} from "./exchange.ts";
import { addLiabilities, addUnits, type Books, holdingOf } from "./holdings.ts";

/*
 * Offers in the book and what takes them. An offer sells wheat for sheep, as `exchange.ts` names them; who takes it sends sheep.
 */

export type Conversion = {
  readonly sheep: XdrAsset;
  readonly sheepMax: bigint;
  readonly wheat: XdrAsset;
  readonly wheatMax: bigint;
  readonly rounding: Rounding;
  /** Why the best offer is not taken; null: it is. */
  readonly stop: (offer: OfferEntry) => "badPrice" | "crossSelf" | null;
  /** How many offers the operation took before, on an earlier part of its path. */
  readonly takenBefore: number;
};

export type Converted = {
  /** `partial`: the book had too little. */
  readonly end: "done" | "partial" | "badPrice" | "crossSelf";
  readonly sheepSent: bigint;
  readonly wheatReceived: bigint;
  /** What each offer gave and got. */
  readonly claimed: readonly ClaimAtom[];
};

/** An operation needs more offers than one may take. */
export class TooManyOffers extends Error {
  override readonly name = "TooManyOffers";
}

const offersMax = 1_000;

/** Takes the best offers, each at its own price. What the taker sends and receives is not booked here. Throws `TooManyOffers`. */
export function takeOffers(conversion: Conversion, books: Books): Converted {
  const { sheep, wheat, sheepMax, wheatMax, rounding, stop, takenBefore } = conversion;
  const claimed: ClaimAtom[] = [];
  let [sheepSent, wheatReceived] = [0n, 0n];
  const end = (reason: Converted["end"]): Converted => ({
    end: reason,
    sheepSent,
    wheatReceived,
    claimed,
  });
  while (sheepSent < sheepMax && wheatReceived < wheatMax) {
    const offer = bestOffer(sheep, wheat, books);
    if (offer === null) return end("partial");
    const reason = stop(offer);
    if (reason !== null) return end(reason);
    if (takenBefore + claimed.length >= offersMax) throw new TooManyOffers();
    const most = { sheep: sheepMax - sheepSent, wheat: wheatMax - wheatReceived };
    const taken = takeOffer(offer, most, rounding, books);
    claimed.push(taken.claim);
    sheepSent += taken.sheep;
    wheatReceived += taken.wheat;
    if (taken.wheatStays) return end("done");
  }
  return end("done");
}

/** The cheapest offer of wheat for sheep; of two at one price, the older one. */
function bestOffer(sheep: XdrAsset, wheat: XdrAsset, { draft }: Books): OfferEntry | null {
  let best: OfferEntry | null = null;
  for (const offer of draft.offers())
    if (offer.selling.equals(wheat) && offer.buying.equals(sheep))
      best = best === null || isBetter(offer, best) ? offer : best;
  return best;
}

export function isBetter(offer: OfferEntry, other: OfferEntry): boolean {
  const order = comparePrices(offer.price, other.price);
  return order === 0 ? offer.offerId < other.offerId : order < 0;
}

function takeOffer(
  offer: OfferEntry,
  most: { readonly sheep: bigint; readonly wheat: bigint },
  rounding: Rounding,
  books: Books,
) {
  const { sellerId, offerId, price, selling, buying } = offer;
  releaseLiabilities(offer, books);
  const limits = {
    wheatSend: amountWithin(offer, books),
    wheatReceive: most.wheat,
    sheepSend: most.sheep,
    sheepReceive: present(holdingOf(sellerId, buying, books), "a holding").receivable,
  };
  const { sheep, wheat, wheatStays } = exchange(price, limits, rounding);
  addUnits(sellerId, buying, sheep, books);
  addUnits(sellerId, selling, -wheat, books);
  const left = wheatStays ? withAmount(offer, offer.amount - wheat) : null;
  const amount = left === null ? 0n : amountWithin(left, books);
  if (amount === 0n) removeOffer(offer, books);
  else putOffer(withAmount(offer, amount), books);
  const claim = ClaimAtom.claimAtomTypeOrderBook(
    new ClaimOfferAtom({
      sellerId,
      offerId,
      assetSold: selling,
      amountSold: wheat,
      assetBought: buying,
      amountBought: sheep,
    }),
  );
  return { sheep, wheat, wheatStays, claim };
}

/** As much of the offer as its seller has and can be paid for. */
function amountWithin({ sellerId, selling, buying, amount, price }: OfferEntry, books: Books) {
  const sold = present(holdingOf(sellerId, selling, books), "a holding");
  const bought = present(holdingOf(sellerId, buying, books), "a holding");
  const sendable = sold.sendable > 0n ? sold.sendable : 0n;
  return adjustedAmount(price, least(amount, sendable), bought.receivable);
}

/** Writes an offer into the book, with what its seller owes for it. */
export function putOffer(offer: OfferEntry, books: Books): void {
  const { draft, ledger } = books;
  draft.put(entryOf(LedgerEntryData.offer(offer), ledger));
  addOwed(offer, 1n, books);
}

/** Ends what the seller owes for an offer. */
export function releaseLiabilities(offer: OfferEntry, books: Books): void {
  addOwed(offer, -1n, books);
}

function addOwed(
  { sellerId, selling, buying, price, amount }: OfferEntry,
  sign: 1n | -1n,
  books: Books,
) {
  const owed = liabilitiesAt(price, { sells: amount });
  addLiabilities(sellerId, selling, { buying: 0n, selling: sign * owed.selling }, books);
  addLiabilities(sellerId, buying, { buying: sign * owed.buying, selling: 0n }, books);
}

/** Takes an offer whose liabilities are released out of the book, with the reserve that it needed. */
function removeOffer({ sellerId, offerId }: OfferEntry, { draft, ledger }: Books): void {
  draft.remove(offerKey(sellerId, offerId));
  countEntries(sellerId, -1, { draft, ledger });
}

export function countEntries(owner: PublicKey, more: number, { draft, ledger }: Books): void {
  const account = present(draft.account(owner), "an account");
  draft.put(changedAccount(account, { numSubEntries: account.numSubEntries + more }, ledger));
}

function withAmount(offer: OfferEntry, amount: bigint): OfferEntry {
  const { sellerId, offerId, selling, buying, price, flags, ext } = offer;
  return new OfferEntry({ sellerId, offerId, selling, buying, price, flags, ext, amount });
}
