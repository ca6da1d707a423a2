import { addressText } from "./address.ts";
import type { ApplyData } from "./apply-data.ts";
import { without } from "./msgpack.ts";
import { refuse } from "./refusal.ts";
import type { Account, Asset, Draft } from "./state.ts";
import type { AssetParams, Transaction } from "./transaction.ts";

const zeroAddress = addressText(new Uint8Array(32));
/** Manager, reserve, freeze and clawback. */
const roles = ["m", "r", "f", "c"] as const;
type Role = (typeof roles)[number];

const amountMax = 2n ** 64n - 1n;

/** Creates an asset, changes its roles, or destroys it. */
export function applyAssetConfig(
  draft: Draft,
  { apar, caid = 0n }: Transaction,
  sender: string,
): ApplyData {
  if (caid === 0n) return createAsset(draft, apar ?? {}, sender);
  const asset = assetIn(draft, caid);
  const { creator, params } = asset;
  if (params.m === undefined || addressText(params.m) !== sender)
    refuse(
      `this transaction should be issued by the manager. It is issued by ${sender}, manager key ${textOf(params.m)}`,
    );
  if (apar === undefined) destroyAsset(draft, caid, asset);
  else {
    // A role that was given up can never be taken again.
    const kept = (role: Role): AssetParams =>
      params[role] === undefined || apar[role] === undefined ? {} : { [role]: apar[role] };
    const fixed = without(params, roles);
    const changed = { ...fixed, ...kept("m"), ...kept("r"), ...kept("f"), ...kept("c") };
    draft.assets.put(caid, { creator, params: changed });
  }
  return {};
}

function createAsset(draft: Draft, params: AssetParams, sender: string): ApplyData {
  const id = draft.counter() + 1n;
  const account = draft.account(sender);
  draft.assets.put(id, { creator: sender, params });
  putHolding(draft, sender, id, { amount: params.t ?? 0n, isFrozen: false });
  draft.putAccount(sender, {
    ...draft.account(sender),
    createdAssets: [...account.createdAssets, id],
  });
  return { caid: id };
}

function destroyAsset(draft: Draft, id: bigint, { creator, params }: Asset): void {
  const { amount } = draft.account(creator).holdings.get(id) ?? { amount: 0n };
  const total = params.t ?? 0n;
  if (amount !== total) refuse(`cannot destroy asset: creator is holding only ${amount}/${total}`);
  dropHolding(draft, creator, id);
  const account = draft.account(creator);
  const createdAssets = account.createdAssets.filter((one) => one !== id);
  draft.putAccount(creator, { ...account, createdAssets });
  draft.assets.put(id, null);
}

/** Moves an asset: a transfer, an opt-in, a clawback, a holding that closes. */
export function applyAssetTransfer(
  draft: Draft,
  { aamt = 0n, aclose, arcv, asnd, xaid = 0n }: Transaction,
  sender: string,
): ApplyData {
  const receiver = textOf(arcv);
  const isClawback = asnd !== undefined;
  if (isClawback) {
    const { c } = assetIn(draft, xaid).params;
    if (c === undefined || addressText(c) !== sender)
      refuse(`clawback not allowed: sender ${sender}, clawback ${textOf(c)}`);
  }
  const source = isClawback ? addressText(asnd) : sender;
  if (aamt === 0n && receiver === source && !isClawback) optIn(draft, source, xaid);
  takeOut(draft, source, xaid, { amount: aamt, mayBeFrozen: isClawback });
  putIn(draft, receiver, xaid, { amount: aamt, mayBeFrozen: isClawback });
  return aclose === undefined ? {} : closeHolding(draft, source, xaid, addressText(aclose));
}

function optIn(draft: Draft, address: string, id: bigint): void {
  if (draft.account(address).holdings.has(id)) return;
  const { df = false } = assetIn(draft, id).params;
  putHolding(draft, address, id, { amount: 0n, isFrozen: df });
}

function closeHolding(draft: Draft, source: string, id: bigint, target: string): ApplyData {
  const account = draft.account(source);
  if (account.holdings.size === 0)
    refuse(
      `cannot close asset holding on account ${source} : account is not opted in asset ${id} `,
    );
  const creator = draft.assets.get(id)?.creator;
  if (creator === source) refuse("cannot close asset ID in allocating account");
  const holding = account.holdings.get(id);
  if (holding === undefined) refuse(`asset ${id} not present in account ${source}`);
  const { amount } = holding;
  // A holder may always give back to the creator.
  const moved = { amount, mayBeFrozen: creator === target };
  takeOut(draft, source, id, moved);
  putIn(draft, target, id, moved);
  const left = draft.account(source).holdings.get(id)?.amount ?? 0n;
  if (left !== 0n) refuse(`asset ${id} not zero (${left}) after closing`);
  dropHolding(draft, source, id);
  return amount === 0n ? {} : { aca: amount };
}

/** Freezes a holding, or frees it. */
export function applyAssetFreeze(
  draft: Draft,
  { afrz = false, fadd, faid = 0n }: Transaction,
  sender: string,
): ApplyData {
  const { f } = assetIn(draft, faid).params;
  if (f === undefined || addressText(f) !== sender)
    refuse(`freeze not allowed: sender ${sender}, freeze ${textOf(f)}`);
  const address = textOf(fadd);
  const holding = draft.account(address).holdings.get(faid);
  if (holding === undefined) refuse("asset not found in account");
  putHolding(draft, address, faid, { ...holding, isFrozen: afrz });
  return {};
}

type Moved = { readonly amount: bigint; readonly mayBeFrozen: boolean };

function takeOut(draft: Draft, address: string, id: bigint, { amount, mayBeFrozen }: Moved): void {
  if (amount === 0n) return;
  const holding = draft.account(address).holdings.get(id);
  if (holding === undefined) refuse(`asset ${id} missing from ${address}`);
  if (holding.isFrozen && !mayBeFrozen) refuse(`asset ${id} frozen in ${address}`);
  if (holding.amount < amount)
    refuse(`underflow on subtracting ${amount} from sender amount ${holding.amount}`);
  putHolding(draft, address, id, { ...holding, amount: holding.amount - amount });
}

function putIn(draft: Draft, address: string, id: bigint, { amount, mayBeFrozen }: Moved): void {
  if (amount === 0n) return;
  const holding = draft.account(address).holdings.get(id);
  if (holding === undefined)
    refuse(`receiver error: must optin, asset ${id} missing from ${address}`);
  if (holding.isFrozen && !mayBeFrozen) refuse("asset frozen in recipient");
  if (holding.amount + amount > amountMax)
    refuse(`overflow on adding ${amount} to receiver amount ${holding.amount}`);
  putHolding(draft, address, id, { ...holding, amount: holding.amount + amount });
}

function assetIn(draft: Draft, id: bigint): Asset {
  return draft.assets.get(id) ?? refuse(`asset ${id} does not exist or has been deleted`);
}

function putHolding(
  draft: Draft,
  address: string,
  id: bigint,
  holding: { readonly amount: bigint; readonly isFrozen: boolean },
): void {
  const account = draft.account(address);
  draft.putAccount(address, withHoldings(account, [...account.holdings, [id, holding]]));
}

function dropHolding(draft: Draft, address: string, id: bigint): void {
  const account = draft.account(address);
  const kept = [...account.holdings].filter(([asset]) => asset !== id);
  draft.putAccount(address, withHoldings(account, kept));
}

function withHoldings(
  account: Account,
  holdings: Iterable<readonly [bigint, { readonly amount: bigint; readonly isFrozen: boolean }]>,
): Account {
  return { ...account, holdings: new Map(holdings) };
}

function textOf(account: Uint8Array | undefined): string {
  return account === undefined ? zeroAddress : addressText(account);
}
