import {
  flag,
  id,
  instant,
  orNull,
  type RecordOf,
  recordReader,
  text,
  units,
} from "../../platform/db/columns.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { LimitSpan } from "../controls/limit-span.ts";

/** What a change is about. */
export const protectionKinds = [
  { value: "limit", name: "set a payout limit" },
  { value: "limit_removal", name: "remove a payout limit" },
  { value: "payee_addition", name: "add an address to the allowlist" },
  { value: "payee_removal", name: "remove an address from the allowlist" },
  { value: "allowlist", name: "restrict payouts to the allowlist, or lift the restriction" },
  {
    value: "travel_rule_threshold",
    name: "set the amount from which payouts need travel-rule data; operators only",
  },
] as const;

export type ProtectionKind = (typeof protectionKinds)[number]["value"];

export const protectionStatuses = [
  { value: "waiting", name: "waits for another member, or until applies_at" },
  { value: "applied", name: "applied" },
  { value: "rejected", name: "rejected by another member or the operator" },
  { value: "withdrawn", name: "withdrawn by the member who asked" },
  { value: "expired", name: "nobody approved it in time" },
  { value: "superseded", name: "another change of the same setting came first" },
] as const;

export type ProtectionStatus = (typeof protectionStatuses)[number]["value"];

/** The columns that a store inserts. */
export const protectionFields = {
  accountId: id("account_id"),
  kind: text<ProtectionKind>("kind"),
  /** What it changes; one change of a subject waits at a time. */
  subject: text("subject"),
  /** Null: the account's limit. */
  walletId: orNull(id("wallet_id")),
  currency: orNull(text<CurrencyId>("currency")),
  span: orNull(text<LimitSpan>("span")),
  /** Of a limit or threshold; null of its removal. */
  units: orNull(units("units")),
  /** The own limit of wallet or account, or the threshold in force, before the change; null without one. */
  formerUnits: orNull(units("former_units")),
  chain: orNull(text("chain")),
  address: orNull(text("address")),
  tag: orNull(text("tag")),
  label: orNull(text("label")),
  isEnforced: orNull(flag("is_enforced")),
  loosens: flag("loosens"),
  note: text("note"),
  status: text<ProtectionStatus>("status"),
  createdByMemberId: id("created_by_member_id"),
  createdAt: instant("created_at"),
  /** Null unless it waits for a period instead of another member. */
  appliesAt: orNull(instant("applies_at")),
  expiresAt: orNull(instant("expires_at")),
  decidedByMemberId: orNull(id("decided_by_member_id")),
  decidedAt: orNull(instant("decided_at")),
};

export const shownFields = {
  id: id("id"),
  ...protectionFields,
  createdByName: text("created_by_name"),
  /** Null: nobody, the operator's command line, or the service. */
  decidedByName: orNull(text("decided_by_name")),
};

export type NewProtectionChange = RecordOf<typeof protectionFields>;

/** A change of an account's limits or allowlist. */
export type ProtectionChange = RecordOf<typeof shownFields>;

/** What is changed, without who and when. */
export type ProtectionContent = Pick<
  NewProtectionChange,
  | "kind"
  | "subject"
  | "walletId"
  | "currency"
  | "span"
  | "units"
  | "formerUnits"
  | "chain"
  | "address"
  | "tag"
  | "label"
  | "isEnforced"
>;

export const protectionChangeFromRow = recordReader(shownFields);

/** The subject of a limit: of one wallet, or of the account. */
export function limitSubject(walletId: string | null, currency: string, span: LimitSpan): string {
  return `limit ${walletId ?? "all"} ${currency} ${span}`;
}

/** The subject of an allowlisted destination; the address in its canonical spelling. */
export function payeeSubject(payee: {
  readonly chain: string;
  readonly address: string;
  readonly tag: string | null;
}): string {
  return `payee ${payee.chain} ${payee.address} ${payee.tag ?? ""}`;
}

export const allowlistSubject = "allowlist";

/** The subject of a currency's travel-rule threshold, which is the same in every account that operates the deployment. */
export function thresholdSubject(currency: string): string {
  return `travel_rule_threshold ${currency}`;
}
