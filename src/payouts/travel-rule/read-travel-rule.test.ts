import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { readTravelRule } from "./read-travel-rule.ts";

const address = { country: "DE", addressLine: ["Am Markt 1", "Bonn"], addressType: "HOME" };
const natural = {
  name: [{ nameIdentifier: [{ primaryIdentifier: "Curie", secondaryIdentifier: "Marie" }] }],
  geographicAddress: [address],
};
const legal = {
  name: {
    nameIdentifier: [{ legalPersonName: "Shop GmbH", legalPersonNameIdentifierType: "LEGL" }],
  },
  geographicAddress: [{ ...address, addressType: "BIZZ" }],
};

const info = (...beneficiaryPersons: JsonValue[]): JsonObject => ({
  beneficiary: { beneficiaryPersons },
});

/** Pointers of the faults, relative to the object; empty for a valid one. */
function faultsOf(value: JsonValue): readonly string[] {
  const reading = readTravelRule(value, "");
  if (reading.kind === "read") return [];
  return reading.rejections.map(({ name, source }) => {
    expect(name).toBe("invalidValue");
    return (source as { pointer: string }).pointer;
  });
}

const persons = "/beneficiary/beneficiaryPersons";

describe("readTravelRule", () => {
  it("parses natural and legal persons unchanged", () => {
    const given = info({ naturalPerson: natural }, { legalPerson: legal });
    expect(readTravelRule(given, "")).toEqual({ kind: "read", info: given });
  });

  it("normalizes a single name, a single address line and a lower-case country, and drops unknown members", () => {
    const loose = {
      naturalPerson: {
        name: { ...natural.name[0], nickname: "M" },
        geographicAddress: [
          { addressLine: "Am Markt 1", addressType: "GEOG", country: "xx", zip: 5 },
        ],
        dateOfBirth: "1867-11-07",
      },
      legalPerson: null,
      note: "x",
    };
    expect(readTravelRule({ ...info(loose), originator: {} }, "")).toEqual({
      kind: "read",
      info: info({
        naturalPerson: {
          name: natural.name,
          geographicAddress: [{ country: "XX", addressLine: ["Am Markt 1"], addressType: "GEOG" }],
        },
      }),
    });
  });

  it("drops unknown members whose texts no database stores", () => {
    const odd = { middle: "\u0000", list: ["\ud800", { "\udc00": "\udc00" }] };
    const person = {
      ...natural,
      ...odd,
      name: [{ ...odd, nameIdentifier: [{ ...odd, ...natural.name[0]?.nameIdentifier[0] }] }],
      geographicAddress: [{ ...odd, ...address }],
    };
    expect(readTravelRule({ ...odd, ...info({ naturalPerson: person }) }, "")).toEqual({
      kind: "read",
      info: info({ naturalPerson: natural }),
    });
  });

  it("accepts an address without a country", () => {
    for (const country of [undefined, null, ""]) {
      const { addressLine, addressType } = address;
      const place = { addressLine, addressType, ...(country === undefined ? {} : { country }) };
      const person = { naturalPerson: { ...natural, geographicAddress: [place] } };
      expect(readTravelRule(info(person), "")).toMatchObject({
        info: info({ naturalPerson: { ...natural, geographicAddress: [{ country: null }] } }),
      });
    }
  });

  it("accepts a legal person without a legal name", () => {
    const traded = {
      nameIdentifier: [{ legalPersonName: "Shop", legalPersonNameIdentifierType: "TRAD" }],
    };
    expect(faultsOf(info({ legalPerson: { ...legal, name: traded } }))).toEqual([]);
  });
});

describe("faults of readTravelRule", () => {
  it.each<[JsonValue, string]>([
    [null, ""],
    ["text", ""],
    [[], ""],
    [{}, "/beneficiary"],
    [{ beneficiary: [] }, "/beneficiary"],
    [{ beneficiary: {} }, persons],
    [{ beneficiary: { beneficiaryPersons: {} } }, persons],
    [info(), persons],
    [info(...Array.from({ length: 11 }, () => ({ naturalPerson: natural }))), persons],
    [info(5), `${persons}/0`],
    [info({}), `${persons}/0`],
    [info({ naturalPerson: natural, legalPerson: legal }), `${persons}/0`],
    [info({ naturalPerson: natural }, { naturalPerson: "Curie" }), `${persons}/1/naturalPerson`],
    [info({ legalPerson: [] }), `${persons}/0/legalPerson`],
  ])("reject %j at %s", (value, pointer) => {
    expect(faultsOf(value)).toEqual([pointer]);
  });

  const naturalFaults = (change: JsonObject): readonly string[] =>
    faultsOf(info({ naturalPerson: { ...natural, ...change } })).map((pointer) =>
      pointer.replace(`${persons}/0/naturalPerson`, ""),
    );

  it.each<[JsonObject, string]>([
    [{ name: null }, "/name"],
    [{ name: [] }, "/name"],
    [{ name: "Curie" }, "/name"],
    [{ name: ["Curie"] }, "/name/0"],
    [{ name: {} }, "/name/nameIdentifier"],
    [{ name: [{}] }, "/name/0/nameIdentifier"],
    [{ name: [{ nameIdentifier: [] }] }, "/name/0/nameIdentifier"],
    [{ name: [{ nameIdentifier: [7] }] }, "/name/0/nameIdentifier/0"],
    [{ geographicAddress: null }, "/geographicAddress"],
    [{ geographicAddress: [] }, "/geographicAddress"],
    [{ geographicAddress: ["Bonn"] }, "/geographicAddress/0"],
    [{ geographicAddress: [{ ...address, country: "D" }] }, "/geographicAddress/0/country"],
    [{ geographicAddress: [{ ...address, country: "ZZ" }] }, "/geographicAddress/0/country"],
    [{ geographicAddress: [{ ...address, country: 49 }] }, "/geographicAddress/0/country"],
    [{ geographicAddress: [{ ...address, addressLine: [] }] }, "/geographicAddress/0/addressLine"],
    [{ geographicAddress: [{ ...address, addressLine: "" }] }, "/geographicAddress/0/addressLine"],
    [
      { geographicAddress: [{ ...address, addressLine: ["x".repeat(71)] }] },
      "/geographicAddress/0/addressLine/0",
    ],
    [
      { geographicAddress: [address, { ...address, addressLine: ["Bonn", " "] }] },
      "/geographicAddress/1/addressLine/1",
    ],
    [
      { geographicAddress: [{ ...address, addressType: "home" }] },
      "/geographicAddress/0/addressType",
    ],
    [
      { geographicAddress: [{ ...address, addressType: null }] },
      "/geographicAddress/0/addressType",
    ],
  ])("reject %j of a natural person at %s", (change, pointer) => {
    expect(naturalFaults(change)).toEqual([pointer]);
  });

  it.each([undefined, null, "", "  ", "x".repeat(101), 5, "a\u0000b", "\ud800", "x\udc00"])(
    "reject the identifier %j",
    (primaryIdentifier) => {
      const names = { primaryIdentifier, secondaryIdentifier: "Marie" } as unknown as JsonObject;
      expect(naturalFaults({ name: [{ nameIdentifier: [names] }] })).toEqual([
        "/name/0/nameIdentifier/0/primaryIdentifier",
      ]);
    },
  );

  it("says of a number that it must be a string", () => {
    const names = { primaryIdentifier: 5, secondaryIdentifier: "" };
    const person = { ...natural, name: [{ nameIdentifier: [names] }] };
    const reading = readTravelRule(info({ naturalPerson: person }), "");
    expect(reading.kind === "refused" && reading.rejections.map(({ detail }) => detail)).toEqual([
      "This must be a string.",
      "Enter a first name.",
    ]);
  });

  it("count characters rather than code units", () => {
    const names = { primaryIdentifier: "𝒳".repeat(100), secondaryIdentifier: "Y" };
    expect(naturalFaults({ name: [{ nameIdentifier: [names] }] })).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ name: [legal.name] }, "/name"],
    [{ name: {} }, "/name/nameIdentifier"],
    [
      { name: { nameIdentifier: [{ legalPersonNameIdentifierType: "LEGL" }] } },
      "/name/nameIdentifier/0/legalPersonName",
    ],
    [
      {
        name: { nameIdentifier: [{ legalPersonName: "X", legalPersonNameIdentifierType: "LONG" }] },
      },
      "/name/nameIdentifier/0/legalPersonNameIdentifierType",
    ],
    [{ geographicAddress: {} }, "/geographicAddress"],
  ])("reject %j of a legal person at %s", (change, pointer) => {
    expect(faultsOf(info({ legalPerson: { ...legal, ...change } }))).toEqual([
      `${persons}/0/legalPerson${pointer}`,
    ]);
  });

  it("are returned all at once", () => {
    const person = { ...natural, name: null, geographicAddress: [{ ...address, country: "ZZ" }] };
    expect(faultsOf(info({ naturalPerson: person }, {}))).toEqual([
      `${persons}/0/naturalPerson/name`,
      `${persons}/0/naturalPerson/geographicAddress/0/country`,
      `${persons}/1`,
    ]);
  });
});
