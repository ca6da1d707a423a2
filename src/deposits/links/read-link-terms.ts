import type { Currency } from "../../currencies/currency.ts";
import { formatDecimal, parseDecimal } from "../../platform/kernel/decimal.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { formatTimestampOrNull, parseTimestamp } from "../../platform/kernel/timestamp.ts";
import { isRedirectUrl, redirectUrlFault } from "../create/redirect-url.ts";
import {
  digestOfImage,
  imageFault,
  imagePath,
  readStoreImage,
  type StoreImage,
} from "../storefront/store-image.ts";
import type { AmountType, LinkTerms } from "./payment-link.ts";

/** A link's terms as on the wire, without its wallet. */
export type WireTerms = {
  readonly name: string | null;
  readonly description: string | null;
  /** URL of the image. A change takes a data URL. */
  readonly image: string | null;
  readonly amount_type: AmountType;
  readonly amount: string | null;
  readonly amount_min: string | null;
  readonly amount_max: string | null;
  readonly stock: number | null;
  readonly ends_at: string | null;
  readonly is_active: boolean;
  readonly time_limit: number | null;
  readonly callback_url: string | null;
  readonly payment_page_redirect_url: string | null;
};

export type TermsContext = {
  readonly callbackUrlFault: (url: string) => string | null;
  readonly baseUrl: string;
};

/** The terms as on the wire; `currency` is the wallet's. */
export function renderTerms(terms: LinkTerms, currency: Currency, baseUrl: string): WireTerms {
  const amount = (units: bigint | null) =>
    units === null ? null : formatDecimal(units, currency.exp);
  return {
    name: terms.name,
    description: terms.description,
    image: terms.imageDigest === null ? null : baseUrl + imagePath(terms.imageDigest),
    amount_type: terms.amountType,
    amount: amount(terms.amount),
    amount_min: amount(terms.amountMin),
    amount_max: amount(terms.amountMax),
    stock: terms.stock,
    ends_at: formatTimestampOrNull(terms.endsAt),
    is_active: terms.isActive,
    time_limit: terms.timeLimit,
    callback_url: terms.callbackUrl,
    payment_page_redirect_url: terms.redirectUrl,
  };
}

/** Reads terms as on the wire. `terms` is meaningless where there are faults. `knownImage` is the digest that the link has. Pure. */
export function readTerms(
  wire: WireTerms,
  wallet: { readonly id: string; readonly currency: Currency },
  knownImage: string | null,
  { callbackUrlFault, baseUrl }: TermsContext,
): {
  readonly terms: LinkTerms;
  readonly image: StoreImage | null;
  readonly faults: readonly Rejection[];
} {
  const faults: Rejection[] = [];
  const refuse = (member: string, detail: string): null => {
    faults.push(rejection("invalidValue", detail, { pointer: `/data/attributes/${member}` }));
    return null;
  };
  const kept = wire.image === null ? null : digestOfImage(baseUrl, wire.image);
  const isKept = kept !== null && kept === knownImage;
  const image = wire.image === null || isKept ? null : readStoreImage(wire.image);
  if (wire.image !== null && !isKept && image === null) refuse("image", imageFault);
  const endsAt = wire.ends_at === null ? null : parseTimestamp(wire.ends_at);
  if (wire.ends_at !== null && endsAt === null)
    refuse("ends_at", "Enter a time in ISO 8601, for example 2026-12-31T23:59:59Z.");
  const callbackFault = wire.callback_url === null ? null : callbackUrlFault(wire.callback_url);
  if (callbackFault !== null) refuse("callback_url", callbackFault);
  if (wire.payment_page_redirect_url !== null && !isRedirectUrl(wire.payment_page_redirect_url))
    refuse("payment_page_redirect_url", redirectUrlFault);
  const terms: LinkTerms = {
    walletId: wallet.id,
    name: wire.name ?? refuse("name", "name is required.") ?? "",
    description: wire.description,
    imageDigest: image?.digest ?? (isKept ? kept : null),
    amountType: wire.amount_type,
    ...readAmounts(wire, wallet.currency, refuse),
    stock: wire.stock,
    endsAt,
    isActive: wire.is_active,
    timeLimit: wire.time_limit,
    callbackUrl: wire.callback_url,
    redirectUrl: wire.payment_page_redirect_url,
  };
  return { terms, image, faults };
}

type Refuse = (member: string, detail: string) => null;

function readAmounts(
  wire: WireTerms,
  currency: Currency,
  refuse: Refuse,
): Pick<LinkTerms, "amount" | "amountMin" | "amountMax"> {
  const read = (member: "amount" | "amount_min" | "amount_max", type: AmountType) => {
    const text = wire[member];
    if (text === null) return null;
    if (wire.amount_type !== type)
      return refuse(member, `Only links with the amount_type ${type} take ${member}.`);
    return readAmount(text, currency) ?? refuse(member, amountFault(currency));
  };
  const amount = read("amount", "fixed");
  if (wire.amount_type === "fixed" && wire.amount === null)
    refuse("amount", "A link with the amount_type fixed needs an amount.");
  const amountMin = read("amount_min", "chosen");
  const amountMax = read("amount_max", "chosen");
  if (amountMin !== null && amountMax !== null && amountMin > amountMax)
    refuse("amount_max", "amount_max must not be less than amount_min.");
  return { amount, amountMin, amountMax };
}

/** More than any amount of any currency, in its smallest units. */
const unitsMax = 10n ** 64n;

/** Units of a positive amount; null for anything else, as for a number that only an exponent makes absurdly long. */
export function readAmount(text: string, { exp }: Currency): bigint | null {
  const parsed = parseDecimal(text, exp);
  if (parsed.kind !== "units" || parsed.units <= 0n || parsed.units >= unitsMax) return null;
  return parsed.units;
}

export function amountFault({ alpha, exp }: Currency): string {
  return `Enter an amount of ${alpha} greater than zero with at most ${exp} decimals.`;
}
