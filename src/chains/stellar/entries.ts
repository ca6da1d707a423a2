import { Asset } from "@stellar/stellar-sdk/base";
import {
  LedgerKey,
  LedgerKeyAccount,
  LedgerKeyTrustLine,
  PublicKey,
} from "@stellar/stellar-sdk/xdr";
import { readStellarAddress } from "../../currencies/stellar-address.ts";
import { present } from "../../platform/kernel/assert.ts";
import { native } from "./asset.ts";

/** The name of the ledger entry that holds an account's balance of an asset: the account itself, or its trust line. */
export function holdingKey(address: string, asset: string): LedgerKey {
  const accountId = publicKeyOf(address);
  if (asset === native) return LedgerKey.account(new LedgerKeyAccount({ accountId }));
  return LedgerKey.trustline(
    new LedgerKeyTrustLine({ accountId, asset: tokenNamed(asset).toTrustLineXdrObject() }),
  );
}

/** A token by its locator, `CODE:ISSUER`. */
export function tokenNamed(locator: string): Asset {
  const [code = "", issuer = ""] = locator.split(":");
  return new Asset(code, issuer);
}

export function publicKeyOf(address: string): PublicKey {
  const { publicKey } = present(readStellarAddress(address), "an address of an account");
  return PublicKey.publicKeyTypeEd25519(publicKey);
}
