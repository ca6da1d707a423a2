import type { PayeeAddressing } from "../../chains/port.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import type { InputOf } from "../../platform/resources/define-document.ts";
import { readAddress } from "../create/read-payee.ts";
import { findThreshold } from "../travel-rule/change-threshold.ts";
import type { TravelRuleThresholds } from "../travel-rule/travel-rule.ts";
import { assertWithinBound } from "./apply-change.ts";
import { effectiveLimit, limitLoosens } from "./decide-protection.ts";
import {
  hasWallet,
  readAllowlistState,
  readLimitRows,
  readListedPayee,
} from "./protection-change.store.ts";
import {
  allowlistSubject,
  limitSubject,
  type ProtectionContent,
  payeeSubject,
  thresholdSubject,
} from "./protection-change.ts";
import type { newProtectionChangeDocument } from "./protection-documents.ts";

export type ChangeRequest = InputOf<typeof newProtectionChangeDocument>;

/** What a request changes, and whether that loosens protection. */
export type ReadChange = { readonly content: ProtectionContent; readonly loosens: boolean };

type ReadContext = {
  readonly currencies: CurrencyRegistry;
  readonly findPayeeAddressing: (chain: string) => PayeeAddressing | null;
  readonly travelRuleThresholds: TravelRuleThresholds;
};

const nothing = {
  walletId: null,
  currency: null,
  span: null,
  units: null,
  formerUnits: null,
  chain: null,
  address: null,
  tag: null,
  label: null,
  isEnforced: null,
} as const;

const attribute = (name: string) => ({ pointer: `/data/attributes/${name}` });
const relationship = (name: string) => ({ pointer: `/data/relationships/${name}` });

/**
 * Compares a request with what is in force, under the account's lock. Rejects `invalidValue` for members that are missing or wrong, for what
 * is in force already, and beyond the operator's limits; `addressRefused` for an invalid address.
 */
export function readChange(
  tx: Executor,
  context: ReadContext,
  accountId: string,
  request: ChangeRequest,
): Promise<ReadChange> {
  switch (request.kind) {
    case "limit":
    case "limit_removal":
      return readLimit(tx, context, accountId, request);
    case "payee_addition":
      return readAddition(tx, context, accountId, request);
    case "payee_removal":
      return readRemoval(tx, accountId, request);
    case "allowlist":
      return readSwitch(tx, accountId, request);
    case "travel_rule_threshold":
      return readThreshold(tx, context, request);
  }
}

async function readLimit(
  tx: Executor,
  { currencies }: ReadContext,
  accountId: string,
  request: ChangeRequest,
): Promise<ReadChange> {
  const { kind, span, amount, wallet: walletId } = request;
  if (span === null) reject("invalidValue", "Choose a span.", attribute("span"));
  const found = findCurrency(currencies, request.currency);
  const units = kind === "limit" ? readAmount(amount, found) : null;
  if (walletId !== null && !(isObjectId(walletId) && (await hasWallet(tx, accountId, walletId))))
    reject("invalidValue", "The account has no such wallet.", relationship("wallet"));
  const currency = found.id;
  const before = await readLimitRows(tx, { accountId, walletId, currency, span });
  const formerUnits = walletId === null ? before.ownAccount : before.ownWallet;
  if (units === formerUnits)
    reject(
      "invalidValue",
      units === null ? "There is no such limit." : "This limit is in force already.",
      units === null ? attribute("span") : attribute("amount"),
    );
  const content: ProtectionContent = {
    ...nothing,
    kind: units === null ? "limit_removal" : "limit",
    subject: limitSubject(walletId, currency, span),
    walletId,
    currency,
    span,
    units,
    formerUnits,
  };
  await assertWithinBound(tx, currencies, { ...content, accountId });
  const after = { ...before, [walletId === null ? "ownAccount" : "ownWallet"]: units };
  const loosens = limitLoosens(span, effectiveLimit(before), effectiveLimit(after));
  return { content, loosens };
}

function readAmount(amount: string | null, { alpha, exp }: Currency): bigint {
  if (amount === null) reject("invalidValue", "A limit needs an amount.", attribute("amount"));
  const parsed = parseDecimal(amount, exp);
  if (parsed.kind !== "units")
    reject("invalidValue", `${alpha} has at most ${exp} decimals.`, attribute("amount"));
  return parsed.units;
}

/** An addition always loosens: also while the list is not in force, because it may be soon. */
async function readAddition(
  tx: Executor,
  { currencies, findPayeeAddressing }: ReadContext,
  accountId: string,
  request: ChangeRequest,
): Promise<ReadChange> {
  const currency = findCurrency(currencies, request.currency);
  const chain = currency.chain ?? "";
  const addressing = findPayeeAddressing(chain);
  if (addressing === null)
    reject("invalidValue", "Payouts in this currency are not available.", relationship("currency"));
  const { payee, faults } = readAddress(request, currency, addressing);
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
  if (payee.kind !== "address") reject("invalidValue", "Enter an address.", attribute("address"));
  const { address, tag } = payee.destination;
  const { isListed } = await readAllowlistState(tx, accountId, { chain, address, tag });
  if (isListed)
    reject("invalidValue", "The address is on the allowlist already.", attribute("address"));
  const content: ProtectionContent = {
    ...nothing,
    kind: "payee_addition",
    subject: payeeSubject({ chain, address, tag }),
    currency: currency.id,
    chain,
    address,
    tag,
    label: request.label ?? "",
  };
  return { content, loosens: true };
}

async function readRemoval(
  tx: Executor,
  accountId: string,
  { payee: id }: ChangeRequest,
): Promise<ReadChange> {
  const payee = id !== null && isObjectId(id) ? await readListedPayee(tx, accountId, id) : null;
  if (payee === null)
    return reject("invalidValue", "The allowlist has no such address.", relationship("payee"));
  const content: ProtectionContent = {
    ...nothing,
    ...payee,
    kind: "payee_removal",
    subject: payeeSubject(payee),
  };
  return { content, loosens: false };
}

async function readSwitch(
  tx: Executor,
  accountId: string,
  { is_enforced: isEnforced }: ChangeRequest,
): Promise<ReadChange> {
  if (isEnforced === null)
    reject("invalidValue", "Set is_enforced to true or false.", attribute("is_enforced"));
  const before = await readAllowlistState(tx, accountId, nothing);
  if (before.isEnforced === isEnforced)
    reject("invalidValue", "The allowlist is in this state already.", attribute("is_enforced"));
  const content: ProtectionContent = {
    ...nothing,
    kind: "allowlist",
    subject: allowlistSubject,
    isEnforced,
  };
  return { content, loosens: !isEnforced };
}

/** Under the lock of all thresholds. Without one every payout needs the data, so a threshold of 0 is the strictest. */
async function readThreshold(
  tx: Executor,
  { currencies, travelRuleThresholds }: ReadContext,
  request: ChangeRequest,
): Promise<ReadChange> {
  const found = findCurrency(currencies, request.currency);
  const stored = await findThreshold(tx, found.id);
  const units = request.amount === null ? null : readAmount(request.amount, found);
  if (units === stored)
    reject(
      "invalidValue",
      units === null ? "There is no such threshold." : "This threshold is in force already.",
      attribute("amount"),
    );
  const configured = travelRuleThresholds.get(found.id) ?? null;
  const before = stored ?? configured;
  const content: ProtectionContent = {
    ...nothing,
    kind: "travel_rule_threshold",
    subject: thresholdSubject(found.id),
    currency: found.id,
    units,
    formerUnits: before,
  };
  return { content, loosens: (units ?? configured ?? 0n) > (before ?? 0n) };
}

/** A currency that can be paid out. */
function findCurrency(currencies: CurrencyRegistry, id: string | null): Currency {
  const currency = id === null ? null : currencies.find(id);
  if (currency?.chain == null)
    return reject("invalidValue", "Choose a currency of a chain.", relationship("currency"));
  return currency;
}
