import { formatShortDecimal } from "../platform/kernel/decimal.ts";
import { findChain } from "./chains.ts";
import type { Currency } from "./currency.ts";

/** `units` null leaves the amount to the payer. */
export type PaymentRequest = {
  readonly currency: Currency;
  readonly address: string;
  /** Of a shared account; null elsewhere. */
  readonly tag: string | null;
  /** One address that contains the tag, where `address` does not and the chain has such addresses; else null. */
  readonly combined: string | null;
  readonly units: bigint | null;
  /** EIP-155 id of the network that this deployment follows; null outside the EVM family. */
  readonly evmChainId: number | null;
};

/**
 * The payment URI for QR codes and links: BIP-321 (BIP-21) on UTXO chains, ERC-681 on EVM chains, SEP-7 on Stellar, ARC-90 on Algorand,
 * `ton://transfer` on TON, on Monero the form of its own wallet, otherwise an address, which contains the tag on chains with tags. Amounts
 * are exact. Native ERC-681 amounts are in wei without an exponent, which every reader accepts.
 */
export function paymentUri(request: PaymentRequest): string {
  const { chain } = request.currency;
  const form = chain === null ? null : (findChain(chain)?.paymentUri ?? null);
  switch (form?.kind) {
    case "bip321":
      return bip321Uri(form.scheme, request) ?? request.address;
    case "erc681":
      return erc681Uri(request) ?? request.address;
    case "sep7":
      return sep7Uri(request);
    case "arc90":
      return arc90Uri(request);
    case "ton-transfer":
      return tonUri(request);
    case "tx-amount":
      return txAmountUri(form.scheme, request);
    case undefined:
      // A payment without the tag would be nobody's.
      return request.combined ?? request.address;
  }
}

function bip321Uri(scheme: string, { currency, address, units }: PaymentRequest): string | null {
  if (currency.kind !== "coin") return null;
  const query = units === null ? "" : `?amount=${formatShortDecimal(units, currency.exp)}`;
  // A CashAddr address already contains its scheme, which is another one on each network.
  return address.includes(":") ? `${address}${query}` : `${scheme}:${address}${query}`;
}

function erc681Uri({ currency, address, units, evmChainId }: PaymentRequest): string | null {
  if (evmChainId === null) return null;
  if (currency.kind === "coin") {
    const query = units === null ? "" : `?value=${units}`;
    return `ethereum:${address}@${evmChainId}${query}`;
  }
  if (currency.token === null) return null;
  const query = units === null ? "" : `&uint256=${units}`;
  return `ethereum:${currency.token.contract}@${evmChainId}/transfer?address=${address}${query}`;
}

function sep7Uri({ currency, address, tag, units }: PaymentRequest): string {
  const [code, issuer] = currency.token?.contract.split(":") ?? [];
  const query = new URLSearchParams({
    destination: address,
    ...(units === null ? {} : { amount: formatShortDecimal(units, currency.exp) }),
    ...(code === undefined || issuer === undefined
      ? {}
      : { asset_code: code, asset_issuer: issuer }),
    ...(tag === null ? {} : { memo: tag, memo_type: "MEMO_ID" }),
  });
  return `web+stellar:pay?${query.toString()}`;
}

/** Amounts are in the smallest unit, of the asset where one is named. */
function arc90Uri({ currency, address, units }: PaymentRequest): string {
  const query = [
    ...(units === null ? [] : [`amount=${units}`]),
    ...(currency.token === null ? [] : [`asset=${currency.token.locator}`]),
  ];
  return `algorand://${address}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/** Amounts are in the smallest unit, of the jetton where one is named. */
function tonUri({ currency, address, tag, units }: PaymentRequest): string {
  const query = [
    ...(units === null ? [] : [`amount=${units}`]),
    ...(currency.token === null ? [] : [`jetton=${currency.token.contract}`]),
    ...(tag === null ? [] : [`text=${encodeURIComponent(tag)}`]),
  ];
  return `ton://transfer/${address}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/** As Monero's own wallet reads and writes it (src/wallet/wallet2.cpp, `make_uri`). */
function txAmountUri(scheme: string, { currency, address, units }: PaymentRequest): string {
  const query = units === null ? "" : `?tx_amount=${formatShortDecimal(units, currency.exp)}`;
  return `${scheme}:${address}${query}`;
}
