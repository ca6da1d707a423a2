import { formatShortDecimal } from "../platform/kernel/decimal.ts";
import { type ChainFamily, findChain } from "./chains.ts";
import type { Currency } from "./currency.ts";

/** `units` null leaves the amount to the payer. */
export type PaymentRequest = {
  readonly currency: Currency;
  readonly address: string;
  readonly units: bigint | null;
  /** EIP-155 id of the network that this deployment follows; null outside the EVM family. */
  readonly evmChainId: number | null;
};

/** URI schemes: BIP-321 for Bitcoin; the other chains use the BIP-21 form. */
const utxoSchemes: Readonly<Record<string, string>> = {
  BTC: "bitcoin",
  LTC: "litecoin",
  BCH: "bitcoincash",
  DASH: "dash",
  DOGE: "dogecoin",
  ZEC: "zcash",
};

/** Families without an agreed URI form have no entry and show the plain address. */
const forms: Partial<Record<ChainFamily, (request: PaymentRequest) => string | null>> = {
  utxo: utxoUri,
  evm: evmUri,
};

/**
 * The payment URI for QR codes and links: BIP-321 (BIP-21) on UTXO chains, ERC-681 on EVM chains, otherwise the plain
 * address. Amounts are exact. Native ERC-681 amounts are in wei without an exponent, which every reader accepts.
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
  // CashAddr addresses already contain their scheme.
  const bare = address.startsWith(`${scheme}:`) ? address.slice(scheme.length + 1) : address;
  const query = units === null ? "" : `?amount=${formatShortDecimal(units, currency.exp)}`;
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
