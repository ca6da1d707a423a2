import { Asset } from "@stellar/stellar-sdk/base";
import {
  AccountEntry,
  AccountEntryExt,
  AccountEntryExtensionV1,
  AccountEntryExtensionV1Ext,
  AccountEntryExtensionV2,
  AccountEntryExtensionV2Ext,
  LedgerEntry,
  LedgerEntryData,
  LedgerEntryExt,
  LedgerEntryExtensionV1,
  LedgerEntryExtensionV1Ext,
  LedgerKey,
  LedgerKeyAccount,
  LedgerKeyClaimableBalance,
  LedgerKeyData,
  LedgerKeyTrustLine,
  Liabilities,
  type MuxedAccount,
  PublicKey,
  Thresholds,
  type TrustLineAsset,
  TrustLineEntry,
  TrustLineEntryExt,
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
  if (data.type === "claimableBalance") {
    const { balanceId } = data.claimableBalance;
    return LedgerKey.claimableBalance(new LedgerKeyClaimableBalance({ balanceId }));
  }
  throw new RangeError(`the simulated ledger has no entries of the type ${data.type}`);
}

export type AccountChange = {
  readonly balance?: bigint;
  readonly seqNum?: bigint;
  readonly numSubEntries?: number;
  readonly sponsorship?: Sponsorship;
};

/** How many entries' reserves others keep for an account, and how many it keeps for others. */
export type Sponsorship = { readonly sponsored: number; readonly sponsoring: number };

export function sponsorshipOf({ ext }: AccountEntry): Sponsorship {
  const v2 = ext.type === "v1" && ext.v1.ext.type === "v2" ? ext.v1.ext.v2 : null;
  return { sponsored: v2?.numSponsored ?? 0, sponsoring: v2?.numSponsoring ?? 0 };
}

function sponsorshipExt({ sponsored, sponsoring }: Sponsorship): AccountEntryExt {
  return AccountEntryExt.v1(
    new AccountEntryExtensionV1({
      liabilities: new Liabilities({ buying: 0n, selling: 0n }),
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
  const { accountId, inflationDest, flags, homeDomain, thresholds, signers, ext } = account;
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
        ext: change.sponsorship === undefined ? ext : sponsorshipExt(change.sponsorship),
      }),
    ),
    ledger,
  );
}

export function trustLine(
  line: {
    readonly accountId: PublicKey;
    readonly asset: TrustLineAsset;
    readonly balance: bigint;
    readonly limit: bigint;
  },
  ledger: number,
): LedgerEntry {
  const authorized = 1;
  return entryOf(
    LedgerEntryData.trustline(
      new TrustLineEntry({ ...line, flags: authorized, ext: TrustLineEntryExt.v0() }),
    ),
    ledger,
  );
}

export function entryOf(data: LedgerEntryData, lastModifiedLedgerSeq: number): LedgerEntry {
  return new LedgerEntry({ lastModifiedLedgerSeq, data, ext: LedgerEntryExt.v0() });
}

/** What an account must keep: two entries for itself and one for each of its others, less those that others keep, and those of others. */
export function reserveOf(account: AccountEntry): bigint {
  const { sponsored, sponsoring } = sponsorshipOf(account);
  return BigInt(2 + account.numSubEntries + sponsoring - sponsored) * baseReserve;
}
