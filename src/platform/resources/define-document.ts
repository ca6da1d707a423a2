import type { JsonValue } from "../kernel/json.ts";
import type { Rejection, RejectionName } from "../kernel/rejection.ts";
import type { Choice, JsonSchema } from "./json-schema.ts";

type Kind =
  | { readonly kind: "String"; readonly maxLength?: number }
  /** Absolute http or https URL without credentials. */
  | { readonly kind: "URL"; readonly maxLength?: number }
  | { readonly kind: "Integer"; readonly min?: number; readonly max?: number }
  /** A decimal as text; its digits are counted against a currency later, by the feature. */
  | {
      readonly kind: "Decimal";
      readonly min?: number;
      readonly maxLength?: number;
      /** The row answered below `min`, where it is not 1007. */
      readonly belowMin?: RejectionName;
    }
  | { readonly kind: "Boolean" }
  | { readonly kind: "Choice"; readonly choices: readonly Choice[] }
  /** Free JSON that the feature checks itself. */
  | { readonly kind: "Field"; readonly schema?: JsonSchema }
  /** The id of a related object. `alsoAttribute`: a plain id under `attributes` is taken too. */
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
  /** True for PATCH: a field that is absent stays as it is, null or an empty string clears it. */
  readonly partial?: true;
  /** The row answered for a missing member; 1007 unless stated. */
  readonly missing?: "fieldMissing";
  /** `data.id`: refused (a create), equal to the path's (a PATCH), or ignored (an action). Default: refused. */
  readonly id?: "refused" | "path" | "ignored";
  /** A body without `data` is taken as the attributes alone. */
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

/** What a document reads as. Not given: null; in a partial document the member is then absent, and null clears. */
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

/** A document as far as it could be read: fields with an error are null, as fields that were not given. */
export type DocumentReading<Document extends DocumentDefinition> = {
  readonly values: {
    readonly [Name in keyof InputOf<Document>]: InputOf<Document>[Name] | null;
  };
  readonly faults: readonly Rejection[];
  /** Whether the member stands under `relationships`, for a field that may also stand under `attributes`. */
  readonly isRelated: (name: string) => boolean;
  /** SHA-256 of the whole document in canonical form: the same for the same members, however they are ordered and spaced. */
  readonly fingerprint: Uint8Array;
};

/** Plain data; the call only keeps the literal types for `InputOf`. */
export function defineDocument<const Document extends DocumentDefinition>(
  document: Document,
): Document {
  return document;
}
