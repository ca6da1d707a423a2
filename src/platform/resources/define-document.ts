import type { JsonValue } from "../kernel/json.ts";
import type { Rejection, RejectionName } from "../kernel/rejection.ts";
import type { Choice, JsonSchema } from "./json-schema.ts";

type Kind =
  | { readonly kind: "String"; readonly maxLength?: number }
  /** Absolute http or https URL without credentials. */
  | { readonly kind: "URL"; readonly maxLength?: number }
  | { readonly kind: "Integer"; readonly min?: number; readonly max?: number }
  /** A decimal as text. The feature later checks its digits against a currency. */
  | {
      readonly kind: "Decimal";
      readonly min?: number;
      readonly maxLength?: number;
      /** The error for values below `min`, if it is not 1007. */
      readonly belowMin?: RejectionName;
    }
  | { readonly kind: "Boolean" }
  | { readonly kind: "Choice"; readonly choices: readonly Choice[] }
  /**
   * Free JSON that the feature checks itself. `checksTexts`: also whether its texts can be stored, because only the feature knows which
   * members it ignores.
   */
  | { readonly kind: "Field"; readonly schema?: JsonSchema; readonly checksTexts?: true }
  /** The id of a related object. `alsoAttribute`: a plain id under `attributes` is accepted, too. */
  | { readonly kind: "Relationship"; readonly resource: string; readonly alsoAttribute?: true };

/** A member that a request document may carry, under `attributes` or, if a Relationship, under `relationships`. */
export type FieldDefinition = Kind & {
  readonly required?: true;
  /** Listed by OPTIONS, ignored in documents. */
  readonly readOnly?: true;
  readonly description?: string;
};

/** A request document: `data` with this type and these fields. */
export type DocumentDefinition = {
  readonly type: string;
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  /** True for PATCH: an absent field stays unchanged, null or an empty string clears it. */
  readonly partial?: true;
  /** The error for a missing member; 1007 by default. */
  readonly missing?: "fieldMissing";
  /** `data.id`: rejected (create), equal to the path's (PATCH), or ignored (action). Default: rejected. */
  readonly id?: "refused" | "path" | "ignored";
  /** A body without `data` is read as the attributes alone. */
  readonly mayBeBare?: true;
};

type ValueOf<Field extends FieldDefinition> = Field extends { kind: "Integer" }
  ? number
  : Field extends { kind: "Boolean" }
    ? boolean
    : Field extends { kind: "Choice"; choices: readonly { value: infer Value }[] }
      ? Value
      : Field extends { kind: "Field" }
        ? JsonValue
        : string;

type WritableName<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readOnly: true } ? never : Name;
}[keyof Fields];

/** The parsed form of a document. A field that is not given is null; in a partial document it is absent, and null clears. */
export type InputOf<Document extends DocumentDefinition> = Document extends { partial: true }
  ? {
      readonly [Name in WritableName<Document["fields"]>]?: Document["fields"][Name] extends {
        required: true;
      }
        ? ValueOf<Document["fields"][Name]>
        : ValueOf<Document["fields"][Name]> | null;
    }
  : {
      readonly [Name in WritableName<Document["fields"]>]: Document["fields"][Name] extends {
        required: true;
      }
        ? ValueOf<Document["fields"][Name]>
        : ValueOf<Document["fields"][Name]> | null;
    };

/** A document as far as it could be parsed: fields with a fault are null, like fields that were not given. */
export type DocumentReading<Document extends DocumentDefinition> = {
  readonly values: {
    readonly [Name in keyof InputOf<Document>]: InputOf<Document>[Name] | null;
  };
  readonly faults: readonly Rejection[];
  /** Whether the member is under `relationships`, for a field that may also be under `attributes`. */
  readonly isRelated: (name: string) => boolean;
  /** SHA-256 of the whole document in canonical form, independent of the order of members and of whitespace. */
  readonly fingerprint: Uint8Array;
};

/** Plain data; the call only preserves the literal types for `InputOf`. */
export function defineDocument<const Document extends DocumentDefinition>(
  document: Document,
): Document {
  return document;
}

/** The values of a document that gives none of its fields. */
export function noValues<Document extends DocumentDefinition>({
  fields,
}: Document): { readonly [Name in WritableName<Document["fields"]>]: null } {
  const names = Object.keys(fields).filter((name) => fields[name]?.readOnly !== true);
  return Object.fromEntries(names.map((name) => [name, null])) as {
    readonly [Name in WritableName<Document["fields"]>]: null;
  };
}
