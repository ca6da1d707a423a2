import { type LedgerAccount, systemAccount, walletAccount } from "../ledger/ledger-account.ts";
import type { Position } from "../ledger/posting.ts";
import { assert } from "../platform/kernel/assert.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import { divide } from "../platform/kernel/rounding.ts";
import type { Payout } from "./payout.ts";

/**
 * A payout's ledger positions. Held: still owed to the wallet, but not available. Paid (in a block, or internally):
 * the wallet was debited `chargedUnits`; the chain, the operator's fees and commission were credited, and conversions
 * pass through the operator's conversion accounts. Released: none, except the fee of a reverted transaction, which
 * the wallet pays.
 */
export function positionsOf(payout: Payout | null): readonly Position[] {
  if (payout === null) return [];
  return positionsAt(payout).filter((position) => position.units !== 0n);
}

function positionsAt(payout: Payout): readonly Position[] {
  switch (payout.stage) {
    case "waiting":
    case "held":
    case "sending":
    case "blocked":
      return [...fromWallets(payout), ...intoHold(payout)];
    case "included":
    case "confirmed":
      return converted(payout, [
        ...fromWallets(payout),
        owe("chain", payout.currency, payout.paidUnits),
        owe("fees", payout.feeCurrency, chargedFeeOf(payout)),
        owe("commission", payout.currency, payout.commissionUnits),
      ]);
    case "internal":
      assert(payout.feeUnits === 0n, `internal payout ${payout.id} has a fee`);
      return converted(payout, [
        ...fromWallets(payout),
        owe("transit", payout.currency, payout.paidUnits),
        owe("commission", payout.currency, payout.commissionUnits),
      ]);
    case "failed":
      return isReverted(payout) ? burntFee(payout) : [];
    case "cancelled":
      return [];
  }
}

/**
 * Changes of the operator's position by payouts whose price is fixed but not booked yet, per currency, between two
 * states of payouts.
 */
export function committedBetween(
  changes: readonly { readonly before: Payout | null; readonly after: Payout }[],
): ReadonlyMap<CurrencyId, bigint> {
  const sums = new Map<CurrencyId, bigint>();
  const add = (payout: Payout | null, sign: bigint): void => {
    if (payout === null || !isCommitted(payout)) return;
    const { walletCurrency, currency, chargedUnits } = payout;
    const fee = payout.feeWalletId === payout.walletId ? payout.feeUnits : 0n;
    const debitedUnits = payout.paidUnits + payout.commissionUnits + fee;
    sums.set(walletCurrency, (sums.get(walletCurrency) ?? 0n) + sign * chargedUnits);
    sums.set(currency, (sums.get(currency) ?? 0n) - sign * debitedUnits);
  };
  for (const { before, after } of changes) {
    add(before, -1n);
    add(after, 1n);
  }
  return sums;
}

function isCommitted({ stage, walletCurrency, currency }: Payout): boolean {
  const isOpen =
    stage === "waiting" || stage === "held" || stage === "sending" || stage === "blocked";
  return isOpen && walletCurrency !== currency;
}

/** The transaction was reverted on the chain and burned its fee. */
function isReverted(payout: Payout): boolean {
  return payout.stage === "failed" && payout.block !== null;
}

/** The network fee that the payer is charged, in the fee's currency; 0 if the operator pays it. */
export function chargedFeeOf(payout: Payout): bigint {
  return payout.feeWalletId === null ? 0n : payout.feeUnits;
}

function fromWallets(payout: Payout): readonly Position[] {
  return [
    {
      account: walletAccount(payout.walletId, "available"),
      currency: payout.walletCurrency,
      units: payout.chargedUnits,
    },
    ...feeWallet(payout, "available", payout.chargedFeeUnits),
  ];
}

function intoHold(payout: Payout): readonly Position[] {
  return [
    {
      account: walletAccount(payout.walletId, "held"),
      currency: payout.walletCurrency,
      units: -payout.chargedUnits,
    },
    ...feeWallet(payout, "held", -payout.chargedFeeUnits),
  ];
}

/** The position of a separate wallet that pays the fee. */
function feeWallet(
  payout: Payout,
  bucket: "available" | "held",
  units: bigint,
): readonly Position[] {
  if (payout.feeWalletId === null || payout.feeWalletId === payout.walletId) {
    assert(units === 0n, `payout ${payout.id} charges a fee to no wallet`);
    return [];
  }
  return [
    { account: walletAccount(payout.feeWalletId, bucket), currency: payout.feeCurrency, units },
  ];
}

function burntFee(payout: Payout): readonly Position[] {
  const fee = owe("fees", payout.feeCurrency, chargedFeeOf(payout));
  if (payout.feeWalletId !== payout.walletId) {
    return [...feeWallet(payout, "available", payout.chargedFeeUnits), fee];
  }
  const account = walletAccount(payout.walletId, "available");
  return converted(payout, [
    { account, currency: payout.walletCurrency, units: feeInWallet(payout) },
    fee,
  ]);
}

/** The fee's share of the paying wallet's charge, rounded up. */
function feeInWallet(payout: Payout): bigint {
  if (payout.feeCurrency === payout.walletCurrency) return payout.feeUnits;
  const all = payout.paidUnits + payout.commissionUnits + payout.feeUnits;
  return divide(payout.chargedUnits * payout.feeUnits, all, "up");
}

/**
 * Adds the balancing positions of the operator's conversion accounts. A payout in the wallet's own currency converts
 * nothing, so an imbalance there is a bug.
 */
function converted(payout: Payout, positions: readonly Position[]): readonly Position[] {
  const sums = new Map<CurrencyId, bigint>();
  for (const { currency, units } of positions) {
    sums.set(currency, (sums.get(currency) ?? 0n) + units);
  }
  const isFeeConverted =
    payout.feeWalletId === payout.walletId && payout.feeCurrency !== payout.walletCurrency;
  if (isFeeConverted) {
    // Otherwise the fee's share of the charge would be unknown after a revert.
    assert(
      payout.feeCurrency === payout.currency,
      `payout ${payout.id}: a fee in a third currency is charged to a wallet of its own`,
    );
  }
  const isConverted = payout.walletCurrency !== payout.currency || isFeeConverted;
  const balancing = [...sums].map(([currency, sum]) => {
    assert(sum === 0n || isConverted, `payout ${payout.id} does not add up in ${currency}`);
    return { account: systemAccount("conversion", currency), currency, units: -sum };
  });
  return [...positions, ...balancing];
}

function owe(
  kind: "chain" | "transit" | "fees" | "commission",
  currency: CurrencyId,
  units: bigint,
): Position & { readonly account: LedgerAccount } {
  return { account: systemAccount(kind, currency), currency, units: -units };
}
