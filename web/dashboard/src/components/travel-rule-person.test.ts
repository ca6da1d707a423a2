import { describe, expect, it } from "vitest";
import { readTravelRule } from "../../../../src/payouts/travel-rule/read-travel-rule.ts";
import { emptyPerson, fieldOfPersonPointer, travelRuleOf } from "./travel-rule-person.ts";

const at = "/data/attributes/travel_rule_info";

describe("travelRuleOf", () => {
  it.each([
    {
      ...emptyPerson,
      firstName: "Ada",
      lastName: "Lovelace",
      addressLine: "12 Square",
      country: "GB",
    },
    {
      ...emptyPerson,
      personKind: "legal" as const,
      companyName: "Chairs Ltd",
      addressLine: "1 Yard",
    },
  ])("builds a document that the service accepts", (person) => {
    expect(readTravelRule(travelRuleOf(person) as never, at).kind).toBe("read");
  });
});

describe("fieldOfPersonPointer", () => {
  it.each([
    [{ ...emptyPerson }, ["addressLine", "firstName", "lastName"]],
    [
      { ...emptyPerson, personKind: "legal" as const, country: "ZZ" },
      ["addressLine", "companyName", "country"],
    ],
  ])("maps every error of the service to a field", (person, expected) => {
    const reading = readTravelRule(travelRuleOf(person), at);
    const pointers = reading.kind === "refused" ? reading.rejections : [];
    const found = pointers.map(({ source }) =>
      source !== undefined && "pointer" in source ? fieldOfPersonPointer(source.pointer) : null,
    );
    expect(found.toSorted()).toEqual(expected);
  });
});
