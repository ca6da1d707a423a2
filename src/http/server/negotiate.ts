/** JSON:API 1.1, "Content Negotiation". The service supports no extension and ignores every profile. */

export const mediaType = "application/vnd.api+json";

type MediaType = { readonly name: string; readonly parameters: ReadonlyMap<string, string> };

/**
 * Whether a client accepts the JSON:API media type. The most specific ranges decide (RFC 9110, section 12.5.1): a weight of 0 refuses
 * the type, whatever the wildcards beside it. Strict: an instance of it with parameters other than `profile` does not count (`ext` is
 * legal, but names extensions that are not supported), and if all of its instances have such parameters, no wildcard counts either.
 */
export function isAcceptable(accept: string | undefined, strict: boolean): boolean {
  if (accept === undefined || accept.trim() === "") return true;
  const ranges = splitOutsideQuotes(accept, ",").flatMap((item) => parseMediaType(item) ?? []);
  const isPlain = (range: MediaType): boolean => !strict || hasOnly(range, ["profile", "q"]);
  const named = (wanted: string) => ranges.filter(({ name }) => name === wanted);
  const own = named(mediaType);
  if (own.length > 0) return own.some((range) => isPlain(range) && isWanted(range));
  const family = named("application/*");
  return (family.length > 0 ? family : named("*/*")).some(isWanted);
}

function isWanted({ parameters }: MediaType): boolean {
  return Number(parameters.get("q") ?? "1") !== 0;
}

/** Whether a request body of this type is read: the JSON:API type, in strict mode without foreign parameters. */
export function isReadable(contentType: string | undefined, strict: boolean): boolean {
  const type = contentType === undefined ? null : parseMediaType(contentType);
  if (type?.name !== mediaType) return false;
  return !strict || hasOnly(type, ["profile"]);
}

function hasOnly(type: MediaType, names: readonly string[]): boolean {
  return [...type.parameters.keys()].every((name) => names.includes(name));
}

function parseMediaType(text: string): MediaType | null {
  const [name = "", ...rest] = splitOutsideQuotes(text, ";");
  const parameters = new Map<string, string>();
  for (const item of rest) {
    if (item.trim() === "") continue;
    const at = item.indexOf("=");
    if (at < 1) return null;
    parameters.set(item.slice(0, at).trim().toLowerCase(), item.slice(at + 1).trim());
  }
  return { name: name.trim().toLowerCase(), parameters };
}

/** A quoted parameter value may contain the separator: RFC 9110, section 5.6.4. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quoted && character === "\\") index += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
