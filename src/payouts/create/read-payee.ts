import type { Destination, PayeeAddressing } from "../../chains/port.ts";
import type { Currency } from "../../currencies/currency.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { at, type PayoutRequest } from "../payout-documents.ts";

/** The receiver that a request names, before the database is asked. */
export type NamedPayee =
  | { readonly kind: "address"; readonly destination: Destination; readonly watchKey: string }
  | { readonly kind: "deposit"; readonly paymentPageId: string }
  | { readonly kind: "wallet"; readonly walletId: string }
  /** Missing, malformed, or on a chain that this deployment does not know. */
  | { readonly kind: "none" };

export type PayeeReading = {
  readonly payee: NamedPayee;
  readonly faults: readonly Rejection[];
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const uint32Max = 2n ** 32n - 1n;
const uint64Max = 2n ** 64n - 1n;

/**
 * Parses the receiver: exactly one of address, target_deposit and target_wallet, with the address and tag checked by
 * the chain's rules. Faults are invalidValue, and addressRefused for an invalid address. If `addressing` is null
 * (unknown chain), the address is not checked.
 */
export function readPayee(
  request: Pick<
    PayoutRequest,
    "address" | "target_deposit" | "target_wallet" | "targetWalletPointer" | "tag" | "tag_type"
  >,
  currency: Currency | null,
  addressing: PayeeAddressing | null,
): PayeeReading {
  const named = namedMembers(request);
  const [first, ...more] = named;
  if (first === undefined) {
    const detail = "Provide one of address, target_deposit and target_wallet.";
    return refused(rejection("invalidValue", detail, at.attribute("address")));
  }
  if (more.length > 0) {
    const detail = "Provide only one of address, target_deposit and target_wallet.";
    return refused(...more.map((source) => rejection("invalidValue", detail, source)));
  }
  if (request.target_deposit !== null) {
    return uuid.test(request.target_deposit)
      ? accepted({ kind: "deposit", paymentPageId: request.target_deposit.toLowerCase() }, request)
      : refused(rejection("invalidValue", "There is no such deposit.", first));
  }
  if (request.target_wallet !== null) {
    return isObjectId(request.target_wallet)
      ? accepted({ kind: "wallet", walletId: request.target_wallet }, request)
      : refused(rejection("invalidValue", "There is no such wallet.", first));
  }
  return readAddress(request, currency, addressing);
}

function namedMembers(
  request: Pick<
    PayoutRequest,
    "address" | "target_deposit" | "target_wallet" | "targetWalletPointer"
  >,
): readonly { readonly pointer: string }[] {
  return [
    ...(request.address === null ? [] : [at.attribute("address")]),
    ...(request.target_deposit === null ? [] : [at.attribute("target_deposit")]),
    ...(request.target_wallet === null ? [] : [{ pointer: request.targetWalletPointer }]),
  ];
}

/** Deposits and wallets of ours take no tag. */
function accepted(
  payee: NamedPayee,
  { tag, tag_type: tagType }: Pick<PayoutRequest, "tag" | "tag_type">,
): PayeeReading {
  return { payee, faults: unwantedTag(tag, tagType, "Payouts to deposits and wallets") };
}

/** Parses an address and its tag as `readPayee` does; without an address there is neither a receiver nor a fault. */
export function readAddress(
  request: Pick<PayoutRequest, "address" | "tag" | "tag_type">,
  currency: Currency | null,
  addressing: PayeeAddressing | null,
): PayeeReading {
  const chain = currency?.chain ?? null;
  if (currency === null || chain === null || request.address === null) return refused();
  const faults = tagFaults(request, chain, currency.alpha);
  if (addressing === null) return refused(...faults);
  const destination = addressing.parse(request.address, faults.length > 0 ? null : request.tag);
  if (destination === null) {
    const detail = `This is not a valid ${currency.alpha} address.`;
    return refused(...faults, rejection("addressRefused", detail, at.attribute("address")));
  }
  const watchKey = addressing.watchKey(destination);
  return { payee: { kind: "address", destination, watchKey }, faults };
}

/** "XRP: destination tag (unsigned integer). XLM: memo matching tag_type. TON: free-form comment. Null otherwise." */
function tagFaults(
  { tag, tag_type: tagType }: Pick<PayoutRequest, "tag" | "tag_type">,
  chain: string,
  alpha: string,
): readonly Rejection[] {
  switch (chain) {
    case "XRP":
      return [
        ...unwantedTag(null, tagType, alpha),
        ...(tag === null || isWholeUpTo(tag, uint32Max)
          ? []
          : [invalid("tag", "A destination tag must be a whole number from 0 to 4294967295.")]),
      ];
    case "XLM":
      return memoFaults(tag, tagType);
    case "TON":
      return unwantedTag(null, tagType, alpha);
    default:
      return unwantedTag(tag, tagType, alpha);
  }
}

function memoFaults(tag: string | null, tagType: string | null): readonly Rejection[] {
  if (tagType === null) {
    return tag === null ? [] : [invalid("tag_type", "A memo requires tag_type 1 (number).")];
  }
  if (tagType === "0") {
    return tag === null ? [] : [invalid("tag", "tag_type 0 means no memo, so tag must be empty.")];
  }
  if (tagType !== "1") return [invalid("tag_type", "tag_type must be 0 (no memo) or 1 (number).")];
  return tag !== null && isWholeUpTo(tag, uint64Max)
    ? []
    : [invalid("tag", "The memo must be a whole number from 0 to 18446744073709551615.")];
}

function unwantedTag(tag: string | null, tagType: string | null, what: string): Rejection[] {
  return [
    ...(tag === null ? [] : [invalid("tag", `${what} take no tag.`)]),
    ...(tagType === null ? [] : [invalid("tag_type", `${what} take no tag_type.`)]),
  ];
}

function isWholeUpTo(text: string, max: bigint): boolean {
  return /^\d{1,20}$/.test(text) && BigInt(text) <= max;
}

function invalid(field: string, detail: string): Rejection {
  return rejection("invalidValue", detail, at.attribute(field));
}

function refused(...faults: readonly Rejection[]): PayeeReading {
  return { payee: { kind: "none" }, faults };
}
