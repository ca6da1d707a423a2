import { described, type JsonSchema, text } from "../../platform/resources/json-schema.ts";

const of = (properties: JsonSchema, required: readonly string[]): JsonSchema => ({
  type: "object",
  required,
  properties,
});
const many = (items: JsonSchema): JsonSchema => ({ type: "array", items });

const address = of(
  {
    addressType: { enum: ["HOME", "BIZZ", "GEOG"], description: "Of a home, a business, or else." },
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
          primaryIdentifier: described(text, "Family name."),
          secondaryIdentifier: described(text, "Given names."),
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

/** The travel-rule object as it is recommended; what is read of it says `readTravelRule`, more leniently. */
export const travelRuleSchema: JsonSchema = of(
  {
    beneficiary: of(
      {
        beneficiaryPersons: many({
          type: "object",
          description: "Exactly one of naturalPerson and legalPerson.",
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
