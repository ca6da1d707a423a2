/** The JSON of resources that are sent repeatedly; null until it is first needed. */
const texts = new WeakMap<object, string | null>();

/** Declares that a resource never changes and may be sent again, so its JSON is kept as long as the resource itself. */
export function keepText<Resource extends object>(resource: Resource): Resource {
  texts.set(resource, null);
  return resource;
}

/** The JSON of a document, as `JSON.stringify` writes it. */
export function serializeDocument(document: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(document).flatMap(([name, value]) => {
    const text = name === "data" ? serializeData(value) : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join()}}`;
}

function serializeData(data: unknown): string | undefined {
  if (Array.isArray(data)) return `[${data.map((item) => serializeOne(item) ?? "null").join()}]`;
  return serializeOne(data);
}

function serializeOne(resource: unknown): string | undefined {
  if (typeof resource !== "object" || resource === null) return JSON.stringify(resource);
  const kept = texts.get(resource);
  if (typeof kept === "string") return kept;
  const text = JSON.stringify(resource);
  if (kept === null) texts.set(resource, text);
  return text;
}
