import { present } from "../../platform/kernel/assert.ts";
import { type HexAddress, toBase58 } from "./address.ts";
import { blockIntervalMs } from "./block.ts";
import type { Resource } from "./messages.ts";
import type { Settings } from "./parameters.ts";
import type { Account, Draft, State, Usage } from "./state.ts";
import { Refusal, refuseContract } from "./transaction.ts";

export const sunPerTrx = 1_000_000n;

/** Slots of three seconds in which a use decays to zero. */
export const windowSlots = 28_800n;
/** java-tron's precision of averages. */
const precision = 1_000_000n;

/** What a transaction executes against. Times in milliseconds. */
export type Context = {
  readonly settings: Settings;
  readonly number: number;
  readonly timestamp: number;
  /** Of the block before. */
  readonly headTimestamp: number;
};

export function slotOf(timestamp: number): bigint {
  return BigInt(Math.floor(timestamp / blockIntervalMs));
}

/** What is left of a use: it falls linearly over a day. */
export function usedAt({ used, slot }: Usage, now: bigint): bigint {
  const delta = now - slot;
  if (delta <= 0n) return used;
  if (delta >= windowSlots) return 0n;
  const average = (used * precision + windowSlots - 1n) / windowSlots;
  const decayed = (average * (windowSlots - delta) * 2n + windowSlots) / (windowSlots * 2n);
  return (decayed * windowSlots) / precision;
}

function addUse(usage: Usage, amount: bigint, now: bigint): Usage {
  return { used: usedAt(usage, now) + amount, slot: now };
}

/** What an account's stakes, its own and borrowed ones, give it per day. */
export function limitOf(
  account: Account,
  resource: Resource,
  { weights }: State,
  { parameters }: Settings,
): bigint {
  const stake = account.staked[resource] + account.borrowed[resource];
  const total =
    resource === "ENERGY" ? parameters.getTotalEnergyCurrentLimit : parameters.getTotalNetLimit;
  return weights[resource] === 0n ? 0n : (stake * total) / (sunPerTrx * weights[resource]);
}

/** Energy that an account can use without paying. */
export function energyLeft(
  account: Account,
  state: State,
  { settings, headTimestamp }: Context,
): bigint {
  const left =
    limitOf(account, "ENERGY", state, settings) - usedAt(account.energy, slotOf(headTimestamp));
  return left > 0n ? left : 0n;
}

export function useEnergy(
  draft: Draft,
  address: HexAddress,
  amount: bigint,
  { headTimestamp }: Context,
): void {
  const account = present(draft.accounts.get(address), "the account");
  const energy = addUse(account.energy, amount, slotOf(headTimestamp));
  draft.accounts.set(address, { ...account, energy, usedAt: BigInt(headTimestamp) });
}

/** Adds to a balance, which must stay at zero or above. */
export function addBalance(draft: Draft, address: HexAddress, sun: bigint): void {
  const account = present(draft.accounts.get(address), "the account");
  draft.accounts.set(address, { ...account, balance: account.balance + sun });
}

/** What a transaction's bytes cost: from the resource (`usage`) or in sun (`fee`). */
export type BandwidthBill = { readonly usage: bigint; readonly fee: bigint };

/**
 * Charges a transaction of `bytes`: from the sender's stake, from its free bandwidth, or as a fee. A transaction that makes
 * an account uses staked bandwidth only, and costs a fixed fee without it.
 */
export function payBandwidth(
  draft: Draft,
  owner: HexAddress,
  bytes: bigint,
  makesAccount: boolean,
  { settings, headTimestamp }: Context,
): BandwidthBill {
  const account = draft.accounts.get(owner);
  if (account === undefined) refuseContract(`account [${toBase58(owner)}] does not exist`);
  const now = slotOf(headTimestamp);
  const used = { ...account, usedAt: BigInt(headTimestamp) };
  const limit = limitOf(account, "BANDWIDTH", draft, settings);
  if (bytes <= limit - usedAt(account.net, now)) {
    draft.accounts.set(owner, { ...used, net: addUse(account.net, bytes, now) });
    return { usage: bytes, fee: 0n };
  }
  const { getFreeNetLimit, getTransactionFee, getCreateAccountFee } = settings.parameters;
  if (!makesAccount && bytes <= getFreeNetLimit - usedAt(account.freeNet, now)) {
    draft.accounts.set(owner, { ...used, freeNet: addUse(account.freeNet, bytes, now) });
    return { usage: bytes, fee: 0n };
  }
  const fee = makesAccount ? getCreateAccountFee : getTransactionFee * bytes;
  if (account.balance < fee)
    throw new Refusal(
      "BANDWITH_ERROR",
      `account [${toBase58(owner)}] has insufficient bandwidth[${bytes}] and balance[${fee}] to create new account`,
    );
  draft.accounts.set(owner, { ...used, balance: account.balance - fee });
  return { usage: 0n, fee };
}
