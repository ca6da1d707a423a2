import { present } from "../platform/kernel/assert.ts";
import { parseDecimal } from "../platform/kernel/decimal.ts";
import type { CurrencyId } from "../platform/kernel/money.ts";
import type { ChainFacts, ChainRecord } from "./chain-record.ts";
import type { Currency } from "./currency.ts";
import { tokenOf } from "./token-format.ts";

/** In whole tokens; the default bound of a token's amounts. */
export const defaultTokenSupply = 10n ** 13n;

/** A coin with its chain and the chain's tokens: what one file of `coins/` describes. */
export type Coin = {
  readonly chain: ChainRecord;
  readonly coin: Currency;
  readonly tokens: readonly Currency[];
  /**
   * Minimum payments on main networks, in smallest units by alpha code, where they exceed the currency's own minimum. A payment
   * that costs more to spend than it is worth would be credited in full and paid out from other coins.
   * docs/decisions/currencies.md derives each value.
   */
  readonly publicMinimums: Readonly<Record<string, bigint>>;
};

type CurrencyFacts = {
  readonly id: string;
  readonly alpha: string;
  readonly alias?: string;
  readonly name: string;
  /** The market symbol that prices it. */
  readonly pricedAs: string;
  /** Digits after the decimal separator. */
  readonly exp: number;
  /** In whole coins or tokens, as decimal text; smaller payments are dust. */
  readonly minimalTransfer: string;
  /** The minimum on main networks where it is higher, as decimal text. */
  readonly publicMinimum?: string;
};

export type CoinFacts = CurrencyFacts & {
  readonly confirmationBlocks: number;
  /** The protocol's limit in whole coins; if it has none, a number well above the circulating supply. */
  readonly supply: bigint;
  /** Typical seconds between blocks. */
  readonly blockDelay: number;
  readonly chain: ChainFacts;
  readonly tokens?: readonly TokenFacts[];
};

/** A dollar token; it inherits confirmations and block time of its chain's coin. */
export type TokenFacts = CurrencyFacts & {
  /** The issuer's contract on the main network; null if the program has none. */
  readonly contract: string | null;
  /** The tokens' standard, a tag of the currency: `erc-20`. */
  readonly standard: string;
};

/** Checks nothing beyond amounts and contracts; `built-in-currencies.test.ts` checks all coins together. */
export function defineCoin(facts: CoinFacts): Coin {
  const chain: ChainRecord = { ...facts.chain, id: facts.alpha };
  const coin: Currency = {
    ...shared(facts),
    kind: "coin",
    chain: chain.id,
    parent: null,
    token: null,
    confirmationBlocks: facts.confirmationBlocks,
    supplyUnits: facts.supply * 10n ** BigInt(facts.exp),
    blockDelay: facts.blockDelay,
    tags: chain.tag === null ? [] : [chain.tag],
    isStablecoin: false,
  };
  const tokens = facts.tokens ?? [];
  return {
    chain,
    coin,
    tokens: tokens.map((token) => defineStablecoin(chain, coin, token)),
    publicMinimums: Object.fromEntries(
      [facts, ...tokens].flatMap(({ alpha, exp, publicMinimum }) =>
        publicMinimum === undefined ? [] : [[alpha, units(publicMinimum, exp)]],
      ),
    ),
  };
}

/** A dollar token of the chain; `parent` pays its network fees. */
export function defineStablecoin(
  chain: Pick<ChainRecord, "id" | "tokens">,
  parent: Currency,
  facts: TokenFacts,
): Currency {
  const { contract, standard } = facts;
  return {
    ...shared(facts),
    kind: "token",
    chain: chain.id,
    parent: parent.id,
    token:
      contract === null ? null : tokenOf(present(chain.tokens, `tokens of ${chain.id}`), contract),
    confirmationBlocks: parent.confirmationBlocks,
    supplyUnits: defaultTokenSupply * 10n ** BigInt(facts.exp),
    blockDelay: parent.blockDelay,
    tags: ["stablecoin", standard],
    isStablecoin: true,
  };
}

function shared({ id, alpha, alias, name, pricedAs, exp, minimalTransfer }: CurrencyFacts) {
  return {
    id: id as CurrencyId,
    alpha,
    alias: alias ?? null,
    name,
    pricedAs,
    exp,
    minimalTransferUnits: units(minimalTransfer, exp),
  };
}

function units(text: string, exp: number): bigint {
  const parsed = parseDecimal(text, exp);
  return present(parsed.kind === "units" ? parsed.units : null, `record amount ${text}`);
}
