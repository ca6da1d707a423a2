/** Travel-rule data about the receivers in the interface's shape, normalized: always arrays, country upper-case or null. */
export type TravelRuleInfo = {
  readonly beneficiary: { readonly beneficiaryPersons: readonly Person[] };
};

export type Person =
  | { readonly naturalPerson: NaturalPerson }
  | { readonly legalPerson: LegalPerson };

export type NaturalPerson = {
  readonly name: readonly {
    readonly nameIdentifier: readonly {
      readonly primaryIdentifier: string;
      readonly secondaryIdentifier: string;
    }[];
  }[];
  readonly geographicAddress: readonly GeographicAddress[];
};

export type LegalPerson = {
  readonly name: {
    readonly nameIdentifier: readonly {
      readonly legalPersonName: string;
      readonly legalPersonNameIdentifierType: string;
    }[];
  };
  readonly geographicAddress: readonly GeographicAddress[];
};

export type GeographicAddress = {
  readonly country: string | null;
  readonly addressLine: readonly string[];
  readonly addressType: string;
};

/** Stored where no travel-rule data was given or required. */
export const noTravelRule: TravelRuleInfo = { beneficiary: { beneficiaryPersons: [] } };

/** Whether a legal person lacks a legal name, which IVMS101 C5 requires. A person must then review the data before its export. */
export function lacksLegalName({ beneficiary }: TravelRuleInfo): boolean {
  return beneficiary.beneficiaryPersons.some(
    (person) => "legalPerson" in person && !hasLegalName(person.legalPerson),
  );
}

/** Whether one of the names is the legal one (type `LEGL`). */
export function hasLegalName({ name }: LegalPerson): boolean {
  return name.nameIdentifier.some(
    ({ legalPersonNameIdentifierType }) => legalPersonNameIdentifierType === "LEGL",
  );
}
