import { Asset, StrKey } from "@stellar/stellar-sdk/base";
import type {
  ClaimableBalanceEntry,
  ClaimPredicate,
  LedgerEntry,
  OfferEntry,
  Asset as XdrAsset,
} from "@stellar/stellar-sdk/xdr";
import { sponsorOf, trustLineKey } from "./entries.ts";
import {
  type Answer,
  addressOf,
  assetIn,
  assetMembers,
  assetNamed,
  assetText,
  badRequest,
  decimal,
  found,
  isoTime,
  type Listed,
  notFound,
  pageOf,
  publicKeyOf,
} from "./horizon-answer.ts";
import type { Ledger } from "./ledger.ts";
import { isBetter } from "./order-book.ts";
import { walkAhead, walkBack } from "./path-payments.ts";

/** What Horizon says about offers, paths and claimable balances; null for other resources. */
export function answerMarket(ledger: Ledger, url: URL): Answer | null {
  const [resource = "", id = "", part = ""] = url.pathname.split("/").slice(2);
  if (resource === "offers" && id === "") return pageOf(listOffers(ledger, url), url);
  if (resource === "offers") return readOffer(ledger, id);
  if (resource === "accounts" && part === "offers") {
    const own = new URL(url);
    own.searchParams.set("seller", id);
    return pageOf(listOffers(ledger, own), url);
  }
  if (resource === "order_book") return readOrderBook(ledger, url.searchParams);
  if (resource === "claimable_balances")
    return id === "" ? pageOf(listBalances(ledger, url), url) : readBalance(ledger, id);
  if (resource === "paths" && id === "strict-send") return findAhead(ledger, url);
  return resource === "paths" && id === "strict-receive" ? findBack(ledger, url) : null;
}

function offersIn(ledger: Ledger): readonly { offer: OfferEntry; entry: LedgerEntry }[] {
  return ledger
    .entries()
    .flatMap((entry) => (entry.data.type === "offer" ? [{ entry, offer: entry.data.offer }] : []));
}

function listOffers(ledger: Ledger, { searchParams }: URL): readonly Listed[] {
  const seller = searchParams.get("seller");
  const [selling, buying] = [assetIn(searchParams, "selling_"), assetIn(searchParams, "buying_")];
  return offersIn(ledger)
    .filter(
      ({ offer }) =>
        (seller === null || addressOf(offer.sellerId) === seller) &&
        (selling === null || offer.selling.equals(selling)) &&
        (buying === null || offer.buying.equals(buying)),
    )
    .toSorted((one, other) => (one.offer.offerId < other.offer.offerId ? -1 : 1))
    .map(({ entry, offer }) => renderOffer(offer, entry));
}

function readOffer(ledger: Ledger, id: string): Answer {
  const known = offersIn(ledger).find(({ offer }) => String(offer.offerId) === id);
  return known === undefined ? notFound() : found(renderOffer(known.offer, known.entry));
}

function renderOffer(offer: OfferEntry, { lastModifiedLedgerSeq }: LedgerEntry) {
  const { offerId, sellerId, selling, buying, amount, price } = offer;
  return {
    id: String(offerId),
    paging_token: String(offerId),
    seller: addressOf(sellerId),
    selling: assetMembers(selling),
    buying: assetMembers(buying),
    amount: decimal(amount),
    price_r: { n: price.n, d: price.d },
    price: priceText(price),
    last_modified_ledger: lastModifiedLedgerSeq,
  };
}

export function priceText({ n, d }: { readonly n: number; readonly d: number }): string {
  return decimal((BigInt(n) * 10_000_000n + BigInt(d) / 2n) / BigInt(d));
}

/** Bids are offers of what the book buys. */
function readOrderBook(ledger: Ledger, query: URLSearchParams): Answer {
  const [selling, buying] = [assetIn(query, "selling_"), assetIn(query, "buying_")];
  if (selling === null) return badRequest("selling_asset_type");
  if (buying === null) return badRequest("buying_asset_type");
  const side = (sold: XdrAsset, bought: XdrAsset) =>
    offersIn(ledger)
      .map(({ offer }) => offer)
      .filter((offer) => offer.selling.equals(sold) && offer.buying.equals(bought))
      .toSorted((one, other) => (isBetter(one, other) ? -1 : 1));
  return found({
    bids: side(buying, selling).map(({ price, amount }) => {
      const inverse = { n: price.d, d: price.n };
      return { price_r: inverse, price: priceText(inverse), amount: decimal(amount) };
    }),
    asks: side(selling, buying).map(({ price, amount }) => ({
      price_r: { n: price.n, d: price.d },
      price: priceText(price),
      amount: decimal(amount),
    })),
    base: assetMembers(selling),
    counter: assetMembers(buying),
  });
}

function listBalances(ledger: Ledger, { searchParams }: URL): readonly Listed[] {
  const [claimant, asset, sponsor] = [
    searchParams.get("claimant"),
    searchParams.get("asset"),
    searchParams.get("sponsor"),
  ];
  return ledger.entries().flatMap((entry) => {
    if (entry.data.type !== "claimableBalance") return [];
    const rendered = renderBalance(entry.data.claimableBalance, entry);
    const isWanted =
      (claimant === null ||
        rendered.claimants.some(({ destination }) => destination === claimant)) &&
      (asset === null || rendered.asset === asset) &&
      (sponsor === null || rendered.sponsor === sponsor);
    return isWanted ? [rendered] : [];
  });
}

function readBalance(ledger: Ledger, id: string): Answer {
  const entry = ledger
    .entries()
    .find(
      ({ data }) =>
        data.type === "claimableBalance" && data.claimableBalance.balanceId.toXdr("hex") === id,
    );
  return entry?.data.type === "claimableBalance"
    ? found(renderBalance(entry.data.claimableBalance, entry))
    : notFound();
}

function renderBalance(balance: ClaimableBalanceEntry, entry: LedgerEntry) {
  const id = balance.balanceId.toXdr("hex");
  const sponsor = sponsorOf(entry);
  return {
    id,
    paging_token: `${entry.lastModifiedLedgerSeq}-${id}`,
    asset: assetText(balance.asset),
    amount: decimal(balance.amount),
    ...(sponsor === null ? {} : { sponsor: addressOf(sponsor) }),
    last_modified_ledger: entry.lastModifiedLedgerSeq,
    claimants: balance.claimants.map(({ v0 }) => ({
      destination: addressOf(v0.destination),
      predicate: renderPredicate(v0.predicate),
    })),
    flags: { clawback_enabled: false },
  };
}

export function renderPredicate(predicate: ClaimPredicate): object {
  switch (predicate.type) {
    case "claimPredicateUnconditional":
      return { unconditional: true };
    case "claimPredicateAnd":
      return { and: predicate.andPredicates.map(renderPredicate) };
    case "claimPredicateOr":
      return { or: predicate.orPredicates.map(renderPredicate) };
    case "claimPredicateNot": {
      const { notPredicate } = predicate;
      return { not: notPredicate === null ? {} : renderPredicate(notPredicate) };
    }
    case "claimPredicateBeforeAbsoluteTime": {
      const { absBefore } = predicate;
      return { abs_before: isoTime(absBefore), abs_before_epoch: String(absBefore) };
    }
    case "claimPredicateBeforeRelativeTime":
      return { rel_before: String(predicate.relBefore) };
  }
}

/** The assets that an account can hold, or those that a request lists. */
function assetsOf(ledger: Ledger, query: URLSearchParams, side: string): readonly XdrAsset[] {
  const listed = query.get(`${side}_assets`);
  const account = query.get(`${side}_account`) ?? "";
  const all = (listed?.split(",") ?? []).map(assetNamed);
  if (listed !== null) return all.filter((asset) => asset !== null);
  if (!StrKey.isValidEd25519PublicKey(account)) return [];
  const owner = publicKeyOf(account);
  return tradedAssets(ledger).filter((asset) => {
    const named = Asset.fromOperation(asset);
    return named.isNative() || ledger.entry(trustLineKey(owner, named)) !== null;
  });
}

/** Assets that are in the book, and the coin. */
function tradedAssets(ledger: Ledger): readonly XdrAsset[] {
  const all = offersIn(ledger).flatMap(({ offer }) => [offer.selling, offer.buying]);
  const named = new Map(all.map((asset) => [assetText(asset), asset]));
  return [...named.set("native", Asset.native().toXdrObject()).values()];
}

/** Routes with at most one asset in between. */
function routesBetween(ledger: Ledger, from: XdrAsset, to: XdrAsset): readonly XdrAsset[][] {
  const between = tradedAssets(ledger).filter((one) => !one.equals(from) && !one.equals(to));
  return [[from, to], ...between.map((one) => [from, one, to])];
}

type Route = {
  readonly assets: readonly XdrAsset[];
  readonly sent: bigint;
  readonly arrived: bigint;
};

function findAhead(ledger: Ledger, url: URL): Answer {
  const from = assetIn(url.searchParams, "source_");
  const amount = unitsIn(url.searchParams.get("source_amount"));
  if (from === null || amount === null) return badRequest("source_amount");
  const targets = assetsOf(ledger, url.searchParams, "destination");
  const books = () => ({ draft: ledger.scratch(), ledger: ledger.newest().sequence });
  const routes = targets.flatMap((to) =>
    routesBetween(ledger, from, to).flatMap((assets): readonly Route[] => {
      const walked = walkAhead(assets, amount, null, books());
      return typeof walked === "string" || walked.arrived === 0n ? [] : [{ ...walked, assets }];
    }),
  );
  return renderRoutes(routes.toSorted((one, other) => (one.arrived > other.arrived ? -1 : 1)));
}

function findBack(ledger: Ledger, url: URL): Answer {
  const to = assetIn(url.searchParams, "destination_");
  const amount = unitsIn(url.searchParams.get("destination_amount"));
  if (to === null || amount === null) return badRequest("destination_amount");
  const sources = assetsOf(ledger, url.searchParams, "source");
  const books = () => ({ draft: ledger.scratch(), ledger: ledger.newest().sequence });
  const routes = sources.flatMap((from) =>
    routesBetween(ledger, from, to).flatMap((assets): readonly Route[] => {
      const walked = walkBack(assets, amount, null, books());
      return typeof walked === "string" ? [] : [{ ...walked, assets }];
    }),
  );
  return renderRoutes(routes.toSorted((one, other) => (one.sent < other.sent ? -1 : 1)));
}

function renderRoutes(routes: readonly Route[]): Answer {
  const records = routes.flatMap(({ assets, sent, arrived }) => {
    const [from, to] = [assets[0], assets.at(-1)];
    if (from === undefined || to === undefined) return [];
    return [
      {
        ...assetMembers(from, "source_"),
        source_amount: decimal(sent),
        ...assetMembers(to, "destination_"),
        destination_amount: decimal(arrived),
        path: assets.slice(1, -1).map((asset) => assetMembers(asset)),
      },
    ];
  });
  return found({ _embedded: { records } });
}

function unitsIn(text: string | null): bigint | null {
  const [, whole = "", fraction = ""] = /^(\d{1,12})(?:\.(\d{1,7}))?$/.exec(text ?? "") ?? [];
  const units = whole === "" ? 0n : BigInt(whole + fraction.padEnd(7, "0"));
  return units > 0n ? units : null;
}
