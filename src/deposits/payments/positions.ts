import { type LedgerAccount, systemAccount, walletAccount } from "../../ledger/ledger-account.ts";
import type { Position } from "../../ledger/posting.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Deposit } from "../deposit.ts";
import {
  arrivedUnits,
  isOffChain,
  type Refund,
  type TransferRecord,
  unrefundedPart,
} from "../transfers/transfer.ts";

/**
 * The postings of a transfer: an asset account (the chain, the mempool, or another of our own accounts) and the account to which
 * it is owed. A payment in another currency than the wallet's passes through the operator's conversion accounts. What is withheld of it is
 * owed to nobody, like dust. Empty for transfers that never arrived and for unlisted tokens.
 */
export function positionsOf(
  transfer: TransferRecord | null,
  deposit: Deposit,
): readonly Position[] {
  if (transfer === null || transfer.currency === null) return [];
  if (transfer.disposition === "none") return [];
  const currency = transfer.currency;
  const location = systemAccount(locationOf(transfer), currency);
  return summed([
    { account: location, currency, units: arrivedUnits(transfer) },
    owe(systemAccount("dust", currency), currency, transfer.withheldUnits ?? 0n),
    ...(transfer.units === 0n ? [] : owedPositions(transfer, currency, deposit)),
  ]).filter((position) => position.units !== 0n);
}

/** Sums the amounts per account: the kept and the refunded part of a payment share accounts. */
function summed(positions: readonly Position[]): readonly Position[] {
  const byAccount = new Map<string, Position>();
  for (const position of positions) {
    const key = `${position.currency} ${position.account}`;
    const units = (byAccount.get(key)?.units ?? 0n) + position.units;
    byAccount.set(key, { ...position, units });
  }
  return [...byAccount.values()];
}

function locationOf(transfer: TransferRecord): "chain" | "mempool" | "transit" {
  if (isOffChain(transfer)) return "transit";
  return transfer.block === null ? "mempool" : "chain";
}

function owedPositions(
  transfer: TransferRecord,
  currency: CurrencyId,
  deposit: Deposit,
): readonly Position[] {
  switch (transfer.disposition) {
    case "pending":
      // Without a price the amount owed to the wallet is unknown; until it is priced, the payment is booked as unresolved.
      return transfer.rate === null
        ? [owe(systemAccount("unresolved", currency), currency, transfer.units)]
        : walletPositions(transfer, currency, deposit, "pending", transfer);
    case "credited":
      return [
        owe(systemAccount("commission", currency), currency, transfer.commissionUnits),
        ...walletPositions(transfer, currency, deposit, "available", creditedOf(transfer)),
        ...(transfer.refund === null
          ? []
          : paidBackPositions(transfer, currency, deposit, transfer.refund)),
      ];
    case "refunded": {
      const refund = present(transfer.refund, `transfer ${transfer.id} was refunded`);
      return paidBackPositions(transfer, currency, deposit, refund);
    }
    case "unresolved":
    case "blocked":
    case "dust":
    case "misplaced":
      return [owe(systemAccount(transfer.disposition, currency), currency, transfer.units)];
    case "none":
      return [];
  }
}

/** One amount in the payment currency (`units`) and in the wallet's. */
type Worth = { readonly units: bigint; readonly targetUnits: bigint };

/** The wallet's share of a payment: the kept part less the commission. */
function creditedOf(transfer: TransferRecord): Worth {
  assert(transfer.rate !== null, `transfer ${transfer.id} has no price`);
  const kept = unrefundedPart(transfer);
  return {
    units: kept.units - transfer.commissionUnits,
    targetUnits: kept.targetUnits - transfer.targetCommissionUnits,
  };
}

/** The refunded part is credited without commission, at what its payout charges. */
function paidBackPositions(
  transfer: TransferRecord,
  currency: CurrencyId,
  deposit: Deposit,
  refund: Refund,
): readonly Position[] {
  return walletPositions(transfer, currency, deposit, "available", refund);
}

function walletPositions(
  { walletId }: TransferRecord,
  currency: CurrencyId,
  { walletCurrency }: Deposit,
  bucket: "available" | "pending",
  { units, targetUnits }: Worth,
): readonly Position[] {
  const wallet = walletAccount(walletId, bucket);
  if (currency === walletCurrency) return [owe(wallet, currency, units)];
  return [
    owe(systemAccount("conversion", currency), currency, units),
    {
      account: systemAccount("conversion", walletCurrency),
      currency: walletCurrency,
      units: targetUnits,
    },
    owe(wallet, walletCurrency, targetUnits),
  ];
}

function owe(account: LedgerAccount, currency: CurrencyId, units: bigint): Position {
  return { account, currency, units: -units };
}
