import { createHash } from "node:crypto";
import {
  ClaimableBalanceEntry,
  ClaimableBalanceEntryExt,
  ClaimableBalanceId,
  Claimant,
  ClaimantV0,
  type ClaimClaimableBalanceOp,
  ClaimClaimableBalanceResult,
  ClaimPredicate,
  type CreateClaimableBalanceOp,
  CreateClaimableBalanceResult,
  HashIdPreimage,
  HashIdPreimageOperationId,
  LedgerEntryData,
  type PublicKey,
} from "@stellar/stellar-sdk/xdr";
import { claimableBalanceKey, entryOf, sponsoredBy } from "./entries.ts";
import { unitsMax } from "./exchange.ts";
import { addUnits, type Books, holdingOf } from "./holdings.ts";
import { keepReserve, releaseSponsor, type Sponsors, sponsorFor } from "./sponsorship.ts";

/*
 * Claimable balances (CAP-23): money that has left its sender and is nobody's until one of those it names takes it.
 */

/** An operation's place: which transaction of which account it is in, and at which index. */
export type OperationPlace = {
  readonly source: PublicKey;
  readonly sequence: bigint;
  readonly index: number;
};

type Place = Books & {
  readonly closeTime: bigint;
  readonly sponsors: Sponsors;
  readonly id: OperationPlace;
};

const predicateDepthMax = 4;

/** Takes an amount from an account and lets others claim it; the account keeps a reserve for each of them. */
export function createClaimableBalance(
  { asset, amount, claimants }: CreateClaimableBalanceOp,
  source: PublicKey,
  place: Place,
): CreateClaimableBalanceResult {
  const Result = CreateClaimableBalanceResult;
  const named = claimants.map(({ v0 }) => v0);
  const isEachOnce = new Set(named.map(({ destination }) => destination.toXdr("hex"))).size;
  const isWell =
    amount > 0n &&
    named.length > 0 &&
    isEachOnce === named.length &&
    named.every(({ predicate }) => isPossible(predicate, 1));
  if (!isWell) return Result.createClaimableBalanceMalformed();
  const holding = holdingOf(source, asset, place);
  if (holding === null) return Result.createClaimableBalanceNoTrust();
  if (amount > holding.sendable) return Result.createClaimableBalanceUnderfunded();
  addUnits(source, asset, -amount, place);
  const sponsor = sponsorFor(source, place) ?? source;
  if (!keepReserve(sponsor, named.length, place)) return Result.createClaimableBalanceLowReserve();
  const balanceId = balanceIdAt(place.id);
  const entry = new ClaimableBalanceEntry({
    balanceId,
    claimants: named.map(({ destination, predicate }) =>
      Claimant.claimantTypeV0(
        new ClaimantV0({ destination, predicate: absolute(predicate, place.closeTime) }),
      ),
    ),
    asset,
    amount,
    ext: ClaimableBalanceEntryExt.v0(),
  });
  const { draft, ledger } = place;
  draft.put(sponsoredBy(entryOf(LedgerEntryData.claimableBalance(entry), ledger), sponsor));
  return Result.createClaimableBalanceSuccess(balanceId);
}

/** Gives a balance to one of those that it names, if its predicate allows it now. */
export function claimClaimableBalance(
  { balanceId }: ClaimClaimableBalanceOp,
  source: PublicKey,
  place: Place,
): ClaimClaimableBalanceResult {
  const Result = ClaimClaimableBalanceResult;
  const key = claimableBalanceKey(balanceId);
  const data = place.draft.get(key)?.data;
  if (data?.type !== "claimableBalance") return Result.claimClaimableBalanceDoesNotExist();
  const { asset, amount, claimants } = data.claimableBalance;
  const own = claimants.find(({ v0 }) => v0.destination.equals(source));
  if (own === undefined || !isMet(own.v0.predicate, place.closeTime))
    return Result.claimClaimableBalanceCannotClaim();
  const holding = holdingOf(source, asset, place);
  if (holding === null) return Result.claimClaimableBalanceNoTrust();
  if (amount > holding.receivable) return Result.claimClaimableBalanceLineFull();
  addUnits(source, asset, amount, place);
  releaseSponsor(key, claimants.length, place);
  place.draft.remove(key);
  return Result.claimClaimableBalanceSuccess();
}

/** A balance is named after the operation that creates it. */
function balanceIdAt({ source, sequence, index }: OperationPlace): ClaimableBalanceId {
  const operation = new HashIdPreimageOperationId({
    sourceAccount: source,
    seqNum: sequence,
    opNum: index,
  });
  const preimage = HashIdPreimage.envelopeTypeOpId(operation).toXdr();
  const hash = createHash("sha256").update(preimage).digest();
  return ClaimableBalanceId.claimableBalanceIdTypeV0(hash);
}

function isPossible(predicate: ClaimPredicate, depth: number): boolean {
  if (depth > predicateDepthMax) return false;
  const areBoth = (parts: readonly ClaimPredicate[]): boolean =>
    parts.length === 2 && parts.every((part) => isPossible(part, depth + 1));
  switch (predicate.type) {
    case "claimPredicateUnconditional":
      return true;
    case "claimPredicateAnd":
      return areBoth(predicate.andPredicates);
    case "claimPredicateOr":
      return areBoth(predicate.orPredicates);
    case "claimPredicateNot":
      return predicate.notPredicate !== null && isPossible(predicate.notPredicate, depth + 1);
    case "claimPredicateBeforeAbsoluteTime":
      return predicate.absBefore >= 0n;
    case "claimPredicateBeforeRelativeTime":
      return predicate.relBefore >= 0n;
  }
}

/** The predicate with the moments that follow from the time at which its balance was created. */
function absolute(predicate: ClaimPredicate, closeTime: bigint): ClaimPredicate {
  const each = (parts: readonly ClaimPredicate[]): ClaimPredicate[] =>
    parts.map((part) => absolute(part, closeTime));
  switch (predicate.type) {
    case "claimPredicateUnconditional":
    case "claimPredicateBeforeAbsoluteTime":
      return predicate;
    case "claimPredicateAnd":
      return ClaimPredicate.claimPredicateAnd(each(predicate.andPredicates));
    case "claimPredicateOr":
      return ClaimPredicate.claimPredicateOr(each(predicate.orPredicates));
    case "claimPredicateNot": {
      const { notPredicate } = predicate;
      const inner = notPredicate === null ? null : absolute(notPredicate, closeTime);
      return ClaimPredicate.claimPredicateNot(inner);
    }
    case "claimPredicateBeforeRelativeTime": {
      const moment = closeTime + predicate.relBefore;
      return ClaimPredicate.claimPredicateBeforeAbsoluteTime(moment > unitsMax ? unitsMax : moment);
    }
  }
}

function isMet(predicate: ClaimPredicate, closeTime: bigint): boolean {
  switch (predicate.type) {
    case "claimPredicateUnconditional":
      return true;
    case "claimPredicateAnd":
      return predicate.andPredicates.every((part) => isMet(part, closeTime));
    case "claimPredicateOr":
      return predicate.orPredicates.some((part) => isMet(part, closeTime));
    case "claimPredicateNot":
      return predicate.notPredicate === null || !isMet(predicate.notPredicate, closeTime);
    case "claimPredicateBeforeAbsoluteTime":
      return closeTime < predicate.absBefore;
    case "claimPredicateBeforeRelativeTime":
      throw new RangeError("a stored balance has absolute times");
  }
}
