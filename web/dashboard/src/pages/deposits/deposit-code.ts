import type { Deposit } from "../../../../../client/src/api-types.gen.ts";

type DepositCode = { readonly kind: "page" | "address"; readonly value: string };

/**
 * What the QR code of a deposit shows; null while `uri` is unknown. Payers who scan an address type no tag, so an address with one is
 * never shown without it: the payment page stands in where no payment URI names both.
 */
export function depositCode(
  {
    address,
    destination,
    payment_page: page,
  }: Pick<Deposit["attributes"], "address" | "destination" | "payment_page">,
  isInvoice: boolean,
  uri: string | null | undefined,
): DepositCode | null {
  if (isInvoice || address === null) return { kind: "page", value: page };
  if ((destination?.tag ?? null) === null) return { kind: "address", value: address };
  if (uri === undefined) return null;
  return uri === null ? { kind: "page", value: page } : { kind: "address", value: uri };
}
