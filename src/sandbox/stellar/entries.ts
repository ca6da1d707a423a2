import { Asset } from "@stellar/stellar-sdk/base";
import {
  AccountEntry,
  AccountEntryExt,
  AccountEntryExtensionV1,
  AccountEntryExtensionV1Ext,
  AccountEntryExtensionV2,
  AccountEntryExtensionV2Ext,
  type ClaimableBalanceId,
  LedgerEntry,
  LedgerEntryData,
  LedgerEntryExt,
  LedgerEntryExtensionV1,
  LedgerEntryExtensionV1Ext,
  LedgerKey,
  LedgerKeyAccount,
  LedgerKeyClaimableBalance,
  LedgerKeyData,
  LedgerKeyOffer,
  LedgerKeyTrustLine,
  Liabilities,
  type MuxedAccount,
  PublicKey,
  Thresholds,
  type TrustLineAsset,
  TrustLineEntry,
  TrustLineEntryExt,
  TrustLineEntryV1,
  TrustLineEntryV1Ext,
} from "@stellar/stellar-sdk/xdr";

/** Stroops that each entry of an account reserves. */
export const baseReserve = 5_000_000n;

/** The account in a G- or M-address. */
export function accountOf(account: MuxedAccount): PublicKey {
  return PublicKey.publicKeyTypeEd25519(
    account.type === "keyTypeEd25519" ? account.ed25519 : account.med25519.ed25519,
  );
}

/** The key of an entry in maps. */
export function nameOf(key: LedgerKey): string {
  return key.toXdr("base64");
}

export function accountKey(accountId: PublicKey): LedgerKey {
  return LedgerKey.account(new LedgerKeyAccount({ accountId }));
}

export function trustLineKey(accountId: PublicKey, asset: Asset): LedgerKey {
  return LedgerKey.trustline(
    new LedgerKeyTrustLine({ accountId, asset: asset.toTrustLineXdrObject() }),
  );
}

export function offerKey(sellerId: PublicKey, offerId: bigint): LedgerKey {
  return LedgerKey.offer(new LedgerKeyOffer({ sellerId, offerId }));
}

export function claimableBalanceKey(balanceId: ClaimableBalanceId): LedgerKey {
  return LedgerKey.claimableBalance(new LedgerKeyClaimableBalance({ balanceId }));
}

/** The key under which an entry is found. Throws for entries that this ledger never has. */
export function keyOf({ data }: LedgerEntry): LedgerKey {
  if (data.type === "account") return accountKey(data.account.accountId);
  if (data.type === "trustline") {
    const { accountId, asset } = data.trustLine;
    return LedgerKey.trustline(new LedgerKeyTrustLine({ accountId, asset }));
  }
  if (data.type === "data") {
    const { accountId, dataName } = data.data;
    return LedgerKey.data(new LedgerKeyData({ accountId, dataName }));
  }
  if (data.type === "claimableBalance") return claimableBalanceKey(data.claimableBalance.balanceId);
  if (data.type === "offer") return offerKey(data.offer.sellerId, data.offer.offerId);
  throw new RangeError(`the simulated ledger has no entries of the type ${data.type}`);
}

export type AccountChange = {
  readonly balance?: bigint;
  readonly seqNum?: bigint;
  readonly numSubEntries?: number;
  readonly sponsorship?: Sponsorship;
  readonly liabilities?: Owed;
};

/** How many entries' reserves others keep for an account, and how many it keeps for others. */
export type Sponsorship = { readonly sponsored: number; readonly sponsoring: number };

/** What the offers of an account may have to receive and to send. */
export type Owed = { readonly buying: bigint; readonly selling: bigint };

export function sponsorshipOf({ ext }: AccountEntry): Sponsorship {
  const v2 = ext.type === "v1" && ext.v1.ext.type === "v2" ? ext.v1.ext.v2 : null;
  return { sponsored: v2?.numSponsored ?? 0, sponsoring: v2?.numSponsoring ?? 0 };
}

/** What the offers of an account owe in the coin, or in the token of a trust line. */
export function liabilitiesOf({ ext }: AccountEntry | TrustLineEntry): Owed {
  return ext.type === "v1" ? ext.v1.liabilities : { buying: 0n, selling: 0n };
}

function accountExt(liabilities: Owed, { sponsored, sponsoring }: Sponsorship): AccountEntryExt {
  return AccountEntryExt.v1(
    new AccountEntryExtensionV1({
      liabilities: new Liabilities(liabilities),
      ext: AccountEntryExtensionV1Ext.v2(
        new AccountEntryExtensionV2({
          numSponsored: sponsored,
          numSponsoring: sponsoring,
          signerSponsoringIDs: [],
          ext: AccountEntryExtensionV2Ext.v0(),
        }),
      ),
    }),
  );
}

/** The entry, whose reserve that account keeps. */
export function sponsoredBy(entry: LedgerEntry, sponsor: PublicKey): LedgerEntry {
  const { data, lastModifiedLedgerSeq } = entry;
  return new LedgerEntry({
    lastModifiedLedgerSeq,
    data,
    ext: LedgerEntryExt.v1(
      new LedgerEntryExtensionV1({ sponsoringId: sponsor, ext: LedgerEntryExtensionV1Ext.v0() }),
    ),
  });
}

/** Who keeps the entry's reserve; null: its owner. */
export function sponsorOf({ ext }: LedgerEntry): PublicKey | null {
  return ext.type === "v1" ? ext.v1.sponsoringId : null;
}

export function newAccount(
  accountId: PublicKey,
  balance: bigint,
  seqNum: bigint,
  ledger: number,
): LedgerEntry {
  return entryOf(
    LedgerEntryData.account(
      new AccountEntry({
        accountId,
        balance,
        seqNum,
        numSubEntries: 0,
        inflationDest: null,
        flags: 0,
        homeDomain: "",
        thresholds: new Thresholds(Uint8Array.of(1, 0, 0, 0)),
        signers: [],
        ext: AccountEntryExt.v0(),
      }),
    ),
    ledger,
  );
}

export function changedAccount(
  account: AccountEntry,
  change: AccountChange,
  ledger: number,
): LedgerEntry {
  const { accountId, inflationDest, flags, homeDomain, thresholds, signers } = account;
  const { liabilities, sponsorship } = change;
  const ext =
    liabilities === undefined && sponsorship === undefined
      ? account.ext
      : accountExt(liabilities ?? liabilitiesOf(account), sponsorship ?? sponsorshipOf(account));
  return entryOf(
    LedgerEntryData.account(
      new AccountEntry({
        accountId,
        balance: change.balance ?? account.balance,
        seqNum: change.seqNum ?? account.seqNum,
        numSubEntries: change.numSubEntries ?? account.numSubEntries,
        inflationDest,
        flags,
        homeDomain,
        thresholds,
        signers,
        ext,
      }),
    ),
    ledger,
  );
}

export function newTrustLine(
  accountId: PublicKey,
  asset: TrustLineAsset,
  limit: bigint,
  ledger: number,
): LedgerEntry {
  const authorized = 1;
  const ext = TrustLineEntryExt.v0();
  const line = { accountId, asset, balance: 0n, limit, flags: authorized, ext };
  return entryOf(LedgerEntryData.trustline(new TrustLineEntry(line)), ledger);
}

export function changedTrustLine(
  line: TrustLineEntry,
  change: { readonly balance?: bigint; readonly limit?: bigint; readonly liabilities?: Owed },
  ledger: number,
): LedgerEntry {
  const { accountId, asset, flags } = line;
  const balance = change.balance ?? line.balance;
  const limit = change.limit ?? line.limit;
  const ext =
    change.liabilities === undefined
      ? line.ext
      : TrustLineEntryExt.v1(
          new TrustLineEntryV1({
            liabilities: new Liabilities(change.liabilities),
            ext: TrustLineEntryV1Ext.v0(),
          }),
        );
  const changed = new TrustLineEntry({ accountId, asset, balance, limit, flags, ext });
  return entryOf(LedgerEntryData.trustline(changed), ledger);
}

export function entryOf(data: LedgerEntryData, lastModifiedLedgerSeq: number): LedgerEntry {
  return new LedgerEntry({ lastModifiedLedgerSeq, data, ext: LedgerEntryExt.v0() });
}

/** What an account must keep: two entries for itself and one for each of its others, less those that others keep, and those of others. */
function reserveOf(account: AccountEntry): bigint {
  const { sponsored, sponsoring } = sponsorshipOf(account);
  return BigInt(2 + account.numSubEntries + sponsoring - sponsored) * baseReserve;
}

/** What the account can send of the coin: neither its reserve nor what its offers sell. May be negative after its reserve grew. */
export function spendableOf(account: AccountEntry): bigint {
  return account.balance - reserveOf(account) - liabilitiesOf(account).selling;
}
