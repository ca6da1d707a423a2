import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { mayCreate, type Principal } from "../../accounts/principal.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import { findChain } from "../../currencies/chains.ts";
import type { Currency } from "../../currencies/currency.ts";
import { tagTypeOf } from "../../currencies/read-tag.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { Rejected, type Rejection, reject, rejection } from "../../platform/kernel/rejection.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import type { DocumentReading } from "../../platform/resources/define-document.ts";
import { readAddress } from "../create/read-payee.ts";
import { readTravelRuleField } from "../travel-rule/read-travel-rule.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import {
  listBeneficiaryRows,
  readBeneficiaryRow,
  removeBeneficiaryRow,
  storeBeneficiary,
  takeBeneficiaryId,
  updateBeneficiary,
} from "./beneficiary.store.ts";
import { type Beneficiary, sealTravelRule } from "./beneficiary.ts";
import type { newBeneficiaryDocument } from "./beneficiary-documents.ts";

export type BeneficiaryContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly currencies: CurrencyRegistry;
  /** Null for a chain that is not enabled in this deployment. */
  readonly findPayeeAddressing: (chain: string) => PayeeAddressing | null;
};

/** Rejects `permissionDenied` for the role Read only. */
export function assertMayChangeBeneficiaries(principal: Principal): void {
  if (!mayCreate(principal))
    reject("permissionDenied", "Your role can view beneficiaries but can't change them.");
}

/** One page of the account's beneficiaries. They belong to no wallet, so every member may view them. */
export function listBeneficiaries(
  db: Executor,
  principal: Principal,
  query: ListQuery,
): Promise<Page<Beneficiary>> {
  return listBeneficiaryRows(db, principal.accountId, query);
}

/** The beneficiary with this id; null when the account has none. */
export function findBeneficiary(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<Beneficiary | null> {
  return readBeneficiaryRow(db, principal.accountId, id);
}

/** The requested beneficiary; null: absent, or invalid (then `faults` contains the reason). */
type BeneficiaryInput = DocumentReading<typeof newBeneficiaryDocument>["values"];

const currencyPointer = { pointer: "/data/relationships/currency" };
const addressPointer = { pointer: "/data/attributes/address" };

/**
 * Creates a beneficiary. Rejects `permissionDenied` for the role Read only, and otherwise all of `faults` together with `invalidValue` or
 * `addressRefused` for a currency without payouts in this deployment, an address that is invalid on its chain, and an address that
 * another beneficiary of the account has.
 */
export async function createBeneficiary(
  context: BeneficiaryContext,
  principal: Principal,
  { values: input, faults }: DocumentReading<typeof newBeneficiaryDocument>,
): Promise<Beneficiary> {
  assertMayChangeBeneficiaries(principal);
  const travelRule = readTravelRuleField(input.travel_rule_info);
  const allFaults = [...faults, ...travelRule.faults];
  const { currency, address, tag } = readDestination(context, input, allFaults);
  const { db, clock, seal } = context;
  const { accountId, memberId } = principal;
  const name = present(input.name, "a valid name");
  const chain = present(currency.chain, "the chain of a currency with addresses");
  const tagType = tagTypeOf(findChain(chain)?.tag ?? null, tag, input.tag_type);
  const now = clock.now();
  return db.transaction(async (tx) => {
    const id = await takeBeneficiaryId(tx);
    const isStored = await storeBeneficiary(tx, {
      accountId,
      id,
      name,
      chain,
      address,
      tagType,
      tag,
      currency: currency.id,
      travelRuleSealed: travelRule.info === null ? null : sealTravelRule(seal, id, travelRule.info),
      createdByMemberId: memberId,
      createdAt: now,
      updatedAt: now,
    });
    if (!isStored)
      reject("invalidValue", "Another beneficiary already has this address.", addressPointer);
    await recordAudit(tx, {
      by: principal,
      action: "beneficiary.created",
      at: now,
      object: { type: "beneficiary", id },
      summary: { name, chain, address, tag },
    });
    return present(await readBeneficiaryRow(tx, accountId, id), "the new beneficiary");
  });
}

/**
 * Changes name or travel-rule data: undefined keeps them, null clears. The address never changes, because people who trust the name trust
 * its address. Null when the account has no such beneficiary. Rejects `permissionDenied`.
 */
export async function changeBeneficiary(
  { db, clock, seal }: BeneficiaryContext,
  principal: Principal,
  id: string,
  change: {
    readonly name: string | undefined;
    readonly travelRule: TravelRuleInfo | null | undefined;
  },
): Promise<Beneficiary | null> {
  assertMayChangeBeneficiaries(principal);
  const { name, travelRule } = change;
  const { accountId } = principal;
  const now = clock.now();
  return db.transaction(async (tx) => {
    const travelRuleSealed =
      travelRule === null || travelRule === undefined
        ? travelRule
        : sealTravelRule(seal, id, travelRule);
    const isThere = await updateBeneficiary(tx, { accountId, id }, { name, travelRuleSealed }, now);
    if (!isThere) return null;
    await recordAudit(tx, {
      by: principal,
      action: "beneficiary.changed",
      at: now,
      object: { type: "beneficiary", id },
      summary: {
        ...(name === undefined ? {} : { name }),
        ...(travelRule === undefined ? {} : { travel_rule_changed: true }),
      },
    });
    return readBeneficiaryRow(tx, accountId, id);
  });
}

/** Removes a beneficiary; its payouts do not change. False when the account has no such beneficiary. Rejects `permissionDenied`. */
export function removeBeneficiary(
  { db, clock }: BeneficiaryContext,
  principal: Principal,
  id: string,
): Promise<boolean> {
  assertMayChangeBeneficiaries(principal);
  return db.transaction(async (tx) => {
    const name = await removeBeneficiaryRow(tx, principal.accountId, id);
    if (name === null) return false;
    await recordAudit(tx, {
      by: principal,
      action: "beneficiary.removed",
      at: clock.now(),
      object: { type: "beneficiary", id },
      summary: { name },
    });
    return true;
  });
}

/** Address and tag in their one spelling: the tag of an address that contains one must not be lost. */
function readDestination(
  { currencies, findPayeeAddressing }: BeneficiaryContext,
  input: BeneficiaryInput,
  given: readonly Rejection[],
): { readonly currency: Currency; readonly address: string; readonly tag: string | null } {
  const currency = input.currency === null ? null : currencies.find(input.currency);
  const chain = currency?.chain ?? null;
  const addressing = chain === null ? null : findPayeeAddressing(chain);
  const isUnpayable = input.currency !== null && addressing === null;
  const { payee, faults } = readAddress(input, currency, addressing);
  const [first, ...others] = [
    ...given,
    ...(isUnpayable
      ? [rejection("invalidValue", "Payouts in this currency are not available.", currencyPointer)]
      : []),
    ...faults,
  ];
  if (first !== undefined) throw new Rejected(first, ...others);
  if (payee.kind !== "address" || currency === null)
    return reject("invalidValue", "Enter an address.", addressPointer);
  const { address, tag } = payee.destination;
  return { currency, address, tag };
}
