import { describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { exportIvms101, foldToLatin, type IvmsFormat, ivmsFormats } from "./export-ivms101.ts";
import type { GeographicAddress, Person, TravelRuleInfo } from "./travel-rule.ts";

/*
 * Compares whole payloads of both versions: their differences, unknown values, and reported gaps. Element names are those of the
 * standard's tables (IVMS101 of 2020, IVMS101.2023).
 */

const infoOf = (...beneficiaryPersons: readonly Person[]): TravelRuleInfo => ({
  beneficiary: { beneficiaryPersons },
});
const home: GeographicAddress = {
  country: "GB",
  addressLine: ["42 St Johns Close"],
  addressType: "HOME",
};
const natural = (
  names: readonly (readonly [primary: string, secondary: string])[],
  address: GeographicAddress = home,
): Person => ({
  naturalPerson: {
    name: names.map(([primaryIdentifier, secondaryIdentifier]) => ({
      nameIdentifier: [{ primaryIdentifier, secondaryIdentifier }],
    })),
    geographicAddress: [address],
  },
});
const legal = (names: readonly (readonly [name: string, type: string])[]): Person => ({
  legalPerson: {
    name: {
      nameIdentifier: names.map(([legalPersonName, legalPersonNameIdentifierType]) => ({
        legalPersonName,
        legalPersonNameIdentifierType,
      })),
    },
    geographicAddress: [
      { country: null, addressLine: ["1 Main St", "Santiago"], addressType: "BIZZ" },
    ],
  },
});
const account = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

describe("exportIvms101 of a natural person", () => {
  const info = infoOf(natural([["Barnes", "Robert"]]));
  const address = { addressType: "HOME", country: "GB", addressLine: ["42 St Johns Close"] };

  it("has the members of the 2020 version", () => {
    const name = {
      primaryIdentifier: "Barnes",
      secondaryIdentifier: "Robert",
      nameIdentifierType: "LEGL",
    };
    expect(exportIvms101(info, account, "ivms101-2020")).toEqual({
      ivms101: {
        beneficiary: {
          beneficiaryPersons: [
            { naturalPerson: { name: { nameIdentifier: [name] }, geographicAddress: [address] } },
          ],
          accountNumber: [account],
        },
      },
      gaps: [
        {
          gap: "no_town",
          pointer: "/beneficiary/beneficiaryPersons/0/naturalPerson/geographicAddress/0/townName",
        },
      ],
    });
  });

  it("has the members of the 2023 version", () => {
    const name = {
      primaryIdentifier: "Barnes",
      secondaryIdentifier: "Robert",
      naturalPersonNameIdentifierType: "LEGL",
    };
    expect(exportIvms101(info, account, "ivms101-2023").ivms101).toEqual({
      beneficiary: {
        beneficiaryPerson: [
          {
            naturalPerson: { name: { nameIdentifier: [name] }, geographicAddress: [address] },
            accountNumber: [account],
          },
        ],
      },
      payloadMetadata: { payloadVersion: "101.2023" },
    });
  });

  it("exports the first of several names as the legal one, in a single name object", () => {
    const { ivms101 } = exportIvms101(
      infoOf(
        natural([
          ["Barnes", "Robert"],
          ["Barnes", "Bob"],
        ]),
      ),
      null,
      "ivms101-2023",
    );
    expect(ivms101).toMatchObject({
      beneficiary: {
        beneficiaryPerson: [
          {
            naturalPerson: {
              name: {
                nameIdentifier: [
                  { secondaryIdentifier: "Robert", naturalPersonNameIdentifierType: "LEGL" },
                  { secondaryIdentifier: "Bob", naturalPersonNameIdentifierType: "MISC" },
                ],
              },
            },
          },
        ],
      },
    });
    expect(JSON.stringify(ivms101)).not.toContain("accountNumber");
  });
});

describe("exportIvms101 of a legal person", () => {
  const named = [
    ["ABC Limited", "LEGL"],
    ["CBA Trading", "TRAD"],
  ] as const;

  it.each(ivmsFormats)(
    "keeps the names and their types, and exports an unknown country as XX, in %s",
    (format) => {
      const { ivms101, gaps } = exportIvms101(infoOf(legal(named)), account, format);
      expect(personOf(ivms101, format)).toMatchObject({
        legalPerson: {
          name: {
            nameIdentifier: [
              { legalPersonName: "ABC Limited", legalPersonNameIdentifierType: "LEGL" },
              { legalPersonName: "CBA Trading", legalPersonNameIdentifierType: "TRAD" },
            ],
          },
          geographicAddress: [
            { addressType: "BIZZ", country: "XX", addressLine: ["1 Main St", "Santiago"] },
          ],
        },
      });
      expect(gaps.map(({ gap }) => gap)).toEqual(["no_town"]);
    },
  );

  it("reports a missing legal name (C5) as a gap", () => {
    const { gaps } = exportIvms101(infoOf(legal([["CBA", "SHRT"]])), account, "ivms101-2023");
    expect(gaps).toContainEqual({
      gap: "no_legal_name",
      pointer: "/beneficiary/beneficiaryPerson/0/legalPerson/name",
    });
  });
});

describe("exportIvms101 with letters beyond ASCII", () => {
  it("removes accents and adds the original spelling", () => {
    const address = { country: "DE", addressLine: ["Große Bäckerstraße 1"], addressType: "HOME" };
    const info = infoOf(natural([["Großmann", "Søren"]], address));
    const { ivms101, gaps } = exportIvms101(info, null, "ivms101-2020");
    expect(ivms101).toMatchObject({
      beneficiary: {
        beneficiaryPersons: [
          {
            naturalPerson: {
              name: {
                nameIdentifier: [{ primaryIdentifier: "Grossmann", secondaryIdentifier: "Soren" }],
                localNameIdentifier: [
                  {
                    primaryIdentifier: "Großmann",
                    secondaryIdentifier: "Søren",
                    nameIdentifierType: "LEGL",
                  },
                ],
              },
              geographicAddress: [{ addressLine: ["Grosse Backerstrasse 1"] }],
            },
          },
        ],
      },
      payloadMetadata: { transliterationMethod: ["othr"] },
    });
    expect(gaps.map(({ gap }) => gap)).toEqual(["no_town"]);
  });

  it("keeps other scripts and reports that they need transliteration", () => {
    const { ivms101, gaps } = exportIvms101(
      infoOf(natural([["吴", "信利"]])),
      null,
      "ivms101-2023",
    );
    expect(personOf(ivms101, "ivms101-2023")).toMatchObject({
      naturalPerson: {
        name: {
          nameIdentifier: [{ primaryIdentifier: "吴", secondaryIdentifier: "信利" }],
          localNameIdentifier: [{ primaryIdentifier: "吴", nameIdentifierType: "LEGL" }],
        },
      },
    });
    expect(gaps.map(({ gap }) => gap)).toEqual([
      ...["needs_transliteration", "needs_transliteration", "no_town"],
    ]);
  });

  it("reports texts that become too long", () => {
    const { gaps } = exportIvms101(infoOf(legal([["ß".repeat(51), "LEGL"]])), null, "ivms101-2023");
    expect(gaps[0]).toEqual({
      gap: "too_long",
      pointer: "/beneficiary/beneficiaryPerson/0/legalPerson/name/nameIdentifier/0/legalPersonName",
    });
  });

  it("returns printable ASCII or null for any text, and ASCII unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        const folded = foldToLatin(text);
        if (folded !== null) expect(folded).toMatch(/^[ -~]+$/);
        if (/^[ -~]+$/.test(text)) expect(folded).toBe(text);
      }),
    );
  });
});

function personOf(ivms101: object, format: IvmsFormat): unknown {
  const { beneficiary } = ivms101 as { readonly beneficiary: Readonly<Record<string, unknown[]>> };
  return beneficiary[format === "ivms101-2020" ? "beneficiaryPersons" : "beneficiaryPerson"]?.[0];
}
