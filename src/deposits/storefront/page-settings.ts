import { flag, orNull, type RecordOf, text, textArray } from "../../platform/db/columns.ts";

/** What an account's payment pages show: columns of `account`. */
export const pageSettingFields = {
  /** Null shows no name. */
  shopName: orNull(text("payment_page_shop_name")),
  /** Default for deposits without their own help address. */
  helpEmail: orNull(text("help_email")),
  /** Origins that may embed the pages in a frame. */
  frameAncestors: textArray("payment_page_frame_ancestors"),
  /** The SHA-256 of a stored image. */
  logoDigest: orNull(text("logo_digest")),
  /** `#rrggbb`; null: the built-in colors. */
  accentColor: orNull(text("accent_color")),
  /** Null: derived from the other. */
  accentColorDark: orNull(text("accent_color_dark")),
  /** Whether payers of Merchant wallets see the tracking ID. */
  showsOrderReference: flag("shows_order_reference"),
  showsReceipt: flag("shows_receipt"),
  /** Printed below the receipt, such as the store's address and tax number. */
  receiptNote: orNull(text("receipt_note")),
};

export type PageSettings = RecordOf<typeof pageSettingFields>;
