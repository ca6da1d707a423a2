import {
  BeginSponsoringFutureReservesResult,
  type CreateAccountOp,
  CreateAccountResult,
  EndSponsoringFutureReservesResult,
  type LedgerKey,
  type PublicKey,
} from "@stellar/stellar-sdk/xdr";
import {
  baseReserve,
  changedAccount,
  newAccount,
  spendableOf,
  sponsoredBy,
  sponsorOf,
  sponsorshipOf,
} from "./entries.ts";
import type { Draft } from "./state.ts";

/** Who keeps the reserves of new entries for whom, while a transaction is executed; by the hexadecimal keys. */
export type Sponsors = Map<string, { readonly sponsor: PublicKey; readonly sponsored: PublicKey }>;

type Place = { readonly draft: Draft; readonly ledger: number; readonly sponsors: Sponsors };

/** An account has two entries for itself. */
export const accountEntries = 2;

export function beginSponsoring(
  sponsored: PublicKey,
  sponsor: PublicKey,
  { sponsors }: Place,
): BeginSponsoringFutureReservesResult {
  const Result = BeginSponsoringFutureReservesResult;
  if (sponsored.equals(sponsor)) return Result.beginSponsoringFutureReservesMalformed();
  if (sponsors.has(nameOf(sponsored)))
    return Result.beginSponsoringFutureReservesAlreadySponsored();
  const isRecursive =
    sponsors.has(nameOf(sponsor)) ||
    [...sponsors.values()].some((one) => one.sponsor.equals(sponsored));
  if (isRecursive) return Result.beginSponsoringFutureReservesRecursive();
  sponsors.set(nameOf(sponsored), { sponsor, sponsored });
  return Result.beginSponsoringFutureReservesSuccess();
}

export function endSponsoring(
  sponsored: PublicKey,
  { sponsors }: Place,
): EndSponsoringFutureReservesResult {
  return sponsors.delete(nameOf(sponsored))
    ? EndSponsoringFutureReservesResult.endSponsoringFutureReservesSuccess()
    : EndSponsoringFutureReservesResult.endSponsoringFutureReservesNotSponsored();
}

/** Creates an account, which needs no coin if another one keeps its reserve (CAP-33). */
export function createAccount(
  { destination, startingBalance }: CreateAccountOp,
  source: PublicKey,
  place: Place,
): CreateAccountResult {
  const { draft, ledger } = place;
  if (startingBalance < 0n) return CreateAccountResult.createAccountMalformed();
  if (draft.account(destination) !== null) return CreateAccountResult.createAccountAlreadyExist();
  const sponsor = sponsorFor(destination, place);
  const reserve = BigInt(accountEntries) * baseReserve;
  if (sponsor === null) {
    if (startingBalance < reserve) return CreateAccountResult.createAccountLowReserve();
  } else if (!keepReserve(sponsor, accountEntries, place))
    return CreateAccountResult.createAccountLowReserve();
  const payer = draft.account(source);
  if (payer === null || spendableOf(payer) < startingBalance)
    return CreateAccountResult.createAccountUnderfunded();
  draft.put(changedAccount(payer, { balance: payer.balance - startingBalance }, ledger));
  const created = newAccount(destination, startingBalance, firstSequence(ledger), ledger);
  if (sponsor === null || created.data.type !== "account") draft.put(created);
  else {
    const sponsorship = { sponsored: accountEntries, sponsoring: 0 };
    draft.put(sponsoredBy(changedAccount(created.data.account, { sponsorship }, ledger), sponsor));
  }
  return CreateAccountResult.createAccountSuccess();
}

/** Who keeps the reserve of an entry that the account creates, if another one does. */
export function sponsorFor(account: PublicKey, { sponsors }: Place): PublicKey | null {
  return sponsors.get(nameOf(account))?.sponsor ?? null;
}

/** Lets an account keep the reserve of entries of others; false if it has too little. */
export function keepReserve(
  sponsor: PublicKey,
  entries: number,
  { draft, ledger }: Place,
): boolean {
  const account = draft.account(sponsor);
  if (account === null) return false;
  const { sponsored, sponsoring } = sponsorshipOf(account);
  const more = { sponsored, sponsoring: sponsoring + entries };
  if (spendableOf(account) < BigInt(entries) * baseReserve) return false;
  draft.put(changedAccount(account, { sponsorship: more }, ledger));
  return true;
}

/** Ends what another account keeps for an entry that is removed; an account counts as two entries. */
export function releaseSponsor(
  key: LedgerKey,
  entries: number,
  { draft, ledger }: Pick<Place, "draft" | "ledger">,
): void {
  const entry = draft.get(key);
  const sponsor = entry === null ? null : sponsorOf(entry);
  const account = sponsor === null ? null : draft.account(sponsor);
  if (account === null) return;
  const { sponsored, sponsoring } = sponsorshipOf(account);
  const less = { sponsored, sponsoring: sponsoring - entries };
  draft.put(changedAccount(account, { sponsorship: less }, ledger));
}

/** A new account begins with the ledger's number in the upper half, so that old transactions of an earlier one stay invalid. */
export function firstSequence(ledger: number): bigint {
  return BigInt(ledger) << 32n;
}

function nameOf(key: PublicKey): string {
  return key.toXdr("hex");
}
