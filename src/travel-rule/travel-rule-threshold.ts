import type { CurrencyId } from "../kernel/money.ts";
import type { Person, TravelRuleInfo } from "./travel-rule.ts";

/** From how many units of a currency on a payout must name its receiver. A currency that is not here: always. */
export type TravelRuleThresholds = ReadonlyMap<CurrencyId, bigint>;

/** Whether a payout of so many units must name its receiver. */
export function isTravelRuleRequired(
  thresholds: TravelRuleThresholds,
  currency: CurrencyId,
  units: bigint,
): boolean {
  const threshold = thresholds.get(currency);
  return threshold === undefined || units >= threshold;
}

/** Of nobody: what is kept where nothing was given and nothing is asked for. */
export const noTravelRule: TravelRuleInfo = { beneficiary: { beneficiaryPersons: [] } };

/** Whether an export needs a human first: IVMS101 C5 asks for a legal name of each legal person. */
export function lacksLegalName({ beneficiary }: TravelRuleInfo): boolean {
  return beneficiary.beneficiaryPersons.some(isWithoutLegalName);
}

function isWithoutLegalName(person: Person): boolean {
  if (!("legalPerson" in person)) return false;
  return !person.legalPerson.name.nameIdentifier.some(
    (identifier) => identifier.legalPersonNameIdentifierType === "LEGL",
  );
}
