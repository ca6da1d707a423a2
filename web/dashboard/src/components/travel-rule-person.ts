import { t } from "../language/t.ts";

type Address = {
  readonly addressType: "HOME" | "BIZZ";
  readonly addressLine: readonly string[];
  readonly country?: string;
};

type NaturalPerson = {
  readonly name: readonly {
    readonly nameIdentifier: readonly {
      readonly primaryIdentifier: string;
      readonly secondaryIdentifier: string;
    }[];
  }[];
  readonly geographicAddress: readonly Address[];
};

type LegalPerson = {
  readonly name: {
    readonly nameIdentifier: readonly {
      readonly legalPersonName: string;
      readonly legalPersonNameIdentifierType: "LEGL";
    }[];
  };
  readonly geographicAddress: readonly Address[];
};

/** The API's `travel_rule_info` (a subset of IVMS101), as the form fills it in. */
export type TravelRule = {
  readonly beneficiary: {
    readonly beneficiaryPersons: readonly (
      | { readonly naturalPerson: NaturalPerson }
      | { readonly legalPerson: LegalPerson }
    )[];
  };
};

/** The recipient's form fields. */
export type PersonValues = {
  readonly personKind: "natural" | "legal";
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly country: string;
  readonly addressLine: string;
};

export const emptyPerson: PersonValues = {
  personKind: "natural",
  firstName: "",
  lastName: "",
  companyName: "",
  country: "",
  addressLine: "",
};

/** The `travel_rule_info` of one recipient. */
export function travelRuleOf(person: PersonValues): TravelRule {
  const isNatural = person.personKind === "natural";
  const geographicAddress: readonly Address[] = [
    {
      addressLine: [person.addressLine],
      addressType: isNatural ? "HOME" : "BIZZ",
      ...(person.country === "" ? {} : { country: person.country }),
    },
  ];
  const name = { primaryIdentifier: person.lastName, secondaryIdentifier: person.firstName };
  const legalName = {
    legalPersonName: person.companyName,
    legalPersonNameIdentifierType: "LEGL",
  } as const;
  const recipient = isNatural
    ? { naturalPerson: { name: [{ nameIdentifier: [name] }], geographicAddress } }
    : { legalPerson: { name: { nameIdentifier: [legalName] }, geographicAddress } };
  return { beneficiary: { beneficiaryPersons: [recipient] } };
}

/** The errors of required fields that are empty, by field. */
export function missingOf(person: PersonValues): Readonly<Record<string, string>> {
  const required =
    person.personKind === "natural"
      ? ([
          ["firstName", t("Enter a first name.")],
          ["lastName", t("Enter a last name.")],
          ["addressLine", t("Enter a street address.")],
        ] as const)
      : ([
          ["companyName", t("Enter a company name.")],
          ["addressLine", t("Enter a street address.")],
        ] as const);
  return Object.fromEntries(
    required.flatMap(([field, fault]) => (person[field].trim() === "" ? [[field, fault]] : [])),
  );
}

const fields: readonly (readonly [part: RegExp, field: keyof PersonValues])[] = [
  [/\/primaryIdentifier$/, "lastName"],
  [/\/secondaryIdentifier$/, "firstName"],
  [/\/legalPersonName$/, "companyName"],
  [/\/country$/, "country"],
  [/\/addressLine(?:\/\d+)?$/, "addressLine"],
];

/** The form field that a JSON pointer into `travel_rule_info` names; null if there is none. */
export function fieldOfPersonPointer(pointer: string): keyof PersonValues | null {
  if (!pointer.startsWith("/data/attributes/travel_rule_info/")) return null;
  return fields.find(([part]) => part.test(pointer))?.[1] ?? null;
}
