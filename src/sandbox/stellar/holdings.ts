import { Asset } from "@stellar/stellar-sdk/base";
import { PublicKey, type Asset as XdrAsset } from "@stellar/stellar-sdk/xdr";
import { assert, present } from "../../platform/kernel/assert.ts";
import {
  changedAccount,
  changedTrustLine,
  liabilitiesOf,
  type Owed,
  spendableOf,
} from "./entries.ts";
import { unitsMax } from "./exchange.ts";
import type { Draft } from "./state.ts";

/** The ledger whose balances change. */
export type Books = { readonly draft: Draft; readonly ledger: number };

/** What an account can do with an asset. Issuers have and take any amount of their own. */
export type Holding = {
  readonly balance: bigint;
  /** Less the reserve and what its offers sell; may be negative after a reserve grew. */
  readonly sendable: bigint;
  /** Less what its offers buy. */
  readonly receivable: bigint;
};

const unlimited: Holding = { balance: unitsMax, sendable: unitsMax, receivable: unitsMax };

/** Null without a trust line, or without an account. */
export function holdingOf(owner: PublicKey, asset: XdrAsset, { draft }: Books): Holding | null {
  const named = Asset.fromOperation(asset);
  if (isIssuer(owner, named)) return unlimited;
  if (named.isNative()) {
    const account = draft.account(owner);
    if (account === null) return null;
    const { balance } = account;
    const { buying } = liabilitiesOf(account);
    return { balance, sendable: spendableOf(account), receivable: unitsMax - balance - buying };
  }
  const line = draft.trustLine(owner, named);
  if (line === null) return null;
  const { balance, limit } = line;
  const { buying, selling } = liabilitiesOf(line);
  return { balance, sendable: balance - selling, receivable: limit - balance - buying };
}

/** Adds units to a balance that can take them, or takes them with a negative number. */
export function addUnits(owner: PublicKey, asset: XdrAsset, units: bigint, books: Books): void {
  const holding = present(holdingOf(owner, asset, books), "a holding");
  const { receivable, sendable } = holding;
  assert(
    units > 0n ? units <= receivable : -units <= sendable || units === 0n,
    "a balance in bounds",
  );
  const { draft, ledger } = books;
  const named = Asset.fromOperation(asset);
  if (isIssuer(owner, named)) return;
  const balance = holding.balance + units;
  if (named.isNative()) {
    const account = present(draft.account(owner), "an account");
    draft.put(changedAccount(account, { balance }, ledger));
  } else {
    const line = present(draft.trustLine(owner, named), "a trust line");
    draft.put(changedTrustLine(line, { balance }, ledger));
  }
}

/** Adds to what an account's offers may have to receive or to send of an asset, or takes from it. */
export function addLiabilities(
  owner: PublicKey,
  asset: XdrAsset,
  more: Owed,
  { draft, ledger }: Books,
): void {
  const named = Asset.fromOperation(asset);
  if (isIssuer(owner, named)) return;
  const sum = (now: Owed): Owed => ({
    buying: now.buying + more.buying,
    selling: now.selling + more.selling,
  });
  if (named.isNative()) {
    const account = present(draft.account(owner), "an account");
    draft.put(changedAccount(account, { liabilities: sum(liabilitiesOf(account)) }, ledger));
  } else {
    const line = present(draft.trustLine(owner, named), "a trust line");
    draft.put(changedTrustLine(line, { liabilities: sum(liabilitiesOf(line)) }, ledger));
  }
}

export function isIssuer({ ed25519 }: PublicKey, asset: Asset): boolean {
  if (asset.isNative()) return false;
  return PublicKey.publicKeyTypeEd25519(ed25519).equals(issuerOf(asset));
}

export function issuerOf(asset: Asset): PublicKey {
  const xdr = asset.toTrustLineXdrObject();
  if (xdr.type === "assetTypeCreditAlphanum4") return xdr.alphaNum4.issuer;
  if (xdr.type === "assetTypeCreditAlphanum12") return xdr.alphaNum12.issuer;
  throw new RangeError("only tokens have an issuer");
}
