import { walletType } from "../../src/accounts/wallets/wallet.ts";
import type { BlockRef } from "../../src/chains/port.ts";
import type { NewDeposit } from "../../src/deposits/create/insert-deposits.store.ts";
import { type Deposit, noSums } from "../../src/deposits/deposit.ts";
import { depositStatus } from "../../src/deposits/deposit-status.ts";
import { newTransfer } from "../../src/deposits/payments/transfer-changes.ts";
import type { TransferRecord } from "../../src/deposits/transfers/transfer.ts";
import type { Instant } from "../../src/platform/kernel/clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { eth, type Hit, payment, testCurrencies } from "./deposit-world.ts";

/* Deposits and transfers as values, for tests of decisions. Ether everywhere, 3 confirmations. */

export const someTime = 1_000_000 as Instant;

export function blockAt(height: number): BlockRef {
  return { height, hash: `hash${height}`, parentHash: `hash${height - 1}`, time: someTime };
}

/** An Enterprise deposit of account 1 without payments. */
export function aDeposit(overrides: Partial<Deposit> = {}): Deposit {
  return {
    accountId: "1",
    id: "5",
    walletId: "9",
    walletType: walletType.enterprise,
    walletCurrency: eth,
    currency: eth,
    address: "0xA",
    addressType: "",
    tag: null,
    isActive: true,
    label: null,
    trackingId: null,
    confirmationsNeeded: null,
    timeLimit: null,
    invoiceUpdatedAt: null,
    expiresAt: null,
    callbackUrl: "https://shop.example/",
    paymentPageId: "00000000-0000-4000-8000-000000000000",
    paymentPageRedirectUrl: null,
    paymentPageButtonText: null,
    description: null,
    paymentLinkId: null,
    helpEmail: null,
    inaccuracy: null,
    toleranceBelow: null,
    toleranceAbove: null,
    targetAmountRequested: null,
    rate: null,
    rateExpiresAt: null,
    rateLocks: [],
    sourceAmountRequested: null,
    commissionTerms: { ratePpm: 0, fixedUnits: 0n, minimumUnits: 0n },
    createdByCredentialId: "1",
    createdAt: someTime,
    cancelledAt: null,
    expiryConcludedAt: null,
    acceptedAt: null,
    status: depositStatus.created,
    statusReason: null,
    statusVersion: 0,
    sums: noSums,
    assets: {},
    blockedPayments: 0,
    tally: null,
    updatedAt: someTime,
    ...overrides,
  };
}

/** A newly detected transfer, in a block or (null) unconfirmed; priced one to one. */
export function aTransfer(
  deposit: Deposit,
  hit: Omit<Hit, "deposit">,
  height: number | null,
  overrides: Partial<TransferRecord> = {},
): TransferRecord {
  const seen = newTransfer(
    payment({ deposit, ...hit }),
    "17",
    "ETH",
    height === null ? null : blockAt(height),
    someTime,
    { isScreened: false, currencies: testCurrencies },
  );
  return { ...seen, rate: { units: 1n, exp: 0 }, targetUnits: seen.units, ...overrides };
}

/** What creation writes for a deposit to an Enterprise wallet in ether, with no optional field. */
export function aNewDeposit(
  { accountId, walletId }: { readonly accountId: string; readonly walletId: string },
  overrides: Partial<NewDeposit> = {},
): NewDeposit {
  return {
    accountId,
    createdByCredentialId: "1",
    paymentPageId: systemRandom.uuid(),
    walletId,
    walletType: walletType.enterprise,
    walletCurrency: eth,
    currency: eth,
    chain: "ETH",
    isActive: true,
    keyspace: "evm",
    addressType: "",
    label: null,
    trackingId: null,
    confirmationsNeeded: null,
    timeLimit: null,
    invoiceUpdatedAt: null,
    expiresAt: null,
    callbackUrl: null,
    paymentPageRedirectUrl: null,
    paymentPageButtonText: null,
    description: null,
    paymentLinkId: null,
    helpEmail: null,
    inaccuracy: null,
    toleranceBelow: null,
    toleranceAbove: null,
    targetAmountRequested: null,
    sourceAmountRequested: null,
    rate: null,
    rateExpiresAt: null,
    travelRuleSealed: null,
    commissionTerms: { ratePpm: 0, fixedUnits: 0n, minimumUnits: 0n },
    createdAt: someTime,
    ...overrides,
  };
}
