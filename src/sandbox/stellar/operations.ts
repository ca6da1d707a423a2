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
  type PathPaymentStrictReceiveOp,
  PathPaymentStrictReceiveResult,
  PathPaymentStrictReceiveResultSuccess,
  type PathPaymentStrictSendOp,
  PathPaymentStrictSendResult,
  PathPaymentStrictSendResultSuccess,
  PaymentResult,
  PublicKey,
  SimplePaymentResult,
  TrustLineAsset,
  Asset as XdrAsset,
} from "@stellar/stellar-sdk/xdr";
import {
  accountKey,
  accountOf,
  baseReserve,
  changedAccount,
  entryOf,
  reserveOf,
  sponsorshipOf,
  trustLine,
  trustLineKey,
} from "./entries.ts";
import {
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
  /** The transaction's source. */
  readonly source: PublicKey;
  readonly sponsors: Sponsors;
};

const unitsMax = 2n ** 63n - 1n;

/** Executes one operation in the draft; if it fails, the caller throws the draft away. */
export function executeOperation(
  { sourceAccount, body }: Operation,
  place: Place,
): OperationResult {
  const source = sourceAccount === null ? place.source : accountOf(sourceAccount);
  if (place.draft.account(source) === null) return OperationResult.opNoAccount();
  const inner = executeBody(body, source, place);
  return inner === null ? OperationResult.opNotSupported() : OperationResult.opInner(inner);
}

/** Whether an operation's result is a success: its code is 0. */
export function hasSucceeded(result: OperationResult): boolean {
  if (result.type !== "opInner") return false;
  const { value } = result.tr;
  return value.type.endsWith("Success");
}

function executeBody(
  body: Operation["body"],
  source: PublicKey,
  place: Place,
): OperationResultTr | null {
  if (body.type === "createAccount")
    return OperationResultTr.createAccount(createAccount(body.createAccountOp, source, place));
  if (body.type === "beginSponsoringFutureReserves")
    return OperationResultTr.beginSponsoringFutureReserves(
      beginSponsoring(body.beginSponsoringFutureReservesOp.sponsoredId, source, place),
    );
  if (body.type === "endSponsoringFutureReserves")
    return OperationResultTr.endSponsoringFutureReserves(endSponsoring(source, place));
  if (body.type === "payment") {
    const { destination, asset, amount } = body.paymentOp;
    const name = move({ source, to: accountOf(destination), asset, amount }, place);
    return OperationResultTr.payment(paymentResults[name]());
  }
  if (body.type === "pathPaymentStrictSend")
    return OperationResultTr.pathPaymentStrictSend(
      sendAlongPath(body.pathPaymentStrictSendOp, source, place),
    );
  if (body.type === "pathPaymentStrictReceive")
    return OperationResultTr.pathPaymentStrictReceive(
      receiveAlongPath(body.pathPaymentStrictReceiveOp, source, place),
    );
  if (body.type === "changeTrust")
    return OperationResultTr.changeTrust(changeTrust(body.changeTrustOp, source, place));
  if (body.type === "accountMerge")
    return OperationResultTr.accountMerge(mergeAccount(accountOf(body.destination), source, place));
  if (body.type === "bumpSequence")
    return OperationResultTr.bumpSequence(bumpSequence(body.bumpSequenceOp, source, place));
  if (body.type === "manageData")
    return OperationResultTr.manageData(manageData(body.manageDataOp, source, place));
  return null;
}

type MoveOutcome = keyof typeof paymentResults;

const paymentResults = {
  success: () => PaymentResult.paymentSuccess(),
  malformed: () => PaymentResult.paymentMalformed(),
  underfunded: () => PaymentResult.paymentUnderfunded(),
  srcNoTrust: () => PaymentResult.paymentSrcNoTrust(),
  noDestination: () => PaymentResult.paymentNoDestination(),
  noTrust: () => PaymentResult.paymentNoTrust(),
  lineFull: () => PaymentResult.paymentLineFull(),
};

type Move = {
  readonly source: PublicKey;
  readonly to: PublicKey;
  readonly asset: XdrAsset;
  readonly amount: bigint;
};

function move({ source, to, asset, amount }: Move, place: Place): MoveOutcome {
  if (amount <= 0n) return "malformed";
  if (place.draft.account(to) === null) return "noDestination";
  const taken = take(source, asset, amount, place);
  return taken === "success" ? give(to, asset, amount, place) : taken;
}

/** Takes an asset from an account, whose reserve stays. An issuer has as much of its asset as it wants. */
function take(
  source: PublicKey,
  asset: XdrAsset,
  amount: bigint,
  { draft, ledger }: Place,
): "success" | "underfunded" | "srcNoTrust" {
  const named = Asset.fromOperation(asset);
  if (isIssuer(source, named)) return "success";
  if (asset.type === "assetTypeNative") {
    const account = draft.account(source);
    if (account === null || account.balance - reserveOf(account) < amount) return "underfunded";
    draft.put(changedAccount(account, { balance: account.balance - amount }, ledger));
    return "success";
  }
  const line = draft.trustLine(source, named);
  if (line === null) return "srcNoTrust";
  if (line.balance < amount) return "underfunded";
  const { accountId, limit } = line;
  const balance = line.balance - amount;
  draft.put(trustLine({ accountId, asset: line.asset, balance, limit }, ledger));
  return "success";
}

function give(
  to: PublicKey,
  asset: XdrAsset,
  amount: bigint,
  { draft, ledger }: Place,
): "success" | "noTrust" | "lineFull" {
  const named = Asset.fromOperation(asset);
  if (isIssuer(to, named)) return "success";
  if (asset.type === "assetTypeNative") {
    const account = draft.account(to);
    if (account === null || account.balance > unitsMax - amount) return "lineFull";
    draft.put(changedAccount(account, { balance: account.balance + amount }, ledger));
    return "success";
  }
  const line = draft.trustLine(to, named);
  if (line === null) return "noTrust";
  const { accountId, limit } = line;
  const balance = line.balance + amount;
  if (balance > limit) return "lineFull";
  draft.put(trustLine({ accountId, asset: line.asset, balance, limit }, ledger));
  return "success";
}

function isIssuer({ ed25519 }: PublicKey, asset: Asset): boolean {
  if (asset.isNative()) return false;
  return PublicKey.publicKeyTypeEd25519(ed25519).equals(issuerOf(asset));
}

function issuerOf(asset: Asset): PublicKey {
  const xdr = asset.toTrustLineXdrObject();
  if (xdr.type === "assetTypeCreditAlphanum4") return xdr.alphaNum4.issuer;
  if (xdr.type === "assetTypeCreditAlphanum12") return xdr.alphaNum12.issuer;
  throw new RangeError("only tokens have an issuer");
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
  if (limit < (old?.balance ?? 0n) || (old === null && limit === 0n))
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
  const balance = old?.balance ?? 0n;
  const named: TrustLineAsset = asset.toTrustLineXdrObject();
  draft.put(trustLine({ accountId: source, asset: named, balance, limit }, ledger));
  return ChangeTrustResult.changeTrustSuccess();
}

function canAddEntry(account: AccountEntry): boolean {
  return account.balance >= reserveOf(account) + baseReserve;
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
  releaseSponsor(source, { draft, ledger });
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

/** This ledger has no market: only a payment in one asset finds a path. */
function sendAlongPath(
  { sendAsset, sendAmount, destination, destAsset, destMin }: PathPaymentStrictSendOp,
  source: PublicKey,
  place: Place,
): PathPaymentStrictSendResult {
  const to = accountOf(destination);
  if (!sendAsset.equals(destAsset))
    return PathPaymentStrictSendResult.pathPaymentStrictSendTooFewOffers();
  if (sendAmount < destMin) return PathPaymentStrictSendResult.pathPaymentStrictSendUnderDestmin();
  const outcome = move({ source, to, asset: sendAsset, amount: sendAmount }, place);
  const last = new SimplePaymentResult({ destination: to, asset: destAsset, amount: sendAmount });
  const results = {
    success: () =>
      PathPaymentStrictSendResult.pathPaymentStrictSendSuccess(
        new PathPaymentStrictSendResultSuccess({ offers: [], last }),
      ),
    malformed: () => PathPaymentStrictSendResult.pathPaymentStrictSendMalformed(),
    underfunded: () => PathPaymentStrictSendResult.pathPaymentStrictSendUnderfunded(),
    srcNoTrust: () => PathPaymentStrictSendResult.pathPaymentStrictSendSrcNoTrust(),
    noDestination: () => PathPaymentStrictSendResult.pathPaymentStrictSendNoDestination(),
    noTrust: () => PathPaymentStrictSendResult.pathPaymentStrictSendNoTrust(),
    lineFull: () => PathPaymentStrictSendResult.pathPaymentStrictSendLineFull(),
  };
  return results[outcome]();
}

function receiveAlongPath(
  { sendAsset, sendMax, destination, destAsset, destAmount }: PathPaymentStrictReceiveOp,
  source: PublicKey,
  place: Place,
): PathPaymentStrictReceiveResult {
  const to = accountOf(destination);
  if (!sendAsset.equals(destAsset))
    return PathPaymentStrictReceiveResult.pathPaymentStrictReceiveTooFewOffers();
  if (destAmount > sendMax)
    return PathPaymentStrictReceiveResult.pathPaymentStrictReceiveOverSendmax();
  const outcome = move({ source, to, asset: destAsset, amount: destAmount }, place);
  const last = new SimplePaymentResult({ destination: to, asset: destAsset, amount: destAmount });
  const results = {
    success: () =>
      PathPaymentStrictReceiveResult.pathPaymentStrictReceiveSuccess(
        new PathPaymentStrictReceiveResultSuccess({ offers: [], last }),
      ),
    malformed: () => PathPaymentStrictReceiveResult.pathPaymentStrictReceiveMalformed(),
    underfunded: () => PathPaymentStrictReceiveResult.pathPaymentStrictReceiveUnderfunded(),
    srcNoTrust: () => PathPaymentStrictReceiveResult.pathPaymentStrictReceiveSrcNoTrust(),
    noDestination: () => PathPaymentStrictReceiveResult.pathPaymentStrictReceiveNoDestination(),
    noTrust: () => PathPaymentStrictReceiveResult.pathPaymentStrictReceiveNoTrust(),
    lineFull: () => PathPaymentStrictReceiveResult.pathPaymentStrictReceiveLineFull(),
  };
  return results[outcome]();
}
