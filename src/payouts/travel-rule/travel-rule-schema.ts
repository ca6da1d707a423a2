import { described, type JsonSchema, text } from "../../platform/resources/json-schema.ts";

const of = (properties: JsonSchema, required: readonly string[]): JsonSchema => ({
  type: "object",
  required,
  properties,
});
const many = (items: JsonSchema): JsonSchema => ({ type: "array", items });

const address = of(
  {
    addressType: { enum: ["HOME", "BIZZ", "GEOG"], description: "Home, business or other." },
    addressLine: many(text),
    country: described(text, "ISO 3166-1 alpha-2, or XX."),
  },
  ["addressType", "addressLine"],
);

const naturalName = of(
  {
    nameIdentifier: many(
      of(
        {
          primaryIdentifier: described(text, "Last name."),
          secondaryIdentifier: described(text, "First names."),
        },
        ["primaryIdentifier", "secondaryIdentifier"],
      ),
    ),
  },
  ["nameIdentifier"],
);

const legalName = of(
  {
    nameIdentifier: many(
      of(
        {
          legalPersonName: text,
          legalPersonNameIdentifierType: { enum: ["LEGL", "SHRT", "TRAD"] },
        },
        ["legalPersonName", "legalPersonNameIdentifierType"],
      ),
    ),
  },
  ["nameIdentifier"],
);

/** The recommended form of the travel-rule object; `readTravelRule` also accepts others. */
export const travelRuleSchema: JsonSchema = of(
  {
    beneficiary: of(
      {
        beneficiaryPersons: many({
          type: "object",
          description: "Either naturalPerson or legalPerson.",
          properties: {
            naturalPerson: of({ name: many(naturalName), geographicAddress: many(address) }, [
              "name",
              "geographicAddress",
            ]),
            legalPerson: of({ name: legalName, geographicAddress: many(address) }, [
              "name",
              "geographicAddress",
            ]),
          },
        }),
      },
      ["beneficiaryPersons"],
    ),
  },
  ["beneficiary"],
);
