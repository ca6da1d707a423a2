import type { Executor } from "../platform/db/database.ts";
import { assert, present } from "../platform/kernel/assert.ts";
import { minBigInt } from "../platform/kernel/bigint-min-max.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import {
  insertPostings,
  lockBalances,
  updateBalances,
  type WalletBalance,
} from "./ledger.store.ts";
import { parseWalletAccount, systemAccount, walletAccount } from "./ledger-account.ts";
import { appendPositions } from "./position.store.ts";
import { type Entry, postingsBetween } from "./posting.ts";

/**
 * Writes postings and updates the balances of the wallets they touch, in the caller's transaction. Locks wallets in
 * id order, so transactions cannot deadlock. A reversal never fails for lack of funds: what the wallet cannot cover
 * becomes a deficit, which later credits repay first.
 */
export async function post(tx: Executor, entries: readonly Entry[], now: Instant): Promise<void> {
  const changes = balanceChanges(entries);
  const rows = await lockBalances(tx, [...changes.values()]);
  await write(tx, rows, changes, entries, now);
}

/** Like `post`, for callers that have locked and read the balances of all wallets involved. */
export async function postLocked(
  tx: Executor,
  locked: readonly WalletBalance[],
  entries: readonly Entry[],
  now: Instant,
): Promise<void> {
  const changes = balanceChanges(entries);
  const rows = locked.filter(({ walletId }) => changes.has(walletId));
  await write(tx, rows, changes, entries, now);
}

async function write(
  tx: Executor,
  rows: readonly WalletBalance[],
  changes: ReadonlyMap<string, BalanceChange>,
  entries: readonly Entry[],
  now: Instant,
): Promise<void> {
  const settled = rows.map((row) => {
    const change = present(changes.get(row.walletId), `change of wallet ${row.walletId}`);
    return { change, after: settleDeficit(addChange(row, change)) };
  });
  assert(settled.length === changes.size, "a posting names a wallet that does not exist");
  const deficitEntries = settled.map(({ change, after }) => deficitEntry(change, after));
  await Promise.all([
    insertPostings(tx, [...entries, ...deficitEntries], now),
    appendPositions(tx, conversionsOf(entries)),
    updateBalances(
      tx,
      settled.map(({ after }) => after.balance),
    ),
  ]);
}

/** What the postings add to the operator's position in each currency. */
function conversionsOf(entries: readonly Entry[]): ReadonlyMap<CurrencyId, bigint> {
  const changes = new Map<CurrencyId, bigint>();
  for (const { debit, credit, currency, units } of entries.flatMap(({ postings }) => postings)) {
    const conversion = systemAccount("conversion", currency);
    const gained = (credit === conversion ? units : 0n) - (debit === conversion ? units : 0n);
    changes.set(currency, (changes.get(currency) ?? 0n) + gained);
  }
  return changes;
}

type BalanceChange = {
  readonly accountId: string;
  readonly walletId: string;
  readonly currency: CurrencyId;
  available: bigint;
  pending: bigint;
  held: bigint;
};

/** What the postings add to each bucket of each wallet: credits add, debits subtract. */
function balanceChanges(entries: readonly Entry[]): Map<string, BalanceChange> {
  const changes = new Map<string, BalanceChange>();
  const add = (accountId: string, account: string, currency: CurrencyId, units: bigint): void => {
    const wallet = parseWalletAccount(account);
    if (wallet === null) return;
    const { walletId, bucket } = wallet;
    const change = changes.get(walletId) ?? {
      accountId,
      walletId,
      currency,
      available: 0n,
      pending: 0n,
      held: 0n,
    };
    assert(change.currency === currency, `wallet ${walletId} is booked in two currencies`);
    assert(bucket !== "deficit", "the deficit is booked by post() alone");
    change[bucket] += units;
    changes.set(walletId, change);
  };
  for (const { accountId, postings } of entries) {
    for (const posting of postings) {
      add(accountId, posting.credit, posting.currency, posting.units);
      add(accountId, posting.debit, posting.currency, -posting.units);
    }
  }
  return changes;
}

function addChange(row: WalletBalance, change: BalanceChange): WalletBalance {
  const pending = row.pending + change.pending;
  const held = row.held + change.held;
  assert(pending >= 0n, `pending balance of wallet ${row.walletId} would fall below zero`);
  assert(held >= 0n, `held balance of wallet ${row.walletId} would fall below zero`);
  return { ...row, pending, held, available: row.available + change.available };
}

type Settled = {
  readonly balance: WalletBalance;
  /** Positive: moved into the deficit. Negative: repaid. */
  readonly deficitChange: bigint;
};

function settleDeficit(balance: WalletBalance): Settled {
  const { available, deficit } = balance;
  // Less than zero where funds are missing: then the deficit grows.
  const repaid = minBigInt(available, deficit);
  return {
    balance: { ...balance, available: available - repaid, deficit: deficit - repaid },
    deficitChange: -repaid,
  };
}

/** Without postings if the deficit stays as it is. */
function deficitEntry(change: BalanceChange, { deficitChange }: Settled): Entry {
  const { accountId, walletId, currency } = change;
  const postings = postingsBetween(
    [],
    [
      { account: walletAccount(walletId, "deficit"), currency, units: deficitChange },
      { account: walletAccount(walletId, "available"), currency, units: -deficitChange },
    ],
  );
  return { accountId, cause: `deficit:${walletId}`, postings };
}
