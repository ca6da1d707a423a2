import type { Destination, PayeeAddressing } from "../../chains/port.ts";
import { findChain } from "../../currencies/chains.ts";
import type { Currency } from "../../currencies/currency.ts";
import { readTag, type TagFault } from "../../currencies/read-tag.ts";
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
  const { faults } = readTag(null, { tag, type: tagType }, "Payouts to deposits and wallets");
  return { payee, faults: rejectionsOf(faults) };
}

/** Parses an address and its tag as `readPayee` does; without an address there is neither a receiver nor a fault. */
export function readAddress(
  request: Pick<PayoutRequest, "address" | "tag" | "tag_type">,
  currency: Currency | null,
  addressing: PayeeAddressing | null,
): PayeeReading {
  const chain = currency?.chain ?? null;
  if (currency === null || chain === null || request.address === null) return refused();
  const kind = findChain(chain)?.tag ?? null;
  const { tag_type: type } = request;
  const reading = readTag(kind, { tag: request.tag, type }, `${currency.alpha} payouts`);
  const faults = rejectionsOf(reading.faults);
  if (addressing === null) return refused(...faults);
  const plain = addressing.parse(request.address, null);
  if (plain === null) {
    const detail =
      addressing.explain?.(request.address) ?? `This is not a valid ${currency.alpha} address.`;
    return refused(...faults, rejection("addressRefused", detail, at.attribute("address")));
  }
  if (kind === "memo" && type === "0" && plain.tag !== null) {
    const detail = `tag_type 0 means no memo, but the address contains the memo ${plain.tag}.`;
    return refused(...faults, rejection("invalidValue", detail, at.attribute("tag")));
  }
  const destination = addressing.parse(request.address, reading.tag);
  if (destination === null) {
    const detail =
      plain.tag === null
        ? `${currency.alpha} addresses have no such tag.`
        : `The address already contains the tag ${plain.tag}.`;
    return refused(...faults, rejection("invalidValue", detail, at.attribute("tag")));
  }
  const watchKey = addressing.watchKey(destination);
  return { payee: { kind: "address", destination, watchKey }, faults };
}

function rejectionsOf(faults: readonly TagFault[]): readonly Rejection[] {
  return faults.map(({ member, detail }) =>
    rejection("invalidValue", detail, at.attribute(member)),
  );
}

function refused(...faults: readonly Rejection[]): PayeeReading {
  return { payee: { kind: "none" }, faults };
}
