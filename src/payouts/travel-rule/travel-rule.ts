/** Receiver information in the interface's shape, normalised: always arrays, country upper-case or null. */
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

/** Of nobody: what is kept where nothing was given and nothing is asked for. */
export const noTravelRule: TravelRuleInfo = { beneficiary: { beneficiaryPersons: [] } };
