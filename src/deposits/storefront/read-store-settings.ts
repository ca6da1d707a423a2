import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { formatDecimal, formatShortDecimal, parseDecimal } from "../../platform/kernel/decimal.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import type { DepositDefaults } from "../create/deposit-defaults.ts";
import { isRedirectUrl, redirectUrlFault } from "../create/redirect-url.ts";
import {
  type AccentPlace,
  accentFault,
  type ColorScheme,
  contrastMin,
  parseColor,
} from "./accent-color.ts";
import type { PageSettings } from "./page-settings.ts";
import {
  digestOfImage,
  imageFault,
  imagePath,
  readStoreImage,
  type StoreImage,
} from "./store-image.ts";
import type { AccountingSettings, StoredSettings, StoreSettings } from "./store-settings.ts";

export type SettingsContext = {
  readonly currencies: CurrencyRegistry;
  readonly callbackUrlFault: (url: string) => string | null;
  /** The deployment's own address, without a trailing slash. */
  readonly baseUrl: string;
};

/** Settings as they are to be stored, with a new logo, or every fault. */
export type SettingsReading = {
  readonly settings: StoredSettings;
  readonly image: StoreImage | null;
  readonly faults: readonly Rejection[];
};

/** US dollar; as in the database. */
export const builtInFiatCurrency = "840" as CurrencyId;

/** Ten-thousandths of a percent are millionths. */
const percentExp = 4;
const percentMax = { underpayment_percent: 50, overpayment_percent: 100 } as const;
const ancestorsMax = 20;
const originLengthMax = 255;
const email = /^[^\s@<>"'(),;:\\[\]]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
/**
 * The format of `URL.origin`, without characters that would separate sources in the Content-Security-Policy header. Plain http is for
 * shops in development, which run on the browser's own machine.
 */
const frameOrigin =
  /^(?:https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/;

/** The settings as on the wire. */
export function renderSettings(
  { page, defaults, payouts, accounting }: StoredSettings,
  { currencies, baseUrl }: Pick<SettingsContext, "currencies" | "baseUrl">,
): StoreSettings {
  const { underpayment, overpayment, toleranceCurrency } = defaults;
  const percent = (ppm: number | null) =>
    ppm === null ? null : formatShortDecimal(BigInt(ppm), percentExp);
  const amount = (units: bigint | null) =>
    units === null || toleranceCurrency === null
      ? null
      : formatDecimal(units, currencies.get(toleranceCurrency).exp);
  return {
    shop_name: page.shopName,
    help_email: page.helpEmail,
    logo: page.logoDigest === null ? null : baseUrl + imagePath(page.logoDigest),
    accent_color: page.accentColor,
    accent_color_dark: page.accentColorDark,
    frame_ancestors: page.frameAncestors,
    shows_order_reference: page.showsOrderReference,
    shows_receipt: page.showsReceipt,
    receipt_note: page.receiptNote,
    payment_page_redirect_url: defaults.redirectUrl,
    payment_page_button_text: defaults.buttonText,
    underpayment_percent: percent(underpayment.ppm),
    underpayment_amount: amount(underpayment.units),
    overpayment_percent: percent(overpayment.ppm),
    overpayment_amount: amount(overpayment.units),
    tolerance_currency: toleranceCurrency,
    time_limit: defaults.timeLimit,
    callback_url: defaults.callbackUrl,
    payout_batch_seconds: payouts.batchSeconds,
    fiat_currency: accounting.fiatCurrency,
  };
}

/** Reads the settings as on the wire. `settings` is meaningless where there are faults. Pure. */
export function readSettings(wire: StoreSettings, context: SettingsContext): SettingsReading {
  const faults: Rejection[] = [];
  const refuse = (member: string, detail: string): null => {
    faults.push(rejection("invalidValue", detail, { pointer: `/data/attributes/${member}` }));
    return null;
  };
  const { page, image } = readPage(wire, context, refuse);
  const defaults = readDefaults(wire, context, refuse);
  const payouts = { batchSeconds: wire.payout_batch_seconds };
  const accounting = readAccounting(wire, context, refuse);
  return { settings: { page, defaults, payouts, accounting }, image, faults };
}

type Refuse = (member: string, detail: string) => null;

function readPage(
  wire: StoreSettings,
  { baseUrl }: SettingsContext,
  refuse: Refuse,
): { readonly page: PageSettings; readonly image: StoreImage | null } {
  if (wire.help_email !== null && !email.test(wire.help_email))
    refuse("help_email", "Enter a valid email address.");
  if (wire.frame_ancestors.length > ancestorsMax)
    refuse("frame_ancestors", `Provide at most ${ancestorsMax} origins.`);
  for (const [index, origin] of wire.frame_ancestors.slice(0, ancestorsMax).entries())
    if (!isFrameOrigin(origin))
      refuse(
        `frame_ancestors/${index}`,
        "Provide an https origin without a path, for example https://shop.example. Plain http is accepted for localhost, for example http://localhost:3000.",
      );
  const known = wire.logo === null ? null : digestOfImage(baseUrl, wire.logo);
  const image = wire.logo === null || known !== null ? null : readStoreImage(wire.logo);
  if (wire.logo !== null && known === null && image === null) refuse("logo", imageFault);
  const page: PageSettings = {
    shopName: wire.shop_name,
    helpEmail: wire.help_email,
    frameAncestors: [...new Set(wire.frame_ancestors)],
    logoDigest: image?.digest ?? known,
    accentColor: readAccent(wire, "accent_color", "light", refuse),
    accentColorDark: readAccent(wire, "accent_color_dark", "dark", refuse),
    showsOrderReference: wire.shows_order_reference,
    showsReceipt: wire.shows_receipt,
    receiptNote: wire.receipt_note,
  };
  return { page, image };
}

function readAccent(
  wire: StoreSettings,
  member: "accent_color" | "accent_color_dark",
  scheme: ColorScheme,
  refuse: Refuse,
): string | null {
  const text = wire[member];
  if (text === null) return null;
  const color = parseColor(text);
  if (color === null)
    return refuse(member, "Enter a color as #rrggbb, six hexadecimal digits, for example #0b6b5d.");
  const fault = accentFault(color, scheme);
  if (fault === null) return color;
  const { contrast, background, place, nearest } = fault;
  return refuse(
    member,
    `The contrast of ${color} with ${background}, the ${scheme} background ${places[place]}, is ${contrast}:1. Text needs at least ${contrastMin}:1. The nearest color that is readable is ${nearest}.`,
  );
}

/** Where the accent is text on the payment page. */
const places: Readonly<Record<AccentPlace, string>> = {
  page: "of links below the card",
  card: "of links on the card",
  list: "of links in the list of payments",
  button: "of small buttons",
};

function isFrameOrigin(origin: string): boolean {
  return (
    origin.length <= originLengthMax &&
    frameOrigin.test(origin) &&
    URL.canParse(origin) &&
    new URL(origin).origin === origin
  );
}

function readDefaults(
  wire: StoreSettings,
  { currencies, callbackUrlFault }: SettingsContext,
  refuse: Refuse,
): DepositDefaults {
  const { tolerance_currency: currencyId, callback_url: callbackUrl } = wire;
  const { payment_page_redirect_url: redirectUrl, payment_page_button_text: buttonText } = wire;
  const currency = currencyId === null ? null : currencies.find(currencyId);
  if (currencyId !== null && currency === null)
    refuse("tolerance_currency", "There is no such currency.");
  const amount = (name: "underpayment_amount" | "overpayment_amount"): bigint | null => {
    const text = wire[name];
    if (text === null) return null;
    if (currency !== null)
      return (
        amountIn(currency, text) ??
        refuse(name, `Enter an amount of ${currency.alpha} with at most ${currency.exp} decimals.`)
      );
    return currencyId === null
      ? refuse("tolerance_currency", "Choose the currency of the amounts.")
      : null;
  };
  const underpayment = {
    ppm: readPercent(wire, "underpayment_percent", refuse),
    units: amount("underpayment_amount"),
  };
  const overpayment = {
    ppm: readPercent(wire, "overpayment_percent", refuse),
    units: amount("overpayment_amount"),
  };
  const urlFault = callbackUrl === null ? null : callbackUrlFault(callbackUrl);
  if (urlFault !== null) refuse("callback_url", urlFault);
  if (redirectUrl !== null && !isRedirectUrl(redirectUrl))
    refuse("payment_page_redirect_url", redirectUrlFault);
  return {
    underpayment,
    overpayment,
    toleranceCurrency: currency?.id ?? null,
    timeLimit: wire.time_limit,
    callbackUrl,
    redirectUrl,
    buttonText,
  };
}

function readAccounting(
  { fiat_currency: id }: StoreSettings,
  { currencies }: SettingsContext,
  refuse: Refuse,
): AccountingSettings {
  const currency = currencies.find(id);
  if (currency?.kind !== "fiat")
    refuse("fiat_currency", "Provide the ID of a fiat currency, for example 840 for US dollars.");
  return { fiatCurrency: currency?.id ?? builtInFiatCurrency };
}

function readPercent(
  wire: StoreSettings,
  name: keyof typeof percentMax,
  refuse: Refuse,
): number | null {
  const text = wire[name];
  if (text === null) return null;
  const parsed = parseDecimal(text, percentExp);
  const ppm = parsed.kind === "units" ? parsed.units : -1n;
  return ppm >= 0n && ppm <= BigInt(percentMax[name]) * 10_000n
    ? Number(ppm)
    : refuse(name, `Enter a percentage from 0 to ${percentMax[name]} with at most 4 decimals.`);
}

function amountIn({ exp }: Currency, text: string): bigint | null {
  const parsed = parseDecimal(text, exp);
  return parsed.kind === "units" && parsed.units >= 0n ? parsed.units : null;
}
