import { expect, test } from "vitest";
import { emptyPerson, travelRuleOf } from "../../components/travel-rule-person.ts";
import { receiversIn } from "./receivers-in.ts";

const place = { country: "DE", addressLine: "Linden 1" };

test("persons and companies are named with their address", () => {
  const person = { ...emptyPerson, ...place, firstName: "Jo", lastName: "Doe" };
  expect(receiversIn(travelRuleOf(person))).toEqual([
    { name: "Jo Doe", kind: "Person", address: "Linden 1, DE" },
  ]);
  const company = { ...emptyPerson, ...place, personKind: "legal", companyName: "ACME" } as const;
  expect(receiversIn(travelRuleOf(company))).toEqual([
    { name: "ACME", kind: "Company", address: "Linden 1, DE" },
  ]);
});

test("what names nobody names nobody", () => {
  expect(receiversIn(null)).toEqual([]);
  expect(receiversIn({ beneficiary: { beneficiaryPersons: "x" } })).toEqual([]);
});
