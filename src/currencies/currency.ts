import { present } from "../platform/kernel/assert.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";

/** A chain, identified by the alpha code of its coin: `"ETH"`, `"BTC"`. */
export type ChainId = string;

/** A token on its chain, as its chain's `TokenFormat` reads it. */
export type ChainToken = {
  /** As configured and shown, in the issuer's spelling: an ERC-20 contract in EIP-55, a TRC-20 contract, `CODE:ISSUER`. */
  readonly contract: string;
  /** One spelling for each token of the chain, for comparisons and for the signer: an ERC-20 contract in lower case. */
  readonly locator: string;
};

/** What a currency is on its chain. The signer's intents name assets in this form. */
export type ChainAsset =
  | { readonly kind: "coin" }
  | { readonly kind: "token"; readonly locator: string };

/** A coin, a token or a fiat unit of account. Pure data; a deployment may add its own tokens. */
export type Currency = {
  readonly id: CurrencyId;
  readonly alpha: string;
  readonly alias: string | null;
  readonly name: string;
  /**
   * The market symbol that prices it: `ETH` for ether on every chain, `USDT` for every issue of it, `EUR` for the
   * euro. Null if no market prices it; it then has no rate.
   */
  readonly pricedAs: string | null;
  /** Digits after the decimal separator. */
  readonly exp: number;
  readonly kind: "coin" | "token" | "fiat";
  /** Null for fiat. */
  readonly chain: ChainId | null;
  /** The coin that pays a token's network fees; null for coins and fiat. */
  readonly parent: CurrencyId | null;
  /** Null for coins, for fiat, and for tokens whose contract this deployment does not configure. */
  readonly token: ChainToken | null;
  /** Funds become payable at this number of confirmations. */
  readonly confirmationBlocks: number;
  /** Smaller payments are dust. In the currency's smallest unit. */
  readonly minimalTransferUnits: bigint;
  /** Upper bound of any amount: the protocol's supply for coins, the configured bound for tokens. Null for fiat. */
  readonly supplyUnits: bigint | null;
  /** Typical seconds between blocks. */
  readonly blockDelay: number;
  /** The kind of currency and what a payment needs: `stablecoin`, `erc-20`, `destination-tag`, `memo`. */
  readonly tags: readonly string[];
  /** Pegged to the US dollar by its issuer, so a Merchant wallet may be denominated in it. */
  readonly isStablecoin: boolean;
};

/** The currency as its chain and the signer identify it. A token must have a contract in this deployment. */
export function chainAsset(currency: Pick<Currency, "alpha" | "kind" | "token">): ChainAsset {
  if (currency.kind === "coin") return { kind: "coin" };
  const { locator } = present(currency.token, `the contract of ${currency.alpha}`);
  return { kind: "token", locator };
}

/** The currency among these, all of one chain, that is the asset; null if none is. */
export function findAsset<Found extends Pick<Currency, "kind" | "token">>(
  currencies: readonly Found[],
  asset: ChainAsset,
): Found | null {
  const found = currencies.find(({ kind, token }) =>
    asset.kind === "coin" ? kind === "coin" : token?.locator === asset.locator,
  );
  return found ?? null;
}

/** The coin among a chain's currencies. */
export function coinAmong(currencies: readonly Currency[]): CurrencyId {
  return present(findAsset(currencies, { kind: "coin" }), "the chain's coin").id;
}

/** The contract of one of a chain's currencies; null for its coin. */
export function contractAmong(currencies: readonly Currency[], id: CurrencyId): string | null {
  const currency = currencies.find((candidate) => candidate.id === id);
  const asset = chainAsset(present(currency, `currency ${id} on the chain`));
  return asset.kind === "coin" ? null : asset.locator;
}

/** A chain's tokens by contract (`locator`), which identifies a token; its name and symbol prove nothing. */
export type ListedTokens = ReadonlyMap<string, CurrencyId>;

/** The tokens among a chain's currencies. */
export function listedTokens(currencies: readonly Currency[]): ListedTokens {
  return new Map(
    currencies.flatMap(({ token, id }) => (token === null ? [] : [[token.locator, id] as const])),
  );
}

/** Whether payers can pay in it: coins always, tokens if this deployment configures their contract, fiat never. */
export function isPayable({ kind, token }: Pick<Currency, "kind" | "token">): boolean {
  return kind === "coin" || token !== null;
}
