import type { CurrencyId } from "../platform/kernel/money.ts";

/** A chain that value moves on, named by the alpha code of its coin: `"ETH"`, `"BTC"`. */
export type ChainId = string;

/**
 * How a token is told on its chain: an ERC-20 contract here (hex in EIP-55 or lower-case spelling, to be compared
 * without regard to case); other families add theirs.
 */
export type TokenLocator = { readonly kind: "erc20"; readonly contract: string };

/** One currency: a coin, a token or a fiat unit of account. Pure data; a deployment may add tokens of its own. */
export type Currency = {
  readonly id: CurrencyId;
  readonly alpha: string;
  readonly alias: string | null;
  readonly name: string;
  /**
   * The market symbol whose price it has: `ETH` for ether on every chain, `USDT` for each issue of it, `EUR` for the euro.
   * Null where no market prices it: then it has no rate.
   */
  readonly pricedAs: string | null;
  /** Digits after the decimal separator. */
  readonly exp: number;
  readonly kind: "coin" | "token" | "fiat";
  /** Null for fiat. */
  readonly chain: ChainId | null;
  /** The coin that pays a token's fees; null for a coin and for fiat. */
  readonly parent: CurrencyId | null;
  /** How the token is found on the chain; null for a coin and fiat, or where this deployment names no contract. */
  readonly token: TokenLocator | null;
  /** The currency's own count: at this depth money becomes payable. */
  readonly confirmationBlocks: number;
  /** In units of the currency; less is dust. */
  readonly minimalTransferUnits: bigint;
  /** No amount is larger: the protocol's supply of a coin, the configured bound of a token. Null for fiat. */
  readonly supplyUnits: bigint | null;
  /** Seconds between two blocks, as a payer experiences it. */
  readonly blockDelay: number;
  /** What kind of money it is and what a payer must add: `stablecoin`, `erc-20`, `destination-tag`, `memo`. */
  readonly tags: readonly string[];
  /** Worth one US dollar by its issuer's promise, so that a Merchant wallet may be denominated in it. */
  readonly isStablecoin: boolean;
};

/** Whether it can be paid with here: a coin can, a token where this deployment names its contract, fiat cannot. */
export function isPayable({ kind, token }: Pick<Currency, "kind" | "token">): boolean {
  return kind === "coin" || token !== null;
}
