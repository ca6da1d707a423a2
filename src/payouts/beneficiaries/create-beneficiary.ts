import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Currency } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import { Rejected, type Rejection, reject, rejection } from "../../platform/kernel/rejection.ts";
import { readPayee } from "../create/read-payee.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import { readBeneficiaryRow, storeBeneficiary, takeBeneficiaryId } from "./beneficiary.store.ts";
import type { Beneficiary } from "./beneficiary.ts";
import { assertMayChangeBeneficiaries, type BeneficiaryContext } from "./context.ts";
import { sealTravelRule } from "./seal-travel-rule.ts";

/** The requested beneficiary; null: absent, or invalid (then `faults` contains the reason). */
export type NewBeneficiary = {
  readonly name: string | null;
  readonly currencyId: string | null;
  readonly address: string | null;
  readonly tagType: string | null;
  readonly tag: string | null;
  readonly travelRule: TravelRuleInfo | null;
};

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
  input: NewBeneficiary,
  faults: readonly Rejection[],
): Promise<Beneficiary> {
  assertMayChangeBeneficiaries(principal);
  const { currency, address } = readDestination(context, input, faults);
  const { db, clock, seal } = context;
  const { accountId, memberId } = principal;
  const { tagType, tag, travelRule } = input;
  const name = present(input.name, "a valid name");
  const chain = present(currency.chain, "the chain of a currency with addresses");
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
      travelRuleSealed: travelRule === null ? null : sealTravelRule(seal, id, travelRule),
      createdByMemberId: memberId,
      createdAt: now,
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

function readDestination(
  { currencies, findPayeeAddressing }: BeneficiaryContext,
  { currencyId, address, tag, tagType }: NewBeneficiary,
  given: readonly Rejection[],
): { readonly currency: Currency; readonly address: string } {
  const currency = currencyId === null ? null : currencies.find(currencyId);
  const chain = currency?.chain ?? null;
  const addressing = chain === null ? null : findPayeeAddressing(chain);
  const isUnpayable = currencyId !== null && addressing === null;
  const { payee, faults } = readPayee(
    {
      address,
      tag,
      tagType,
      targetDeposit: null,
      targetWallet: null,
      targetWalletPointer: "",
    },
    currency,
    addressing,
  );
  const [first, ...others] = [
    ...given,
    ...(isUnpayable
      ? [rejection("invalidValue", "Payouts in this currency are not available.", currencyPointer)]
      : []),
    // `given` already contains the fault of a missing address.
    ...(address === null ? [] : faults),
  ];
  if (first !== undefined) throw new Rejected(first, ...others);
  if (payee.kind !== "address" || currency === null)
    return reject("invalidValue", "Enter an address.", addressPointer);
  return { currency, address: payee.destination.address };
}
