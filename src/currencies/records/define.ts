import { present } from "../../platform/kernel/assert.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChainToken, Currency } from "../currency.ts";

/** In whole tokens; the default bound of a token's amounts. */
export const defaultTokenSupply = 10n ** 13n;

type Shared = {
  readonly id: string;
  readonly alpha: string;
  readonly alias?: string;
  readonly name: string;
  readonly exp: number;
  readonly pricedAs: string;
  readonly chain: string;
  readonly confirmationBlocks: number;
  /** In whole coins, as decimal text; smaller payments are dust. */
  readonly minimalTransfer: string;
  /** The protocol's limit in whole coins; if it has none, a number well above the circulating supply. */
  readonly supply: bigint;
  readonly blockDelay: number;
  readonly tags?: readonly string[];
};

/** A chain's native coin. */
export function coin(record: Shared): Currency {
  return {
    id: record.id as CurrencyId,
    alpha: record.alpha,
    alias: record.alias ?? null,
    name: record.name,
    pricedAs: record.pricedAs,
    exp: record.exp,
    kind: "coin",
    chain: record.chain,
    parent: null,
    token: null,
    confirmationBlocks: record.confirmationBlocks,
    minimalTransferUnits: units(record.minimalTransfer, record.exp),
    supplyUnits: record.supply * 10n ** BigInt(record.exp),
    blockDelay: record.blockDelay,
    tags: record.tags ?? [],
    isStablecoin: false,
  };
}

/** A dollar token; inherits the confirmations and block time of its chain's coin. */
export function stablecoin(
  parent: Currency,
  record: {
    readonly id: string;
    readonly alpha: string;
    readonly alias?: string;
    readonly name: string;
    readonly exp: number;
    readonly pricedAs: string;
    readonly minimalTransfer: string;
    /** The issuer's contract on the main network. */
    readonly token: ChainToken | null;
    readonly standard: string;
  },
): Currency {
  return {
    id: record.id as CurrencyId,
    alpha: record.alpha,
    alias: record.alias ?? null,
    name: record.name,
    pricedAs: record.pricedAs,
    exp: record.exp,
    kind: "token",
    chain: parent.chain,
    parent: parent.id,
    token: record.token,
    confirmationBlocks: parent.confirmationBlocks,
    minimalTransferUnits: units(record.minimalTransfer, record.exp),
    supplyUnits: defaultTokenSupply * 10n ** BigInt(record.exp),
    blockDelay: parent.blockDelay,
    tags: ["stablecoin", record.standard],
    isStablecoin: true,
  };
}

/** A unit of account for Merchant wallets. All have two decimals, even where the minor unit is no longer minted. */
export function fiat(alpha: string, isoNumber: number, name: string): Currency {
  return {
    id: String(isoNumber) as CurrencyId,
    alpha,
    alias: null,
    name,
    pricedAs: alpha,
    exp: 2,
    kind: "fiat",
    chain: null,
    parent: null,
    token: null,
    confirmationBlocks: 0,
    minimalTransferUnits: 1n,
    supplyUnits: null,
    blockDelay: 0,
    tags: ["fiat"],
    isStablecoin: false,
  };
}

function units(text: string, exp: number): bigint {
  const parsed = parseDecimal(text, exp);
  return present(parsed.kind === "units" ? parsed.units : null, `record amount ${text}`);
}
