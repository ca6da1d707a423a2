/** What `JSON.parse` returns. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [member: string]: JsonValue };
