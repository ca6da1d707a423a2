import {
  type CreatePassiveSellOfferOp,
  type ManageBuyOfferOp,
  ManageBuyOfferResult,
  ManageOfferSuccessResult,
  ManageOfferSuccessResultOffer,
  type ManageSellOfferOp,
  ManageSellOfferResult,
  OfferEntry,
  OfferEntryExt,
  type PublicKey,
  type Asset as XdrAsset,
  Price as XdrPrice,
} from "@stellar/stellar-sdk/xdr";
import { present } from "../../platform/kernel/assert.ts";
import { baseReserve, offerKey, spendableOf } from "./entries.ts";
import { adjustedAmount, comparePrices, least, liabilitiesAt, type Price } from "./exchange.ts";
import { addUnits, type Books, holdingOf } from "./holdings.ts";
import {
  type Converted,
  countEntries,
  putOffer,
  releaseLiabilities,
  takeOffers,
} from "./order-book.ts";

const passiveFlag = 1;

type Fault =
  | "Malformed"
  | "SellNoTrust"
  | "BuyNoTrust"
  | "LineFull"
  | "Underfunded"
  | "CrossSelf"
  | "NotFound"
  | "LowReserve";

type Outcome = Fault | ManageOfferSuccessResult;

/** An offer as its operation states it: it sells sheep for wheat, since it takes offers of wheat first. */
type Wanted = {
  readonly sheep: XdrAsset;
  readonly wheat: XdrAsset;
  /** Wheat for a unit of sheep. */
  readonly price: Price;
  readonly limit: { readonly sells: bigint } | { readonly buys: bigint };
  /** 0: a new one. */
  readonly offerId: bigint;
  readonly isPassive: boolean;
};

/** Creates, changes or removes an offer that states what it sells. */
export function manageSellOffer(
  { selling, buying, amount, price, offerId }: ManageSellOfferOp,
  source: PublicKey,
  books: Books,
): ManageSellOfferResult {
  const limit = { sells: amount };
  const wanted = { sheep: selling, wheat: buying, price, limit, offerId, isPassive: false };
  return sellResult(manageOffer(wanted, source, books));
}

/** As `manageSellOffer`, but it takes no offer at its own price. */
export function createPassiveSellOffer(
  { selling, buying, amount, price }: CreatePassiveSellOfferOp,
  source: PublicKey,
  books: Books,
): ManageSellOfferResult {
  const limit = { sells: amount };
  const wanted = { sheep: selling, wheat: buying, price, limit, offerId: 0n, isPassive: true };
  return sellResult(manageOffer(wanted, source, books));
}

/** Creates, changes or removes an offer that states what it buys, with a price in what it sells. */
export function manageBuyOffer(
  { selling, buying, buyAmount, price, offerId }: ManageBuyOfferOp,
  source: PublicKey,
  books: Books,
): ManageBuyOfferResult {
  const outcome = manageOffer(
    {
      sheep: selling,
      wheat: buying,
      price: inverted(price),
      limit: { buys: buyAmount },
      offerId,
      isPassive: false,
    },
    source,
    books,
  );
  return typeof outcome === "string"
    ? ManageBuyOfferResult[`manageBuyOffer${outcome}`]()
    : ManageBuyOfferResult.manageBuyOfferSuccess(outcome);
}

function sellResult(outcome: Outcome): ManageSellOfferResult {
  return typeof outcome === "string"
    ? ManageSellOfferResult[`manageSellOffer${outcome}`]()
    : ManageSellOfferResult.manageSellOfferSuccess(outcome);
}

function manageOffer(wanted: Wanted, source: PublicKey, books: Books): Outcome {
  const { offerId, isPassive } = wanted;
  const isDeleted = statedAmount(wanted) === 0n;
  if (isMalformed(wanted)) return "Malformed";
  const untrusted = isDeleted ? null : trustFault(wanted, source, books);
  if (untrusted !== null) return untrusted;
  const old = offerId === 0n ? null : findOffer(source, offerId, books);
  if (offerId !== 0n && old === null) return "NotFound";
  if (old !== null) {
    releaseLiabilities(old, books);
    books.draft.remove(offerKey(source, offerId));
  } else {
    // The entry's reserve is set aside before anything is taken from the book.
    const account = present(books.draft.account(source), "the source account");
    if (spendableOf(account) < baseReserve) return "LowReserve";
    countEntries(source, 1, books);
  }
  const flags = old?.flags ?? (isPassive ? passiveFlag : 0);
  if (isDeleted) return withoutOffer([], source, books);
  const fault = limitFault(wanted, source, books);
  if (fault !== null) return fault;
  const taken = takeWithin(wanted, (flags & passiveFlag) !== 0, source, books);
  if (taken.end === "crossSelf") return "CrossSelf";
  addUnits(source, wanted.wheat, taken.wheatReceived, books);
  addUnits(source, wanted.sheep, -taken.sheepSent, books);
  const amount = taken.end === "done" ? 0n : amountLeft(wanted, taken, source, books);
  if (amount === 0n) return withoutOffer(taken.claimed, source, books);
  const offer = new OfferEntry({
    sellerId: source,
    offerId: old === null ? books.draft.newId() : offerId,
    selling: wanted.sheep,
    buying: wanted.wheat,
    amount,
    price: new XdrPrice(wanted.price),
    flags,
    ext: OfferEntryExt.v0(),
  });
  putOffer(offer, books);
  const effect =
    old === null
      ? ManageOfferSuccessResultOffer.manageOfferCreated(offer)
      : ManageOfferSuccessResultOffer.manageOfferUpdated(offer);
  return new ManageOfferSuccessResult({ offersClaimed: [...taken.claimed], offer: effect });
}

function isMalformed(wanted: Wanted): boolean {
  const { sheep, wheat, price, offerId } = wanted;
  const amount = statedAmount(wanted);
  const isNothing = amount === 0n && offerId === 0n;
  return (
    sheep.equals(wheat) || amount < 0n || price.n <= 0 || price.d <= 0 || offerId < 0n || isNothing
  );
}

function statedAmount({ limit }: Wanted): bigint {
  return "sells" in limit ? limit.sells : limit.buys;
}

function inverted({ n, d }: Price): Price {
  return { n: d, d: n };
}

function trustFault({ sheep, wheat }: Wanted, source: PublicKey, books: Books): Fault | null {
  const sold = holdingOf(source, sheep, books);
  if (sold === null) return "SellNoTrust";
  if (sheep.type !== "assetTypeNative" && sold.balance === 0n) return "Underfunded";
  return holdingOf(source, wheat, books) === null ? "BuyNoTrust" : null;
}

function findOffer(source: PublicKey, offerId: bigint, { draft }: Books): OfferEntry | null {
  const data = draft.get(offerKey(source, offerId))?.data;
  return data?.type === "offer" ? data.offer : null;
}

/** The whole offer must fit into what its seller has and can receive. */
function limitFault(wanted: Wanted, source: PublicKey, books: Books): Fault | null {
  const { sheep, wheat } = holdingsFor(wanted, source, books);
  const owed = liabilitiesAt(wanted.price, wanted.limit);
  if (wheat.receivable < owed.buying) return "LineFull";
  if (sheep.sendable < owed.selling) return "Underfunded";
  return wheat.receivable <= 0n ? "LineFull" : null;
}

function holdingsFor({ sheep, wheat }: Wanted, source: PublicKey, books: Books) {
  return {
    sheep: present(holdingOf(source, sheep, books), "a holding"),
    wheat: present(holdingOf(source, wheat, books), "a holding"),
  };
}

function takeWithin(
  wanted: Wanted,
  isPassive: boolean,
  source: PublicKey,
  books: Books,
): Converted {
  const { sheepMax, wheatMax } = bounds(wanted, source, books);
  const dearest = inverted(wanted.price);
  return takeOffers(
    {
      sheep: wanted.sheep,
      wheat: wanted.wheat,
      sheepMax,
      wheatMax,
      rounding: "offer",
      takenBefore: 0,
      stop: ({ price, sellerId }) => {
        const order = comparePrices(price, dearest);
        if (order > 0 || (isPassive && order === 0)) return "badPrice";
        return sellerId.equals(source) ? "crossSelf" : null;
      },
    },
    books,
  );
}

/** What is still to be sent and received, within what the seller has and can receive. */
function bounds(
  wanted: Wanted,
  source: PublicKey,
  books: Books,
  taken: Pick<Converted, "sheepSent" | "wheatReceived"> = { sheepSent: 0n, wheatReceived: 0n },
): { readonly sheepMax: bigint; readonly wheatMax: bigint } {
  const { sheep, wheat } = holdingsFor(wanted, source, books);
  const { limit } = wanted;
  return "sells" in limit
    ? { sheepMax: least(limit.sells - taken.sheepSent, sheep.sendable), wheatMax: wheat.receivable }
    : {
        sheepMax: sheep.sendable,
        wheatMax: least(limit.buys - taken.wheatReceived, wheat.receivable),
      };
}

function amountLeft(wanted: Wanted, taken: Converted, source: PublicKey, books: Books): bigint {
  const { sheepMax, wheatMax } = bounds(wanted, source, books, taken);
  return sheepMax <= 0n ? 0n : adjustedAmount(wanted.price, sheepMax, wheatMax);
}

/** The operation leaves no offer, and gives the reserve back. */
function withoutOffer(
  claimed: Converted["claimed"],
  source: PublicKey,
  books: Books,
): ManageOfferSuccessResult {
  countEntries(source, -1, books);
  const offer = ManageOfferSuccessResultOffer.manageOfferDeleted();
  return new ManageOfferSuccessResult({ offersClaimed: [...claimed], offer });
}
