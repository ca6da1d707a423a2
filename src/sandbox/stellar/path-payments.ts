import { Asset } from "@stellar/stellar-sdk/base";
import {
  type ClaimAtom,
  type MuxedAccount,
  type PathPaymentStrictReceiveOp,
  PathPaymentStrictReceiveResult,
  PathPaymentStrictReceiveResultSuccess,
  type PathPaymentStrictSendOp,
  PathPaymentStrictSendResult,
  PathPaymentStrictSendResultSuccess,
  type PaymentOp,
  PaymentResult,
  type PublicKey,
  SimplePaymentResult,
  type Asset as XdrAsset,
} from "@stellar/stellar-sdk/xdr";
import { assert } from "../../platform/kernel/assert.ts";
import { accountOf } from "./entries.ts";
import { unitsMax } from "./exchange.ts";
import { addUnits, type Books, holdingOf, isIssuer } from "./holdings.ts";
import { type Converted, takeOffers } from "./order-book.ts";

type Fault =
  | "Malformed"
  | "Underfunded"
  | "SrcNoTrust"
  | "NoDestination"
  | "NoTrust"
  | "LineFull"
  | "TooFewOffers"
  | "OfferCrossSelf";

/** What moved: the offers that were taken in the order of the path, and what left and arrived. */
type Paid = {
  readonly offers: ClaimAtom[];
  readonly sent: bigint;
  readonly arrived: bigint;
};

type Route = {
  readonly source: PublicKey;
  readonly destination: PublicKey;
  /** From what is sent to what arrives. */
  readonly assets: readonly XdrAsset[];
};

/** A payment in one asset. */
export function pay(
  { destination, asset, amount }: PaymentOp,
  source: PublicKey,
  books: Books,
): PaymentResult {
  const route = { source, destination: accountOf(destination), assets: [asset, asset] };
  const isToItself = asset.type === "assetTypeNative" && route.destination.equals(source);
  if (amount > 0n && isToItself) return PaymentResult.paymentSuccess();
  const paid = receiveExactly(route, amount, books);
  if (typeof paid !== "string") return PaymentResult.paymentSuccess();
  assert(paid !== "TooFewOffers" && paid !== "OfferCrossSelf", "a payment that needs no market");
  assert(paid !== "OverSendmax", "a payment that sends what arrives");
  return PaymentResult[`payment${paid}`]();
}

/** Delivers an exact amount for at most another one. */
export function payStrictReceive(
  op: PathPaymentStrictReceiveOp,
  source: PublicKey,
  books: Books,
): PathPaymentStrictReceiveResult {
  const Result = PathPaymentStrictReceiveResult;
  const { sendAsset, sendMax, path, destAsset, destAmount } = op;
  const route = routeOf(source, op.destination, [sendAsset, ...path, destAsset]);
  if (sendMax <= 0n) return Result.pathPaymentStrictReceiveMalformed();
  const paid = receiveExactly(route, destAmount, books, sendMax);
  if (typeof paid === "string") return Result[`pathPaymentStrictReceive${paid}`]();
  const { destination } = route;
  const last = new SimplePaymentResult({ destination, asset: destAsset, amount: destAmount });
  const success = new PathPaymentStrictReceiveResultSuccess({ offers: paid.offers, last });
  return Result.pathPaymentStrictReceiveSuccess(success);
}

/** Sends an exact amount, of which at least another one arrives. */
export function payStrictSend(
  op: PathPaymentStrictSendOp,
  source: PublicKey,
  books: Books,
): PathPaymentStrictSendResult {
  const Result = PathPaymentStrictSendResult;
  const { sendAsset, sendAmount, path, destAsset, destMin } = op;
  const route = routeOf(source, op.destination, [sendAsset, ...path, destAsset]);
  if (destMin <= 0n) return Result.pathPaymentStrictSendMalformed();
  const paid = sendExactly(route, sendAmount, destMin, books);
  if (typeof paid === "string") return Result[`pathPaymentStrictSend${paid}`]();
  const { destination } = route;
  const last = new SimplePaymentResult({ destination, asset: destAsset, amount: paid.arrived });
  const success = new PathPaymentStrictSendResultSuccess({ offers: paid.offers, last });
  return Result.pathPaymentStrictSendSuccess(success);
}

function routeOf(source: PublicKey, destination: MuxedAccount, assets: readonly XdrAsset[]): Route {
  return { source, destination: accountOf(destination), assets };
}

/** Walks from the destination back to the source, as the network does: its checks come in that order. */
function receiveExactly(
  route: Route,
  amount: bigint,
  books: Books,
  sendMax = unitsMax,
): Paid | Fault | "OverSendmax" {
  const { source, assets } = route;
  if (amount <= 0n) return "Malformed";
  const refused = arrivalFault(route, books) ?? arrive(route, amount, books);
  if (refused !== null) return refused;
  const walked = walkBack(assets, amount, source, books);
  if (typeof walked === "string") return walked;
  const { offers, sent } = walked;
  if (sent > sendMax) return "OverSendmax";
  return leave(route, sent, books) ?? { offers, sent, arrived: amount };
}

function sendExactly(
  route: Route,
  amount: bigint,
  destMin: bigint,
  books: Books,
): Paid | Fault | "UnderDestmin" {
  const { source, assets } = route;
  if (amount <= 0n) return "Malformed";
  const refused = arrivalFault(route, books) ?? leave(route, amount, books);
  if (refused !== null) return refused;
  const walked = walkAhead(assets, amount, source, books);
  if (typeof walked === "string") return walked;
  const { offers, arrived } = walked;
  if (arrived < destMin) return "UnderDestmin";
  return arrive(route, arrived, books) ?? { offers, sent: amount, arrived };
}

/** Takes the offers that turn the first asset into an exact amount of the last one. The source takes none of its own. */
export function walkBack(
  assets: readonly XdrAsset[],
  amount: bigint,
  source: PublicKey | null,
  books: Books,
): Paid | Fault {
  let wanted = amount;
  let offers: ClaimAtom[] = [];
  for (let at = assets.length - 1; at > 0; at -= 1) {
    const hop = hopAt(assets, at);
    if (hop === null) continue;
    const limits = { sheepMax: unitsMax, wheatMax: wanted, rounding: "strictReceive" } as const;
    const taken = takeAlong({ ...hop, ...limits }, source, offers.length, books);
    const fault = faultOf(taken) ?? (taken.wheatReceived === wanted ? null : "TooFewOffers");
    if (fault !== null) return fault;
    wanted = taken.sheepSent;
    offers = [...taken.claimed, ...offers];
  }
  return { offers, sent: wanted, arrived: amount };
}

/** Takes the offers that turn an exact amount of the first asset into the last one. */
export function walkAhead(
  assets: readonly XdrAsset[],
  amount: bigint,
  source: PublicKey | null,
  books: Books,
): Paid | Fault {
  let held = amount;
  const offers: ClaimAtom[] = [];
  for (let at = 1; at < assets.length; at += 1) {
    const hop = hopAt(assets, at);
    if (hop === null) continue;
    const limits = { sheepMax: held, wheatMax: unitsMax, rounding: "strictSend" } as const;
    const taken = takeAlong({ ...hop, ...limits }, source, offers.length, books);
    const fault = faultOf(taken) ?? (taken.sheepSent === held ? null : "TooFewOffers");
    if (fault !== null) return fault;
    held = taken.wheatReceived;
    offers.push(...taken.claimed);
  }
  return { offers, sent: amount, arrived: held };
}

/** The exchange before an asset of the route; null where the asset stays the same. */
function hopAt(assets: readonly XdrAsset[], at: number) {
  const [sheep, wheat] = [assets[at - 1], assets[at]];
  return sheep === undefined || wheat === undefined || sheep.equals(wheat)
    ? null
    : { sheep, wheat };
}

function takeAlong(
  exchange: Omit<Parameters<typeof takeOffers>[0], "stop" | "takenBefore">,
  source: PublicKey | null,
  takenBefore: number,
  books: Books,
): Converted {
  const stop = ({ sellerId }: { readonly sellerId: PublicKey }) =>
    source !== null && sellerId.equals(source) ? ("crossSelf" as const) : null;
  return takeOffers({ ...exchange, stop, takenBefore }, books);
}

function faultOf({ end }: Converted): Fault | null {
  if (end === "crossSelf") return "OfferCrossSelf";
  return end === "done" ? null : "TooFewOffers";
}

/** A token always goes back to its issuer, even if that has no account any more. */
function arrivalFault({ destination, assets }: Route, { draft }: Books): Fault | null {
  const [sent, arriving] = [assets[0], assets.at(-1)];
  const isReturned =
    assets.length === 2 &&
    sent !== undefined &&
    arriving?.equals(sent) === true &&
    isIssuer(destination, Asset.fromOperation(sent));
  return isReturned || draft.account(destination) !== null ? null : "NoDestination";
}

function arrive({ destination, assets }: Route, amount: bigint, books: Books): Fault | null {
  const asset = assets.at(-1);
  const holding = asset === undefined ? null : holdingOf(destination, asset, books);
  if (asset === undefined || holding === null) return "NoTrust";
  if (amount > holding.receivable) return "LineFull";
  addUnits(destination, asset, amount, books);
  return null;
}

function leave({ source, assets }: Route, amount: bigint, books: Books): Fault | null {
  const [asset] = assets;
  const holding = asset === undefined ? null : holdingOf(source, asset, books);
  if (asset === undefined || holding === null) return "SrcNoTrust";
  if (amount > holding.sendable) return "Underfunded";
  addUnits(source, asset, -amount, books);
  return null;
}
