import { integer, type RecordOf, text } from "../../platform/db/columns.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { DepositDefaults } from "../create/deposit-defaults.ts";
import type { PageSettings } from "./page-settings.ts";

/** The settings as on the wire. Null without one, or for the built-in default. */
export type StoreSettings = {
  readonly shop_name: string | null;
  readonly help_email: string | null;
  /** URL of the image. A change takes a data URL. */
  readonly logo: string | null;
  readonly accent_color: string | null;
  readonly accent_color_dark: string | null;
  readonly frame_ancestors: readonly string[];
  readonly shows_order_reference: boolean;
  readonly shows_receipt: boolean;
  readonly receipt_note: string | null;
  readonly payment_page_redirect_url: string | null;
  readonly payment_page_button_text: string | null;
  readonly underpayment_percent: string | null;
  readonly underpayment_amount: string | null;
  readonly overpayment_percent: string | null;
  readonly overpayment_amount: string | null;
  /** Id of the currency of both amounts. */
  readonly tolerance_currency: string | null;
  readonly time_limit: number | null;
  readonly callback_url: string | null;
  readonly payout_batch_seconds: number;
  /** Id of the currency in which payments and payouts are valued. */
  readonly fiat_currency: string;
};

/** As in the database. */
export type StoredSettings = {
  readonly page: PageSettings;
  readonly defaults: DepositDefaults;
  readonly payouts: PayoutSettings;
  readonly accounting: AccountingSettings;
};

/** How the account's payouts are sent: columns of `account`. */
export const payoutSettingFields = {
  /** How many seconds a payout may wait for others to share a transaction with. */
  batchSeconds: integer("payout_batch_seconds"),
};

export type PayoutSettings = RecordOf<typeof payoutSettingFields>;

/** What the account's payments and payouts are valued in: columns of `account`. */
export const accountingSettingFields = {
  /** Of new payments and payouts; a change leaves the values of earlier ones. */
  fiatCurrency: text<CurrencyId>("fiat_currency"),
};

export type AccountingSettings = RecordOf<typeof accountingSettingFields>;
