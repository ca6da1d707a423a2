/** The path in the form of the routes: without a trailing slash, doubled slashes, scheme and host. The query is unchanged. */
export function canonicalUrl(url: string): string {
  const relative = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*/i, "");
  const at = relative.indexOf("?");
  const path = at === -1 ? relative : relative.slice(0, at);
  const query = at === -1 ? "" : relative.slice(at);
  const plain = path.includes("//") ? path.replaceAll(/\/{2,}/g, "/") : path;
  const trimmed = plain.endsWith("/") ? plain.slice(0, -1) : plain;
  return (trimmed === "" ? "/" : trimmed) + query;
}

/** `/deposit/{id}/` in Fastify's form: `/deposit/:id`. */
export function fastifyPath(path: string): string {
  const plain = path.endsWith("/") && path !== "/" ? path.slice(0, -1) : path;
  return plain.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** The path that a canonical URL matches, whatever the method: the one with the fewest parameters; null if none does. */
export function pathAt(paths: readonly string[], url: string): string | null {
  const segments = (url.split("?", 1)[0] ?? "").split("/");
  const named = paths
    .map((path) => ({ path, names: fastifyPath(path).split("/") }))
    .filter(({ names }) => names.length === segments.length && names.every(isNamed(segments)));
  const [first] = named.sort((a, b) => parameterCount(a.names) - parameterCount(b.names));
  return first?.path ?? null;
}

function isNamed(segments: readonly string[]): (name: string, place: number) => boolean {
  return (name, place) =>
    name.startsWith(":") ? segments[place] !== "" : name === segments[place];
}

function parameterCount(names: readonly string[]): number {
  return names.filter((name) => name.startsWith(":")).length;
}
