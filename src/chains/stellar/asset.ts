import type { Asset, TrustLineAsset } from "@stellar/stellar-sdk/xdr";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { addressOfKey } from "./payee-addressing.ts";

/** The name of the chain's coin among assets; no token has it. */
export const native = "native";

/** `native`, or `CODE:ISSUER`, which is a token's locator; null for shares of a liquidity pool, which cannot be sent. */
export function assetName(asset: Asset | TrustLineAsset): string | null {
  switch (asset.type) {
    case "assetTypeNative":
      return native;
    case "assetTypePoolShare":
      return null;
    case "assetTypeCreditAlphanum4":
      return nameOf(asset.alphaNum4.assetCode.value, asset.alphaNum4.issuer.ed25519.value);
    case "assetTypeCreditAlphanum12":
      return nameOf(asset.alphaNum12.assetCode.value, asset.alphaNum12.issuer.ed25519.value);
  }
}

function nameOf(code: Uint8Array, issuer: Uint8Array): string {
  return `${Buffer.from(code).toString("latin1").replace(/\0+$/, "")}:${addressOfKey(issuer)}`;
}

/** The currency of each asset that the deployment lists, by the asset's name. */
export function currenciesByAsset(
  currencies: readonly Currency[],
): ReadonlyMap<string, CurrencyId> {
  return new Map(
    currencies.flatMap(({ id, kind, token }) => {
      if (kind === "coin") return [[native, id] as const];
      return token === null ? [] : [[token.locator, id] as const];
    }),
  );
}
