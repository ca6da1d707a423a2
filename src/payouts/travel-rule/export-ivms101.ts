import type { JsonObject } from "../../platform/kernel/json.ts";
import { foldToLatin } from "./fold-to-latin.ts";
import type { GeographicAddress, LegalPerson, Person, TravelRuleInfo } from "./travel-rule.ts";

export const ivmsFormats = ["ivms101-2020", "ivms101-2023"] as const;
export type IvmsFormat = (typeof ivmsFormats)[number];

/** Why an export is not complete by the standard; `pointer` into the exported object. */
export type IvmsGap = {
  readonly gap: "no_legal_name" | "needs_transliteration" | "too_long" | "no_town";
  readonly pointer: string;
};

export type IvmsExport = { readonly ivms101: JsonObject; readonly gaps: readonly IvmsGap[] };

/**
 * Travel-rule data as an IVMS101 payload: who receives, and at which account (`address`, or `address:tag`; null: none). Of the
 * originator and the VASPs nothing is known here; whoever sends the payload adds them.
 *
 * The two versions differ in: `beneficiaryPersons` (2020; `beneficiaryPerson` in 2023), `nameIdentifierType` of a natural
 * person (`naturalPersonNameIdentifierType`), `accountNumber` beside the persons (of each person), and
 * `payloadMetadata.payloadVersion` (2023 only). Not known and so not invented: the town of an address, the name of a country
 * (XX). Names are given in Latin letters, as they were written under `localNameIdentifier` where that differs.
 */
export function exportIvms101(
  { beneficiary }: TravelRuleInfo,
  account: string | null,
  format: IvmsFormat,
): IvmsExport {
  const is2020 = format === "ivms101-2020";
  const list = is2020 ? "beneficiaryPersons" : "beneficiaryPerson";
  const scribe = new Scribe();
  const accountNumber = account === null ? {} : { accountNumber: [account] };
  const persons = beneficiary.beneficiaryPersons.map((person, index) => ({
    ...exportPerson(scribe, person, `/beneficiary/${list}/${index}`, is2020),
    ...(is2020 ? {} : accountNumber),
  }));
  const metadata = {
    ...(scribe.hasFolded ? { transliterationMethod: ["othr"] } : {}),
    ...(is2020 ? {} : { payloadVersion: "101.2023" }),
  };
  return {
    ivms101: {
      beneficiary: { [list]: persons, ...(is2020 ? accountNumber : {}) },
      ...(Object.keys(metadata).length === 0 ? {} : { payloadMetadata: metadata }),
    },
    gaps: scribe.gaps,
  };
}

function exportPerson(scribe: Scribe, person: Person, at: string, is2020: boolean): JsonObject {
  return "legalPerson" in person
    ? { legalPerson: exportLegal(scribe, person.legalPerson, `${at}/legalPerson`) }
    : exportNatural(scribe, person.naturalPerson, `${at}/naturalPerson`, is2020);
}

/**
 * The interface asks for no kind of a natural person's name, the standard for a legal one (C6): the first is taken as that, what
 * follows as names that cannot be categorised.
 */
function exportNatural(
  scribe: Scribe,
  person: Extract<Person, { naturalPerson: unknown }>["naturalPerson"],
  at: string,
  is2020: boolean,
): JsonObject {
  const typeName = is2020 ? "nameIdentifierType" : "naturalPersonNameIdentifierType";
  const given = person.name
    .flatMap(({ nameIdentifier }) => nameIdentifier)
    .map((identifier, index) => ({ identifier, type: index === 0 ? "LEGL" : "MISC" }));
  const nameIdentifier = given.map(({ identifier, type }, index) => {
    const here = `${at}/name/nameIdentifier/${index}`;
    const { primaryIdentifier, secondaryIdentifier } = identifier;
    return {
      primaryIdentifier: scribe.write(primaryIdentifier, `${here}/primaryIdentifier`, 100),
      secondaryIdentifier: scribe.write(secondaryIdentifier, `${here}/secondaryIdentifier`, 100),
      [typeName]: type,
    };
  });
  const local = given
    .filter(({ identifier }) => Object.values(identifier).some(isFolded))
    .map(({ identifier, type }) => ({
      primaryIdentifier: identifier.primaryIdentifier,
      secondaryIdentifier: identifier.secondaryIdentifier,
      nameIdentifierType: type,
    }));
  return {
    naturalPerson: {
      name: { nameIdentifier, ...(local.length === 0 ? {} : { localNameIdentifier: local }) },
      geographicAddress: exportAddresses(scribe, person.geographicAddress, at),
    },
  };
}

function exportLegal(scribe: Scribe, { name, geographicAddress }: LegalPerson, at: string) {
  const hasLegalName = name.nameIdentifier.some(
    ({ legalPersonNameIdentifierType }) => legalPersonNameIdentifierType === "LEGL",
  );
  if (!hasLegalName) scribe.gaps.push({ gap: "no_legal_name", pointer: `${at}/name` });
  const nameIdentifier = name.nameIdentifier.map((identifier, index) => ({
    legalPersonName: scribe.write(
      identifier.legalPersonName,
      `${at}/name/nameIdentifier/${index}/legalPersonName`,
      100,
    ),
    legalPersonNameIdentifierType: identifier.legalPersonNameIdentifierType,
  }));
  const local = name.nameIdentifier
    .filter(({ legalPersonName }) => isFolded(legalPersonName))
    .map(({ legalPersonName, legalPersonNameIdentifierType }) => ({
      legalPersonName,
      legalPersonNameIdentifierType,
    }));
  return {
    name: { nameIdentifier, ...(local.length === 0 ? {} : { localNameIdentifier: local }) },
    geographicAddress: exportAddresses(scribe, geographicAddress, at),
  };
}

function exportAddresses(
  scribe: Scribe,
  addresses: readonly GeographicAddress[],
  personAt: string,
): JsonObject[] {
  return addresses.map(({ country, addressLine, addressType }, index) => {
    const at = `${personAt}/geographicAddress/${index}`;
    scribe.gaps.push({ gap: "no_town", pointer: `${at}/townName` });
    return {
      addressType,
      country: country ?? "XX",
      addressLine: addressLine.map((line, place) =>
        scribe.write(line, `${at}/addressLine/${place}`, 70),
      ),
    };
  });
}

function isFolded(text: string): boolean {
  return foldToLatin(text) !== text;
}

/** Writes texts in Latin letters, and notes where that did not succeed. */
class Scribe {
  readonly gaps: IvmsGap[] = [];
  hasFolded = false;

  /** A text that cannot be written so is left as it is. */
  write(text: string, pointer: string, lengthMax: number): string {
    const folded = foldToLatin(text);
    if (folded === null) {
      this.gaps.push({ gap: "needs_transliteration", pointer });
      return text;
    }
    if (folded.length > lengthMax) this.gaps.push({ gap: "too_long", pointer });
    if (folded !== text) this.hasFolded = true;
    return folded;
  }
}
