import {
  flag,
  id,
  instant,
  integer,
  orNull,
  type RecordOf,
  recordReader,
  text,
  units,
  uuid,
} from "../../platform/db/columns.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

export const amountTypes = ["fixed", "chosen", "open"] as const;
export type AmountType = (typeof amountTypes)[number];

/** What an administrator sets. */
export const linkTerms = {
  walletId: id("wallet_id"),
  name: text("name"),
  description: orNull(text("description")),
  imageDigest: orNull(text("image_digest")),
  /** fixed: `amount`; chosen: the payer enters an amount; open: every payment is credited. */
  amountType: text<AmountType>("amount_type"),
  /** Units of the wallet's currency, as the other two. */
  amount: orNull(units("amount")),
  amountMin: orNull(units("amount_min")),
  amountMax: orNull(units("amount_max")),
  /** How many payments the link takes; null: any number. */
  stock: orNull(integer("stock")),
  endsAt: orNull(instant("ends_at")),
  isActive: flag("is_active"),
  /** Seconds; null: the account's default. */
  timeLimit: orNull(integer("time_limit")),
  callbackUrl: orNull(text("callback_url")),
  redirectUrl: orNull(text("redirect_url")),
};

/** The columns that a store inserts. */
export const linkFields = {
  ...linkTerms,
  accountId: id("account_id"),
  id: id("id"),
  /** In the public address. */
  pageId: uuid("page_id"),
  /** Signs the callbacks of its deposits. */
  createdByCredentialId: id("created_by_credential_id"),
  createdAt: instant("created_at"),
  updatedAt: instant("updated_at"),
};

export const storedLinkFields = {
  ...linkFields,
  walletCurrency: text<CurrencyId>("wallet_currency"),
};

export const offeredLinkFields = {
  ...storedLinkFields,
  /** Deposits that are not canceled, each of which takes one from the stock. Counted up to the stock; 0 without a stock. */
  taken: integer("taken"),
};

export type LinkTerms = RecordOf<typeof linkTerms>;
/** A reusable link that creates a deposit per payment. */
export type StoredLink = RecordOf<typeof storedLinkFields>;
/** What visitors of a link and their payments need to know. */
export type OfferedLink = RecordOf<typeof offeredLinkFields>;
/** What administrators see: `taken` counts all deposits that are not canceled, and `paid` the paid ones of them. */
export type PaymentLink = StoredLink & { readonly taken: number; readonly paid: number };

export const storedLinkFromRow = recordReader(storedLinkFields);
export const offeredLinkFromRow = recordReader(offeredLinkFields);

export const linkStates = ["active", "inactive", "ended", "sold_out"] as const;
export type LinkState = (typeof linkStates)[number];

/** Whether the link takes payments, and why not. Pure. */
export function stateOfLink(
  { isActive, endsAt, stock, taken }: Pick<PaymentLink, "isActive" | "endsAt" | "stock" | "taken">,
  now: Instant,
): LinkState {
  if (!isActive) return "inactive";
  if (endsAt !== null && endsAt <= now) return "ended";
  return stock !== null && taken >= stock ? "sold_out" : "active";
}

/** A deposit that nobody pays gives its piece of the stock back when it expires, so with a stock it has to. */
const stockedTimeLimit = 3_600;

/** Seconds until a deposit of the link expires; null: the account's default. */
export function timeLimitOf({ timeLimit, stock }: LinkTerms): number | null {
  return timeLimit ?? (stock === null ? null : stockedTimeLimit);
}

/** The public address of a link, below the deployment's own. */
export function linkPath(pageId: string): string {
  return `/link/${pageId}/`;
}
