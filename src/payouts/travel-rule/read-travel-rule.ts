import type { JsonValue } from "../../platform/kernel/json.ts";
import { pointerOf, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { textFault } from "../../platform/kernel/text-fault.ts";
import type {
  GeographicAddress,
  LegalPerson,
  NaturalPerson,
  Person,
  TravelRuleInfo,
} from "./travel-rule.ts";

export type TravelRuleReading =
  | { readonly kind: "read"; readonly info: TravelRuleInfo }
  | { readonly kind: "refused"; readonly rejections: readonly [Rejection, ...Rejection[]] };

const identifierLengthMax = 100;
const addressLineLengthMax = 70;
const addressLinesMax = 7;
const personsMax = 10;
const addressTypes = ["HOME", "BIZZ", "GEOG"];
const legalNameTypes = ["LEGL", "SHRT", "TRAD"];

/**
 * Parses the interface's travel-rule object (a subset of IVMS101). Also accepts a single object instead of `naturalPerson.name`'s
 * array and a string instead of `addressLine`'s array, and drops unknown members, whatever they hold. Each fault is an invalidValue with
 * a pointer to the exact member, below `pointer`.
 */
export function readTravelRule(value: JsonValue, pointer: string): TravelRuleReading {
  const faults: Rejection[] = [];
  const reader = new Reader(faults);
  const root = reader.object(value, pointer);
  const beneficiary = reader.object(root?.["beneficiary"], `${pointer}/beneficiary`);
  const personsPointer = `${pointer}/beneficiary/beneficiaryPersons`;
  const persons = reader.array(beneficiary?.["beneficiaryPersons"], personsPointer, personsMax);
  const beneficiaryPersons = persons.map((person, index) =>
    readPerson(reader, person, `${personsPointer}/${index}`),
  );
  const [first, ...others] = faults;
  if (first !== undefined) return { kind: "refused", rejections: [first, ...others] };
  return {
    kind: "read",
    info: {
      beneficiary: { beneficiaryPersons: beneficiaryPersons.filter((person) => person !== null) },
    },
  };
}

function readPerson(reader: Reader, value: JsonValue, pointer: string): Person | null {
  const person = reader.object(value, pointer);
  if (person === null) return null;
  const { naturalPerson = null, legalPerson = null } = person;
  if ((naturalPerson === null) === (legalPerson === null)) {
    reader.refuse(pointer, "Each person must be exactly one of naturalPerson and legalPerson.");
    return null;
  }
  return naturalPerson === null
    ? { legalPerson: readLegal(reader, legalPerson, `${pointer}/legalPerson`) }
    : { naturalPerson: readNatural(reader, naturalPerson, `${pointer}/naturalPerson`) };
}

function readNatural(reader: Reader, value: JsonValue, pointer: string): NaturalPerson {
  const person = reader.object(value, pointer);
  const nameObjects = person?.["name"];
  const isSingle =
    nameObjects !== null && typeof nameObjects === "object" && !Array.isArray(nameObjects);
  const names = reader.array(isSingle ? [nameObjects] : nameObjects, `${pointer}/name`, personsMax);
  return {
    name: names.map((name, index) => {
      const at = isSingle ? `${pointer}/name` : `${pointer}/name/${index}`;
      const identifiers = reader.array(
        reader.object(name, at)?.["nameIdentifier"],
        `${at}/nameIdentifier`,
        personsMax,
      );
      return {
        nameIdentifier: identifiers.map((identifier, place) => {
          const here = `${at}/nameIdentifier/${place}`;
          const members = reader.object(identifier, here);
          const text = (member: string, noun: string): string =>
            reader.text(members?.[member], `${here}/${member}`, identifierLengthMax, noun);
          return {
            primaryIdentifier: text("primaryIdentifier", "last name"),
            secondaryIdentifier: text("secondaryIdentifier", "first name"),
          };
        }),
      };
    }),
    geographicAddress: readAddresses(reader, person?.["geographicAddress"], pointer),
  };
}

function readLegal(reader: Reader, value: JsonValue, pointer: string): LegalPerson {
  const person = reader.object(value, pointer);
  const name = reader.object(person?.["name"], `${pointer}/name`);
  const at = `${pointer}/name/nameIdentifier`;
  const identifiers = reader.array(name?.["nameIdentifier"], at, personsMax);
  return {
    name: {
      nameIdentifier: identifiers.map((identifier, index) => {
        const members = reader.object(identifier, `${at}/${index}`);
        return {
          legalPersonName: reader.text(
            members?.["legalPersonName"],
            `${at}/${index}/legalPersonName`,
            identifierLengthMax,
            "company name",
          ),
          legalPersonNameIdentifierType: reader.choice(
            members?.["legalPersonNameIdentifierType"],
            `${at}/${index}/legalPersonNameIdentifierType`,
            legalNameTypes,
          ),
        };
      }),
    },
    geographicAddress: readAddresses(reader, person?.["geographicAddress"], pointer),
  };
}

function readAddresses(
  reader: Reader,
  value: JsonValue | undefined,
  personPointer: string,
): readonly GeographicAddress[] {
  const pointer = `${personPointer}/geographicAddress`;
  return reader.array(value, pointer, personsMax).map((address, index) => {
    const at = `${pointer}/${index}`;
    const members = reader.object(address, at);
    const addressLines = members?.["addressLine"];
    const isSingle = typeof addressLines === "string";
    const lines = reader.array(
      isSingle ? [addressLines] : addressLines,
      `${at}/addressLine`,
      addressLinesMax,
    );
    return {
      country: reader.country(members?.["country"], `${at}/country`),
      addressLine: lines.map((line, place) =>
        reader.text(
          line,
          isSingle ? `${at}/addressLine` : `${at}/addressLine/${place}`,
          addressLineLengthMax,
          "street address",
        ),
      ),
      addressType: reader.choice(members?.["addressType"], `${at}/addressType`, addressTypes),
    };
  });
}

/** Why a name or an address line is refused; null if it isn't. */
function lineFault(value: JsonValue | undefined, lengthMax: number, noun: string): string | null {
  if (value === undefined || value === null) return `Enter a ${noun}.`;
  if (typeof value !== "string") return "This must be a string.";
  if (value.trim() === "") return `Enter a ${noun}.`;
  return Array.from(value).length > lengthMax
    ? `Use at most ${lengthMax} characters.`
    : textFault(value);
}

/** Reads members and collects faults. After a fault it continues with an empty value, so that all faults are reported. */
class Reader {
  readonly #faults: Rejection[];

  constructor(faults: Rejection[]) {
    this.#faults = faults;
  }

  refuse(pointer: string, detail: string): void {
    this.#faults.push(rejection("invalidValue", detail, { pointer }));
  }

  object(
    value: JsonValue | undefined,
    pointer: string,
  ): Readonly<Record<string, JsonValue>> | null {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      return value as Readonly<Record<string, JsonValue>>;
    }
    // A fault of the parent was already reported, so no further one is needed.
    if (!this.#isBelowFault(pointer)) this.refuse(pointer, "This must be an object.");
    return null;
  }

  array(value: JsonValue | undefined, pointer: string, lengthMax: number): readonly JsonValue[] {
    if (Array.isArray(value) && value.length >= 1 && value.length <= lengthMax) {
      return value as readonly JsonValue[];
    }
    if (!this.#isBelowFault(pointer)) {
      this.refuse(pointer, `This must be an array of 1 to ${lengthMax} entries.`);
    }
    return [];
  }

  text(value: JsonValue | undefined, pointer: string, lengthMax: number, noun: string): string {
    const fault = lineFault(value, lengthMax, noun);
    if (fault === null) return typeof value === "string" ? value.normalize("NFC") : "";
    if (!this.#isBelowFault(pointer)) this.refuse(pointer, fault);
    return "";
  }

  choice(value: JsonValue | undefined, pointer: string, choices: readonly string[]): string {
    if (typeof value === "string" && choices.includes(value)) return value;
    if (!this.#isBelowFault(pointer)) {
      this.refuse(pointer, `This must be one of ${choices.join(", ")}.`);
    }
    return "";
  }

  country(value: JsonValue | undefined, pointer: string): string | null {
    if (value === undefined || value === null || value === "") return null;
    const code = typeof value === "string" ? value.toUpperCase() : "";
    if (countryCodes.has(code)) return code;
    this.refuse(pointer, "Use an ISO 3166-1 alpha-2 country code or XX.");
    return null;
  }

  #isBelowFault(pointer: string): boolean {
    return this.#faults.some((fault) => {
      const above = pointerOf(fault);
      return above !== null && pointer.startsWith(`${above}/`);
    });
  }
}

/** ISO 3166-1 alpha-2 as of 2026, and XX (IVMS101: unknown or undisclosed). */
export const countryCodes: ReadonlySet<string> = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO " +
    "FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE " +
    "JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO " +
    "MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW " +
    "PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM " +
    "TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW XX"
  ).split(" "),
);

/** Parses the attribute `travel_rule_info`; null when it is absent or invalid. */
export function readTravelRuleField(value: JsonValue): {
  readonly info: TravelRuleInfo | null;
  readonly faults: readonly Rejection[];
} {
  if (value === null) return { info: null, faults: [] };
  const reading = readTravelRule(value, "/data/attributes/travel_rule_info");
  return reading.kind === "read"
    ? { info: reading.info, faults: [] }
    : { info: null, faults: reading.rejections };
}
