/** The path as routes are found by: no trailing slash, no doubled one, no scheme and host. The query stays as it is. */
export function canonicalUrl(url: string): string {
  const relative = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*/i, "");
  const at = relative.indexOf("?");
  const path = at === -1 ? relative : relative.slice(0, at);
  const query = at === -1 ? "" : relative.slice(at);
  const plain = path.includes("//") ? path.replaceAll(/\/{2,}/g, "/") : path;
  const trimmed = plain.endsWith("/") ? plain.slice(0, -1) : plain;
  return (trimmed === "" ? "/" : trimmed) + query;
}

/** `/deposit/{id}/` as Fastify writes it: `/deposit/:id`. */
export function fastifyPath(path: string): string {
  const plain = path.endsWith("/") && path !== "/" ? path.slice(0, -1) : path;
  return plain.replaceAll(/\{(\w+)\}/g, ":$1");
}
