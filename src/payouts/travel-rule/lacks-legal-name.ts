import type { Person, TravelRuleInfo } from "./travel-rule.ts";

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
