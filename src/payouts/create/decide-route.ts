import { walletStatus, walletType } from "../../accounts/wallets/wallet.ts";
import type { Payment } from "../../chains/paying-port.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import { findChain } from "../../currencies/chains.ts";
import type { ChainId, Currency } from "../../currencies/currency.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { at, type PayoutRequest } from "../payout-documents.ts";
import type { DestinationFacts } from "./internal-destination.store.ts";
import type { InternalTarget, TargetDeposit, TargetWallet } from "./internal-target.ts";
import type { NamedPayee } from "./read-payee.ts";

/** What determines whether a payment stays inside the service. */
export type RouteSubject = {
  readonly request: Pick<PayoutRequest, "force_blockchain" | "targetWalletPointer">;
  readonly payee: NamedPayee;
  readonly destination: DestinationFacts;
  /** The paying account. */
  readonly accountId: string;
  readonly walletId: string;
  readonly walletType: number;
  readonly currency: Currency;
  readonly chain: ChainId;
  readonly addressing: PayeeAddressing | null;
  /** Whether the caller may view this wallet of the account. */
  readonly mayView: (walletId: string) => boolean;
};

/** Where the funds go: inside the service or on the chain. */
export type Route =
  | { readonly kind: "internal"; readonly target: InternalTarget }
  | { readonly kind: "chain"; readonly destination: Payment["destination"] };

export type RouteDecision = {
  /** Null if there is a fault. */
  readonly route: Route | null;
  readonly faults: readonly Rejection[];
};

/**
 * Decides where a payment goes. Payments to our own deposits and wallets are internal unless `force_blockchain`; the
 * address of a deposit in another currency is paid on the chain like any other. Faults: invalidValue, payoutToItself,
 * addressRefused.
 */
export function decideRoute(subject: RouteSubject): RouteDecision {
  const { payee, destination, request } = subject;
  const forced = forceFaults(subject);
  switch (payee.kind) {
    case "none":
      return { route: null, faults: forced };
    case "wallet":
      return withFaults(toWallet(subject, destination), forced);
    case "deposit":
      return withFaults(toDeposit(subject, destination), forced);
    case "address": {
      const source = at.attribute("address");
      const { internal } = destination;
      if (internal?.kind === "reserved") return withFaults(refused(source), forced);
      const faults = [...forced, ...allowlistFaults(destination, source)];
      if (internal?.kind === "deposit")
        faults.push(...selfFaults(subject, internal.walletId, source));
      const isInternal =
        internal?.kind === "deposit" &&
        internal.currency === subject.currency.id &&
        request.force_blockchain !== true;
      const route: Route = isInternal
        ? { kind: "internal", target: internal }
        : { kind: "chain", destination: payee.destination };
      return withFaults({ route, faults: [] }, faults);
    }
  }
}

function toWallet(subject: RouteSubject, { internal }: DestinationFacts): RouteDecision {
  const source = { pointer: subject.request.targetWalletPointer };
  if (internal?.kind !== "wallet" || !subject.mayView(internal.walletId)) {
    return invalid("There is no such wallet.", source);
  }
  if (internal.walletStatus !== walletStatus.active || internal.walletType === walletType.nft) {
    return invalid("This wallet can't receive payments.", source);
  }
  if (!takesCurrency(subject, internal)) {
    return invalid(`This wallet can't receive ${subject.currency.alpha}.`, source);
  }
  if (subject.request.force_blockchain === true) {
    return invalid(
      "Wallets have no address, so they can't be paid on the chain.",
      at.attribute("force_blockchain"),
    );
  }
  const faults = selfFaults(subject, internal.walletId, source);
  return withFaults({ route: { kind: "internal", target: internal }, faults: [] }, faults);
}

/** "Swap wallets convert at the current rate"; a Merchant wallet is always credited in its own currency. */
function takesCurrency(subject: RouteSubject, target: TargetWallet): boolean {
  return (
    target.currency === subject.currency.id ||
    target.walletType === walletType.swap ||
    target.walletType === walletType.merchant ||
    subject.walletType === walletType.swap
  );
}

function toDeposit(subject: RouteSubject, destination: DestinationFacts): RouteDecision {
  const source = at.attribute("target_deposit");
  const { internal } = destination;
  if (internal?.kind !== "deposit") return invalid("There is no such deposit.", source);
  if (internal.currency !== subject.currency.id) {
    return invalid(
      internal.currency === null
        ? "The payer has not chosen this deposit's currency yet."
        : `This deposit can't be paid in ${subject.currency.alpha}.`,
      source,
    );
  }
  const isForeign = internal.accountId !== subject.accountId;
  const faults = [
    ...(isForeign ? allowlistFaults(destination, source) : []),
    ...selfFaults(subject, internal.walletId, source),
  ];
  const decision =
    subject.request.force_blockchain === true
      ? onChain(subject, internal)
      : { route: { kind: "internal", target: internal } as const, faults: [] };
  return withFaults(decision, faults);
}

/** Pays the deposit's address on the chain. */
function onChain({ addressing }: RouteSubject, deposit: TargetDeposit): RouteDecision {
  const destination =
    deposit.address === null ? null : (addressing?.parse(deposit.address, deposit.tag) ?? null);
  return destination === null
    ? invalid("This deposit has no address yet.", at.attribute("target_deposit"))
    : { route: { kind: "chain", destination }, faults: [] };
}

function forceFaults(subject: RouteSubject): readonly Rejection[] {
  if (subject.request.force_blockchain !== true || subject.walletType === walletType.merchant)
    return [];
  const detail = "force_blockchain is available only for payouts from Merchant wallets.";
  return [rejection("invalidValue", detail, at.attribute("force_blockchain"))];
}

function selfFaults(
  subject: RouteSubject,
  walletId: string,
  source: { readonly pointer: string },
): readonly Rejection[] {
  if (walletId !== subject.walletId || findChain(subject.chain)?.canPayItself === true) return [];
  return [
    rejection(
      "payoutToItself",
      `On ${subject.chain} a wallet can't pay itself. Choose another receiver.`,
      source,
    ),
  ];
}

function allowlistFaults(
  { isAllowlistOnly, isAllowlisted }: DestinationFacts,
  source: { readonly pointer: string },
): readonly Rejection[] {
  if (!isAllowlistOnly || isAllowlisted) return [];
  const detail = "This account can pay only allowlisted addresses.";
  return [rejection("addressRefused", detail, source)];
}

/** One of our addresses that no deposit uses: a payment to it would be credited to no one. */
function refused(source: { readonly pointer: string }): RouteDecision {
  const detail = "Payments to this address would not be credited to anyone. Use another address.";
  return { route: null, faults: [rejection("addressRefused", detail, source)] };
}

function invalid(detail: string, source: { readonly pointer: string }): RouteDecision {
  return { route: null, faults: [rejection("invalidValue", detail, source)] };
}

function withFaults({ route, faults }: RouteDecision, more: readonly Rejection[]): RouteDecision {
  return { route, faults: [...faults, ...more] };
}
