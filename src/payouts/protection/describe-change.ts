import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Notice } from "../../notifications/notice.ts";
import type { StatedChange } from "../../notifications/notice-event.ts";
import { present } from "../../platform/kernel/assert.ts";
import { formatDecimal, formatShortDecimal } from "../../platform/kernel/decimal.ts";
import type { ProtectionChange, ProtectionContent } from "./protection-change.ts";

const spans = { transaction: "per payout", hour: "per hour", day: "per day" } as const;

/** What a change does, in one line: `raise the limit per day to 50000 USDT, from 10000`. Pure. */
export function describeChange(change: ProtectionContent, currencies: CurrencyRegistry): string {
  switch (change.kind) {
    case "limit":
    case "limit_removal":
      return describeLimit(change, currencies);
    case "travel_rule_threshold":
      return describeThreshold(change, currencies);
    case "payee_addition":
      return `allow payouts to ${destinationOf(change)}`;
    case "payee_removal":
      return `no longer allow payouts to ${destinationOf(change)}`;
    case "allowlist":
      return change.isEnforced === true
        ? "restrict payouts to the allowlist"
        : "allow payouts to any address";
  }
}

function describeLimit(change: ProtectionContent, currencies: CurrencyRegistry): string {
  const { alpha, exp } = currencies.get(present(change.currency, "the currency of a limit"));
  const span = spans[present(change.span, "the span of a limit")];
  const of = change.walletId === null ? "" : ` of wallet ${change.walletId}`;
  const amount = (units: bigint): string => formatShortDecimal(units, exp);
  const was = change.formerUnits === null ? "" : `, from ${amount(change.formerUnits)}`;
  if (change.units === null) return `remove the ${alpha} limit ${span}${of}${was}`;
  return `set the ${alpha} limit ${span}${of} to ${amount(change.units)}${was}`;
}

function describeThreshold(change: ProtectionContent, currencies: CurrencyRegistry): string {
  const { alpha, exp } = currencies.get(present(change.currency, "the currency of a threshold"));
  const amount = (units: bigint): string => formatShortDecimal(units, exp);
  const was = change.formerUnits === null ? "" : `, from ${amount(change.formerUnits)}`;
  return change.units === null
    ? `remove the travel-rule threshold of ${alpha}${was}`
    : `set the travel-rule threshold of ${alpha} to ${amount(change.units)}${was}`;
}

function destinationOf({ chain, address, tag, label }: ProtectionContent): string {
  const named = label === null || label === "" ? "" : ` (${label})`;
  const tagged = tag === null ? "" : ` with tag ${tag}`;
  return `${address ?? ""}${tagged} on ${chain ?? ""}${named}`;
}

/** A change as notifications state it, for texts in each language. Pure. */
export function stateChange(change: ProtectionContent, currencies: CurrencyRegistry): StatedChange {
  const { kind, span, walletId, chain, address, tag, label, isEnforced } = change;
  const currency = change.currency === null ? null : currencies.get(change.currency);
  const amount = (units: bigint | null): string | null =>
    units === null || currency === null ? null : formatDecimal(units, currency.exp);
  return {
    kind,
    code: currency?.alpha ?? null,
    span,
    walletId,
    former: amount(change.formerUnits),
    amount: amount(change.units),
    chain,
    address,
    tag,
    label,
    isEnforced,
  };
}

/** What members are notified of a change that waits for one of them. */
export function changeNotice(
  change: ProtectionContent & { readonly accountId: string; readonly createdByMemberId: string },
  id: string,
  by: string,
  currencies: CurrencyRegistry,
): Notice {
  return {
    audience: {
      accountId: change.accountId,
      members: "all_wallets",
      exceptMemberId: change.createdByMemberId,
    },
    event: { kind: "change_approval", id, by, change: stateChange(change, currencies) },
    paidDepositId: null,
  };
}

/** What the audit log says about a change, next to its id. */
export function changeSummary(
  change: ProtectionContent & Partial<Pick<ProtectionChange, "note">>,
  currencies: CurrencyRegistry,
): Readonly<Record<string, string>> {
  const { note = "" } = change;
  return { change: describeChange(change, currencies), ...(note === "" ? {} : { note }) };
}
