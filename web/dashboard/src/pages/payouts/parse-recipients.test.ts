import { describe, expect, it } from "vitest";
import { emptyPerson, travelRuleOf } from "../../components/travel-rule-person.ts";
import { parseRecipients } from "./parse-recipients.ts";

const place = { country: "DE", addressLine: "Linden 1" };

describe("parseRecipients", () => {
  it("returns people and companies with their address", () => {
    const person = { ...emptyPerson, ...place, firstName: "Jo", lastName: "Doe" };
    expect(parseRecipients(travelRuleOf(person))).toEqual([
      { name: "Jo Doe", kind: "Individual", address: "Linden 1, DE" },
    ]);
    const company = { ...emptyPerson, ...place, personKind: "legal", companyName: "ACME" } as const;
    expect(parseRecipients(travelRuleOf(company))).toEqual([
      { name: "ACME", kind: "Company", address: "Linden 1, DE" },
    ]);
  });

  it("returns nothing for malformed or missing data", () => {
    expect(parseRecipients(null)).toEqual([]);
    expect(parseRecipients({ beneficiary: { beneficiaryPersons: "x" } })).toEqual([]);
  });
});
