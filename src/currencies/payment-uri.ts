import { formatDecimal } from "../platform/kernel/decimal.ts";
import { type ChainFamily, findChain } from "./chains.ts";
import type { Currency } from "./currency.ts";

/** What a payer's wallet is asked for. `units` null leaves the amount to the payer. */
export type PaymentRequest = {
  readonly currency: Currency;
  readonly address: string;
  readonly units: bigint | null;
  /** EIP-155 id of the very network that is followed; null outside the EVM family. */
  readonly evmChainId: number | null;
};

/** Schemes of BIP-21 and what follows it: BIP-321 for Bitcoin, by analogy or by their own papers for the others. */
const utxoSchemes: Readonly<Record<string, string>> = {
  BTC: "bitcoin",
  LTC: "litecoin",
  BCH: "bitcoincash",
  DASH: "dash",
  DOGE: "dogecoin",
  ZEC: "zcash",
};

/** By family; a family without a form that its wallets agree on has none, and the plain address is shown. */
const forms: Partial<Record<ChainFamily, (request: PaymentRequest) => string | null>> = {
  utxo: utxoUri,
  evm: evmUri,
};

/**
 * The payment URI for a QR code or a link: BIP-321 (BIP-21) on chains of coins, ERC-681 on EVM chains; the plain address where
 * there is no such form. Amounts are exact, written from integer units. Native amounts of ERC-681 are in wei without an exponent,
 * which every reader of the standard takes.
 */
export function paymentUri(request: PaymentRequest): string {
  const { chain } = request.currency;
  const family = chain === null ? null : (findChain(chain)?.family ?? null);
  const form = family === null ? undefined : forms[family];
  return form?.(request) ?? request.address;
}

function utxoUri({ currency, address, units }: PaymentRequest): string | null {
  const scheme = utxoSchemes[currency.chain ?? ""];
  if (scheme === undefined || currency.kind !== "coin") return null;
  // CashAddr spells its scheme already.
  const bare = address.startsWith(`${scheme}:`) ? address.slice(scheme.length + 1) : address;
  const query = units === null ? "" : `?amount=${plainDecimal(units, currency.exp)}`;
  return `${scheme}:${bare}${query}`;
}

function evmUri({ currency, address, units, evmChainId }: PaymentRequest): string | null {
  if (evmChainId === null) return null;
  if (currency.kind === "coin") {
    const query = units === null ? "" : `?value=${units}`;
    return `ethereum:${address}@${evmChainId}${query}`;
  }
  if (currency.token === null) return null;
  const query = units === null ? "" : `&uint256=${units}`;
  return `ethereum:${currency.token.contract}@${evmChainId}/transfer?address=${address}${query}`;
}

/** Without the zeros at the end, and without the point where nothing follows it. */
function plainDecimal(units: bigint, exp: number): string {
  const text = formatDecimal(units, exp);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
