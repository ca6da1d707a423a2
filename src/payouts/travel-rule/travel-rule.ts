import type { Principal, Role } from "../../accounts/principal.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

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

/** Stored where no travel-rule data was given or required; shown as null. */
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

/** The configured units per currency from which a payout requires travel-rule data. A currency that is absent always requires it. */
export type TravelRuleThresholds = ReadonlyMap<CurrencyId, bigint>;

/**
 * The units from which payouts of the currency require travel-rule data; null if every payout does. `stored` is the threshold that an
 * operator set, if any.
 */
export function travelRuleFrom(
  thresholds: TravelRuleThresholds,
  stored: bigint | null,
  currency: CurrencyId,
): bigint | null {
  return stored ?? thresholds.get(currency) ?? null;
}

/** Whether a payout of this many units requires travel-rule data. `stored` is the threshold that an operator set, if any. */
export function isTravelRuleRequired(
  thresholds: TravelRuleThresholds,
  stored: bigint | null,
  currency: CurrencyId,
  units: bigint,
): boolean {
  const threshold = travelRuleFrom(thresholds, stored, currency);
  return threshold === null || units >= threshold;
}

/** The receivers' names, such as "Ada Doe", separated by commas; null if none is named. */
export function receiverNames({ beneficiary }: TravelRuleInfo): string | null {
  const names = beneficiary.beneficiaryPersons.flatMap((person) => {
    if ("legalPerson" in person)
      return person.legalPerson.name.nameIdentifier.slice(0, 1).map((name) => name.legalPersonName);
    const [name] = person.naturalPerson.name.flatMap(({ nameIdentifier }) => nameIdentifier);
    return name === undefined ? [] : [`${name.secondaryIdentifier} ${name.primaryIdentifier}`];
  });
  return names.length === 0 ? null : names.join(", ");
}

const viewers: readonly Role[] = ["owner", "admin", "withdrawals", "withdrawals_with_approval"];

/** Whether a role may view travel-rule data. */
export function mayViewTravelRule({ role }: Pick<Principal, "role">): boolean {
  return viewers.includes(role);
}
