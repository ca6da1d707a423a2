import { present } from "../../platform/kernel/assert.ts";
import { type HexAddress, isAddress } from "./address.ts";
import { blockIntervalMs } from "./block.ts";
import type { ContractValue, Resource } from "./messages.ts";
import { type Context, limitOf, slotOf, sunPerTrx, usedAt } from "./resources.ts";
import type { Account, Delegation, Draft, State } from "./state.ts";
import { refuseContract } from "./transaction.ts";

/* Staking (version 2) and delegation: they give an account bandwidth and energy. Checks and texts are java-tron's. */

/** The account that a contract acts for. `invalid` is the text for bytes that are no address. */
export function ownerOf(draft: Draft, owner: HexAddress, invalid = "Invalid address"): Account {
  if (!isAddress(owner)) refuseContract(invalid);
  return draft.accounts.get(owner) ?? refuseContract(`Account[${owner}] not exists`);
}

export function freeze(
  draft: Draft,
  {
    owner_address: owner = "",
    frozen_balance: amount = 0n,
    resource = "BANDWIDTH",
  }: ContractValue<"FreezeBalanceV2Contract">,
): bigint {
  const account = ownerOf(draft, owner);
  if (amount <= 0n) refuseContract("frozenBalance must be positive");
  if (amount < sunPerTrx) refuseContract("frozenBalance must be greater than or equal to 1 TRX");
  if (amount > account.balance)
    refuseContract("frozenBalance must be less than or equal to accountBalance");
  const kind = stakeable(resource);
  draft.accounts.set(owner, {
    ...account,
    balance: account.balance - amount,
    staked: added(account.staked, kind, amount),
  });
  draft.weights = added(draft.weights, kind, weightOf(account, kind, amount));
  return 0n;
}

function stakeable(resource: string): Resource {
  if (resource === "BANDWIDTH" || resource === "ENERGY") return resource;
  return refuseContract("ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]");
}

/** By how much a change of its stake changes what an account adds to the total, which counts whole TRX. */
function weightOf(account: Account, kind: Resource, change: bigint): bigint {
  const before = account.staked[kind] + account.lent[kind];
  return (before + change) / sunPerTrx - before / sunPerTrx;
}

function added(
  amounts: Readonly<Record<Resource, bigint>>,
  kind: Resource,
  amount: bigint,
): Readonly<Record<Resource, bigint>> {
  return { ...amounts, [kind]: amounts[kind] + amount };
}

const dayMs = 86_400_000n;
const unfreezesMax = 32;

export function unfreeze(
  draft: Draft,
  {
    owner_address: owner = "",
    unfreeze_balance: amount = 0n,
    resource = "BANDWIDTH",
  }: ContractValue<"UnfreezeBalanceV2Contract">,
  { headTimestamp, settings }: Context,
): bigint {
  const account = ownerOf(draft, owner);
  const kind = stakeable(resource);
  if (account.staked[kind] === 0n) refuseContract(`no frozenBalance(${kind})`);
  if (amount <= 0n || amount > account.staked[kind])
    refuseContract(`Invalid unfreeze_balance, [${amount}] is error`);
  const now = BigInt(headTimestamp);
  const waiting = account.unstaking.filter(({ until }) => until > now);
  if (waiting.length >= unfreezesMax)
    refuseContract("Invalid unfreeze operation, unfreezing times is over limit");
  const returned = account.unstaking.filter(({ until }) => until <= now);
  const until = now + settings.parameters.getUnfreezeDelayDays * dayMs;
  draft.accounts.set(owner, {
    ...account,
    balance: account.balance + returned.reduce((sum, { amount: one }) => sum + one, 0n),
    staked: added(account.staked, kind, -amount),
    unstaking: [...waiting, { resource: kind, amount, until }],
  });
  draft.weights = added(draft.weights, kind, weightOf(account, kind, -amount));
  return 0n;
}

/** A stake that is delegated without a lock and one with a lock are kept apart. */
export function delegationKey(from: HexAddress, to: HexAddress, isLocked: boolean): string {
  return `${from}:${to}:${isLocked ? "locked" : "free"}`;
}

/** Blocks of three days, when a lock names no period. */
const lockPeriodDefault = 86_400n;

/** How much of its stake an account can delegate: what it has not used up itself. */
export function delegableOf(
  account: Account,
  kind: Resource,
  state: State,
  { settings, headTimestamp }: Pick<Context, "settings" | "headTimestamp">,
): bigint {
  const usage = kind === "ENERGY" ? account.energy : account.net;
  const limit = limitOf(account, kind, state, settings);
  const all = account.staked[kind] + account.borrowed[kind];
  if (limit === 0n) return account.staked[kind];
  const occupied = (usedAt(usage, slotOf(headTimestamp)) * all) / limit - account.borrowed[kind];
  const free = account.staked[kind] - (occupied > 0n ? occupied : 0n);
  return free > 0n ? free : 0n;
}

export function delegate(
  draft: Draft,
  value: ContractValue<"DelegateResourceContract">,
  context: Context,
): bigint {
  const { owner_address: owner = "", receiver_address: to = "", balance = 0n } = value;
  const account = ownerOf(draft, owner);
  if (balance < sunPerTrx) refuseContract("delegateBalance must be greater than or equal to 1 TRX");
  const kind = stakeable(value.resource ?? "BANDWIDTH");
  if (delegableOf(account, kind, draft, context) < balance)
    refuseContract(
      `delegateBalance must be less than or equal to available Freeze${kind === "ENERGY" ? "Energy" : "Bandwidth"}V2 balance`,
    );
  if (!isAddress(to)) refuseContract("Invalid receiverAddress");
  if (to === owner) refuseContract("receiverAddress must not be the same as ownerAddress");
  const receiver = draft.accounts.get(to) ?? refuseContract(`Account[${to}] not exists`);
  const isLocked = value.lock ?? false;
  const period = (value.lock_period ?? 0n) === 0n ? lockPeriodDefault : (value.lock_period ?? 0n);
  if (isLocked) checkLock(draft, { owner, to, kind, period }, context);
  if (receiver.type === "Contract")
    refuseContract("Do not allow delegate resources to contract addresses");
  unlockExpired(draft, owner, to, context);
  const until = BigInt(context.headTimestamp) + period * BigInt(blockIntervalMs);
  lend(draft, { owner, to, kind, amount: balance, isLocked, until: isLocked ? until : 0n });
  const borrower = present(draft.accounts.get(to), "the receiver");
  draft.accounts.set(to, { ...borrower, borrowed: added(borrower.borrowed, kind, balance) });
  draft.accounts.set(owner, {
    ...account,
    staked: added(account.staked, kind, -balance),
    lent: added(account.lent, kind, balance),
  });
  return 0n;
}

function checkLock(
  draft: Draft,
  lock: {
    readonly owner: HexAddress;
    readonly to: HexAddress;
    readonly kind: Resource;
    readonly period: bigint;
  },
  { settings, headTimestamp }: Context,
): void {
  const { owner, to, kind, period } = lock;
  const periodMax = settings.parameters.getMaxDelegateLockPeriod;
  if (period < 0n || period > periodMax)
    refuseContract(
      `The lock period of delegate resource cannot be less than 0 and cannot exceed ${periodMax}!`,
    );
  const locked = draft.delegations.get(delegationKey(owner, to, true));
  const remaining = (locked?.until[kind] ?? 0n) - BigInt(headTimestamp);
  if (locked !== undefined && period * BigInt(blockIntervalMs) < remaining)
    refuseContract(
      `The lock period for ${kind} this time cannot be less than the remaining time[${remaining}ms] of the last lock period for ${kind}!`,
    );
}

function lend(
  draft: Draft,
  change: {
    readonly owner: HexAddress;
    readonly to: HexAddress;
    readonly kind: Resource;
    readonly amount: bigint;
    readonly isLocked: boolean;
    readonly until: bigint;
  },
): void {
  const { owner, to, kind, amount, isLocked, until } = change;
  const key = delegationKey(owner, to, isLocked);
  const nothing = { BANDWIDTH: 0n, ENERGY: 0n };
  const former: Delegation = draft.delegations.get(key) ?? {
    from: owner,
    to,
    isLocked,
    balances: nothing,
    until: nothing,
  };
  const balances = added(former.balances, kind, amount);
  if (balances.BANDWIDTH === 0n && balances.ENERGY === 0n) draft.delegations.delete(key);
  else
    draft.delegations.set(key, {
      ...former,
      balances,
      until: { ...former.until, [kind]: until },
    });
}

/** Moves what was locked, and no longer is, to the delegation without a lock. */
function unlockExpired(
  draft: Draft,
  owner: HexAddress,
  to: HexAddress,
  { headTimestamp }: Context,
): void {
  for (const kind of ["BANDWIDTH", "ENERGY"] as const) {
    const locked = draft.delegations.get(delegationKey(owner, to, true));
    const amount = locked?.balances[kind] ?? 0n;
    if (amount === 0n || (locked?.until[kind] ?? 0n) >= BigInt(headTimestamp)) continue;
    lend(draft, { owner, to, kind, amount: -amount, isLocked: true, until: 0n });
    lend(draft, { owner, to, kind, amount, isLocked: false, until: 0n });
  }
}

export function undelegate(
  draft: Draft,
  value: ContractValue<"UnDelegateResourceContract">,
  context: Context,
): bigint {
  const { owner_address: owner = "", receiver_address: to = "", balance = 0n } = value;
  ownerOf(draft, owner);
  if (!isAddress(to)) refuseContract("Invalid receiverAddress");
  if (to === owner) refuseContract("receiverAddress must not be the same as ownerAddress");
  unlockExpired(draft, owner, to, context);
  const free = draft.delegations.get(delegationKey(owner, to, false));
  if (free === undefined && !draft.delegations.has(delegationKey(owner, to, true)))
    refuseContract("delegated Resource does not exist");
  if (balance <= 0n) refuseContract("unDelegateBalance must be more than 0 TRX");
  const kind = stakeable(value.resource ?? "BANDWIDTH");
  const available = free?.balances[kind] ?? 0n;
  if (available < balance)
    refuseContract(
      `insufficient ${kind === "ENERGY" ? "delegateFrozenBalance(Energy)" : "delegatedFrozenBalance(BANDWIDTH)"}, request=${balance}, unlock_balance=${available}`,
    );
  const moved = takeBack(draft, to, kind, balance, context);
  lend(draft, { owner, to, kind, amount: -balance, isLocked: false, until: 0n });
  const account = present(draft.accounts.get(owner), "the owner");
  const usage = kind === "ENERGY" ? "energy" : "net";
  const now = slotOf(context.headTimestamp);
  draft.accounts.set(owner, {
    ...account,
    staked: added(account.staked, kind, balance),
    lent: added(account.lent, kind, -balance),
    [usage]: { used: usedAt(account[usage], now) + moved, slot: now },
  });
  return 0n;
}

/** Ends the receiver's use of a stake. Returns how much of the stake's daily amount the receiver has used up. */
function takeBack(
  draft: Draft,
  to: HexAddress,
  kind: Resource,
  balance: bigint,
  { headTimestamp, settings }: Context,
): bigint {
  const receiver = present(draft.accounts.get(to), "the receiver");
  const usage = kind === "ENERGY" ? "energy" : "net";
  const now = slotOf(headTimestamp);
  const used = usedAt(receiver[usage], now);
  const all = receiver.staked[kind] + receiver.borrowed[kind];
  const limit = limitOf(receiver, kind, draft, settings);
  const share = all === 0n ? 0n : (used * balance) / all;
  const shareMax = all === 0n ? 0n : (limit * balance) / all;
  const moved = share < shareMax ? share : shareMax;
  draft.accounts.set(to, {
    ...receiver,
    borrowed: added(receiver.borrowed, kind, -balance),
    [usage]: { used: used - moved, slot: now },
  });
  return moved;
}
