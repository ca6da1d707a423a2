import { type Payout, type PayoutStage, payoutStatus } from "../../src/payouts/payout.ts";
import type { Instant } from "../../src/platform/kernel/clock.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";

const eth = "1002" as CurrencyId;

/** A held payout of ether from an Enterprise wallet to an external address; every member can be overridden. */
export function newPayout(payout: Partial<Payout> = {}): Payout {
  const stage = payout.stage ?? "held";
  return {
    accountId: "1",
    id: "1",
    walletId: "1",
    transferId: "1",
    stage,
    status: statusAt(stage),
    walletType: 2,
    walletCurrency: eth,
    currency: eth,
    chain: "ETH",
    units: 1_000n,
    paidUnits: 1_000n,
    feeUnits: 30n,
    feeCurrency: eth,
    feeWalletId: "1",
    isFeeIncluded: false,
    commissionUnits: 0n,
    rate: { units: 1n, exp: 0 },
    chargedUnits: 1_030n,
    chargedFeeUnits: 0n,
    address: "0x00000000000000000000000000000000000000AA",
    addressType: "",
    tagType: null,
    tag: null,
    targetDeposit: null,
    targetDepositId: null,
    targetWalletId: null,
    forceBlockchain: false,
    isInternal: false,
    label: null,
    trackingId: null,
    confirmationsNeeded: null,
    callbackUrl: "https://shop.example/",
    travelRuleSealed: new Uint8Array(),
    isTravelRuleFlagged: false,
    isRefund: false,
    isAboveLimit: false,
    revision: 0,
    risk: null,
    riskStatus: 4,
    releasedAt: null,
    message: null,
    userMessage: null,
    approval: null,
    createdByCredentialId: "1",
    createdByMemberId: "1",
    approvedByMemberId: null,
    approvedAt: null,
    spendId: null,
    txid: null,
    block: null,
    dueHeight: null,
    isConfirmed: false,
    createdAt: 0 as Instant,
    updatedAt: 0 as Instant,
    ...payout,
  };
}

function statusAt(stage: PayoutStage): Payout["status"] {
  if (stage === "waiting") return payoutStatus.waiting;
  return stage === "cancelled" ? payoutStatus.canceled : payoutStatus.approved;
}
