import { Asset } from "@stellar/stellar-sdk/base";
import {
  type AccountEntry,
  AccountMergeResult,
  type BumpSequenceOp,
  BumpSequenceResult,
  type ChangeTrustOp,
  ChangeTrustResult,
  DataEntry,
  DataEntryExt,
  LedgerEntryData,
  LedgerKey,
  LedgerKeyData,
  type ManageDataOp,
  ManageDataResult,
  type Operation,
  OperationResult,
  OperationResultTr,
  type PublicKey,
  Asset as XdrAsset,
} from "@stellar/stellar-sdk/xdr";
import {
  claimClaimableBalance,
  createClaimableBalance,
  type OperationPlace,
} from "./claimable-balances.ts";
import {
  accountKey,
  accountOf,
  baseReserve,
  changedAccount,
  changedTrustLine,
  entryOf,
  liabilitiesOf,
  newTrustLine,
  spendableOf,
  sponsorshipOf,
  trustLineKey,
} from "./entries.ts";
import { isIssuer, issuerOf } from "./holdings.ts";
import { createPassiveSellOffer, manageBuyOffer, manageSellOffer } from "./offers.ts";
import { TooManyOffers } from "./order-book.ts";
import { pay, payStrictReceive, payStrictSend } from "./path-payments.ts";
import {
  accountEntries,
  beginSponsoring,
  createAccount,
  endSponsoring,
  firstSequence,
  releaseSponsor,
  type Sponsors,
} from "./sponsorship.ts";
import type { Draft } from "./state.ts";

/** Where an operation is executed. */
export type Place = {
  readonly draft: Draft;
  readonly ledger: number;
  /** Of the ledger, in seconds since 1970. */
  readonly closeTime: bigint;
  readonly sponsors: Sponsors;
  /** In the transaction, whose source executes operations that name no other account. */
  readonly id: OperationPlace;
};

/** Executes one operation in the draft; if it fails, the caller throws the draft away. */
export function executeOperation(
  { sourceAccount, body }: Operation,
  place: Place,
): OperationResult {
  const source = sourceAccount === null ? place.id.source : accountOf(sourceAccount);
  if (place.draft.account(source) === null) return OperationResult.opNoAccount();
  try {
    const result = marketResult(body, source, place) ?? accountResult(body, source, place);
    return result === null ? OperationResult.opNotSupported() : OperationResult.opInner(result);
  } catch (error) {
    if (error instanceof TooManyOffers) return OperationResult.opExceededWorkLimit();
    throw error;
  }
}

/** Whether an operation's result is a success: its code is 0. */
export function hasSucceeded(result: OperationResult): boolean {
  if (result.type !== "opInner") return false;
  const { value } = result.tr;
  return value.type.endsWith("Success");
}

type Body = Operation["body"];

/** Payments, offers, and balances to claim; null for other operations. */
function marketResult(body: Body, source: PublicKey, place: Place): OperationResultTr | null {
  const Result = OperationResultTr;
  if (body.type === "payment") return Result.payment(pay(body.paymentOp, source, place));
  if (body.type === "pathPaymentStrictSend")
    return Result.pathPaymentStrictSend(payStrictSend(body.pathPaymentStrictSendOp, source, place));
  if (body.type === "pathPaymentStrictReceive")
    return Result.pathPaymentStrictReceive(
      payStrictReceive(body.pathPaymentStrictReceiveOp, source, place),
    );
  if (body.type === "manageSellOffer")
    return Result.manageSellOffer(manageSellOffer(body.manageSellOfferOp, source, place));
  if (body.type === "createPassiveSellOffer")
    return Result.createPassiveSellOffer(
      createPassiveSellOffer(body.createPassiveSellOfferOp, source, place),
    );
  if (body.type === "manageBuyOffer")
    return Result.manageBuyOffer(manageBuyOffer(body.manageBuyOfferOp, source, place));
  if (body.type === "createClaimableBalance")
    return Result.createClaimableBalance(
      createClaimableBalance(body.createClaimableBalanceOp, source, place),
    );
  if (body.type === "claimClaimableBalance")
    return Result.claimClaimableBalance(
      claimClaimableBalance(body.claimClaimableBalanceOp, source, place),
    );
  return null;
}

/** What changes an account itself; null for operations that this network does not have. */
function accountResult(body: Body, source: PublicKey, place: Place): OperationResultTr | null {
  const Result = OperationResultTr;
  if (body.type === "createAccount")
    return Result.createAccount(createAccount(body.createAccountOp, source, place));
  if (body.type === "beginSponsoringFutureReserves")
    return Result.beginSponsoringFutureReserves(
      beginSponsoring(body.beginSponsoringFutureReservesOp.sponsoredId, source, place),
    );
  if (body.type === "endSponsoringFutureReserves")
    return Result.endSponsoringFutureReserves(endSponsoring(source, place));
  if (body.type === "changeTrust")
    return Result.changeTrust(changeTrust(body.changeTrustOp, source, place));
  if (body.type === "accountMerge")
    return Result.accountMerge(mergeAccount(accountOf(body.destination), source, place));
  if (body.type === "bumpSequence")
    return Result.bumpSequence(bumpSequence(body.bumpSequenceOp, source, place));
  if (body.type === "manageData")
    return Result.manageData(manageData(body.manageDataOp, source, place));
  return null;
}

function changeTrust(
  { line, limit }: ChangeTrustOp,
  source: PublicKey,
  { draft, ledger }: Place,
): ChangeTrustResult {
  if (line.type === "assetTypePoolShare" || line.type === "assetTypeNative" || limit < 0n)
    return ChangeTrustResult.changeTrustMalformed();
  const asset = Asset.fromOperation(XdrAsset.fromXdr(line.toXdr()));
  if (isIssuer(source, asset)) return ChangeTrustResult.changeTrustMalformed();
  const account = draft.account(source);
  const old = draft.trustLine(source, asset);
  if (account === null) return ChangeTrustResult.changeTrustMalformed();
  const held = old === null ? 0n : old.balance + liabilitiesOf(old).buying;
  if (limit < held || (old === null && limit === 0n))
    return ChangeTrustResult.changeTrustInvalidLimit();
  if (limit === 0n) {
    draft.remove(trustLineKey(source, asset));
    draft.put(changedAccount(account, { numSubEntries: account.numSubEntries - 1 }, ledger));
    return ChangeTrustResult.changeTrustSuccess();
  }
  if (draft.account(issuerOf(asset)) === null) return ChangeTrustResult.changeTrustNoIssuer();
  if (old === null) {
    if (!canAddEntry(account)) return ChangeTrustResult.changeTrustLowReserve();
    draft.put(changedAccount(account, { numSubEntries: account.numSubEntries + 1 }, ledger));
  }
  draft.put(
    old === null
      ? newTrustLine(source, asset.toTrustLineXdrObject(), limit, ledger)
      : changedTrustLine(old, { limit }, ledger),
  );
  return ChangeTrustResult.changeTrustSuccess();
}

function canAddEntry(account: AccountEntry): boolean {
  return spendableOf(account) >= baseReserve;
}

function mergeAccount(
  destination: PublicKey,
  source: PublicKey,
  { draft, ledger }: Place,
): AccountMergeResult {
  if (destination.equals(source)) return AccountMergeResult.accountMergeMalformed();
  const receiver = draft.account(destination);
  const merged = draft.account(source);
  if (receiver === null || merged === null) return AccountMergeResult.accountMergeNoAccount();
  if (sponsorshipOf(merged).sponsoring > 0) return AccountMergeResult.accountMergeIsSponsor();
  if (merged.numSubEntries > 0) return AccountMergeResult.accountMergeHasSubEntries();
  if (merged.seqNum >= firstSequence(ledger)) return AccountMergeResult.accountMergeSeqnumTooFar();
  draft.put(changedAccount(receiver, { balance: receiver.balance + merged.balance }, ledger));
  releaseSponsor(accountKey(source), accountEntries, { draft, ledger });
  draft.remove(accountKey(source));
  return AccountMergeResult.accountMergeSuccess(merged.balance);
}

function bumpSequence(
  { bumpTo }: BumpSequenceOp,
  source: PublicKey,
  { draft, ledger }: Place,
): BumpSequenceResult {
  const account = draft.account(source);
  if (account === null || bumpTo < 0n) return BumpSequenceResult.bumpSequenceBadSeq();
  if (bumpTo > account.seqNum) draft.put(changedAccount(account, { seqNum: bumpTo }, ledger));
  return BumpSequenceResult.bumpSequenceSuccess();
}

function manageData(
  { dataName, dataValue }: ManageDataOp,
  source: PublicKey,
  { draft, ledger }: Place,
): ManageDataResult {
  const key = LedgerKey.data(new LedgerKeyData({ accountId: source, dataName }));
  const account = draft.account(source);
  const isOld = draft.get(key) !== null;
  if (account === null || dataName.length === 0) return ManageDataResult.manageDataInvalidName();
  if (dataValue === null) {
    if (!isOld) return ManageDataResult.manageDataNameNotFound();
    draft.remove(key);
    draft.put(changedAccount(account, { numSubEntries: account.numSubEntries - 1 }, ledger));
    return ManageDataResult.manageDataSuccess();
  }
  if (!isOld) {
    if (!canAddEntry(account)) return ManageDataResult.manageDataLowReserve();
    draft.put(changedAccount(account, { numSubEntries: account.numSubEntries + 1 }, ledger));
  }
  const entry = new DataEntry({ accountId: source, dataName, dataValue, ext: DataEntryExt.v0() });
  draft.put(entryOf(LedgerEntryData.data(entry), ledger));
  return ManageDataResult.manageDataSuccess();
}
