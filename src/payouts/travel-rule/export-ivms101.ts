import type { JsonObject } from "../../platform/kernel/json.ts";
import {
  type GeographicAddress,
  hasLegalName,
  type LegalPerson,
  type Person,
  type TravelRuleInfo,
} from "./travel-rule.ts";

export const ivmsFormats = ["ivms101-2020", "ivms101-2023"] as const;
export type IvmsFormat = (typeof ivmsFormats)[number];

/** What the standard requires and the export lacks; `pointer` refers to the exported object. */
export type IvmsGap = {
  readonly gap: "no_legal_name" | "needs_transliteration" | "too_long" | "no_town";
  readonly pointer: string;
};

export type IvmsExport = { readonly ivms101: JsonObject; readonly gaps: readonly IvmsGap[] };

/**
 * Exports travel-rule data as an IVMS101 payload: the receivers and their account (`address` or `address:tag`; null if there is none). The sender
 * adds originator and VASPs, which are unknown here.
 *
 * The versions differ in `beneficiaryPersons` (2020; 2023: `beneficiaryPerson`), a natural person's `nameIdentifierType` (2023:
 * `naturalPersonNameIdentifierType`), `accountNumber` beside the persons (2023: in each person), and `payloadMetadata.payloadVersion`
 * (2023 only). Unknown towns are omitted, and unknown countries are XX. Names are in Latin letters; the original spelling is in
 * `localNameIdentifier` where it differs.
 */
export function exportIvms101(
  { beneficiary }: TravelRuleInfo,
  account: string | null,
  format: IvmsFormat,
): IvmsExport {
  const is2020 = format === "ivms101-2020";
  const list = is2020 ? "beneficiaryPersons" : "beneficiaryPerson";
  const writer = new LatinWriter();
  const accountNumber = account === null ? {} : { accountNumber: [account] };
  const persons = beneficiary.beneficiaryPersons.map((person, index) => ({
    ...exportPerson(writer, person, `/beneficiary/${list}/${index}`, is2020),
    ...(is2020 ? {} : accountNumber),
  }));
  const metadata = {
    ...(writer.hasFolded ? { transliterationMethod: ["othr"] } : {}),
    ...(is2020 ? {} : { payloadVersion: "101.2023" }),
  };
  return {
    ivms101: {
      beneficiary: { [list]: persons, ...(is2020 ? accountNumber : {}) },
      ...(Object.keys(metadata).length === 0 ? {} : { payloadMetadata: metadata }),
    },
    gaps: writer.gaps,
  };
}

function exportPerson(
  writer: LatinWriter,
  person: Person,
  at: string,
  is2020: boolean,
): JsonObject {
  return "legalPerson" in person
    ? { legalPerson: exportLegal(writer, person.legalPerson, `${at}/legalPerson`) }
    : exportNatural(writer, person.naturalPerson, `${at}/naturalPerson`, is2020);
}

/**
 * The interface has no types for names of natural persons, but the standard requires a legal one (C6): the first name is exported as
 * legal, the others as miscellaneous.
 */
function exportNatural(
  writer: LatinWriter,
  person: Extract<Person, { naturalPerson: unknown }>["naturalPerson"],
  at: string,
  is2020: boolean,
): JsonObject {
  const typeName = is2020 ? "nameIdentifierType" : "naturalPersonNameIdentifierType";
  const name = person.name
    .flatMap(({ nameIdentifier }) => nameIdentifier)
    .map((identifier, index) => ({ identifier, type: index === 0 ? "LEGL" : "MISC" }));
  const nameIdentifier = name.map(({ identifier, type }, index) => {
    const here = `${at}/name/nameIdentifier/${index}`;
    const { primaryIdentifier, secondaryIdentifier } = identifier;
    return {
      primaryIdentifier: writer.write(primaryIdentifier, `${here}/primaryIdentifier`, 100),
      secondaryIdentifier: writer.write(secondaryIdentifier, `${here}/secondaryIdentifier`, 100),
      [typeName]: type,
    };
  });
  const local = name
    .filter(({ identifier }) => Object.values(identifier).some(isFolded))
    .map(({ identifier, type }) => ({
      primaryIdentifier: identifier.primaryIdentifier,
      secondaryIdentifier: identifier.secondaryIdentifier,
      nameIdentifierType: type,
    }));
  return {
    naturalPerson: {
      name: { nameIdentifier, ...(local.length === 0 ? {} : { localNameIdentifier: local }) },
      geographicAddress: exportAddresses(writer, person.geographicAddress, at),
    },
  };
}

function exportLegal(writer: LatinWriter, person: LegalPerson, at: string) {
  const { name, geographicAddress } = person;
  if (!hasLegalName(person)) writer.gaps.push({ gap: "no_legal_name", pointer: `${at}/name` });
  const nameIdentifier = name.nameIdentifier.map((identifier, index) => ({
    legalPersonName: writer.write(
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
    geographicAddress: exportAddresses(writer, geographicAddress, at),
  };
}

function exportAddresses(
  writer: LatinWriter,
  addresses: readonly GeographicAddress[],
  personAt: string,
): JsonObject[] {
  return addresses.map(({ country, addressLine, addressType }, index) => {
    const at = `${personAt}/geographicAddress/${index}`;
    writer.gaps.push({ gap: "no_town", pointer: `${at}/townName` });
    return {
      addressType,
      country: country ?? "XX",
      addressLine: addressLine.map((line, place) =>
        writer.write(line, `${at}/addressLine/${place}`, 70),
      ),
    };
  });
}

function isFolded(text: string): boolean {
  return foldToLatin(text) !== text;
}

/** Converts texts to Latin letters and collects the gaps. */
class LatinWriter {
  readonly gaps: IvmsGap[] = [];
  hasFolded = false;

  /** Returns text that cannot be converted unchanged. */
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

/** Letters that do not decompose into a base letter and marks. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "Th",
  ł: "l",
  Ł: "L",
  ı: "i",
  "’": "'",
  "–": "-",
  "—": "-",
};

const printableAscii = /^[ -~]+$/;

/**
 * A text in the characters that IVMS101.2023 allows in its Latin fields (printable ASCII): accents are removed, `ß` becomes `ss`. Null
 * for text in another script, which a person must transliterate.
 */
export function foldToLatin(text: string): string | null {
  const spelled = Array.from(text, (letter) => spelledOut[letter] ?? letter).join("");
  const folded = spelled.normalize("NFD").replaceAll(/\p{Mark}/gu, "");
  return printableAscii.test(folded) ? folded : null;
}
