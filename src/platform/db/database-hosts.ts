/** The servers of a PostgreSQL URL: one, or several as in libpq's `postgres://h1:5432,h2:5432/db`. */
export type DatabaseHosts = {
  /** One URL per server, in the order written, without `target_session_attrs`. */
  readonly urls: readonly [string, ...string[]];
};

const pattern = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#]+)([^?#]*)(\?[^#]*)?$/;
/** The service writes, so it accepts no others. */
const accepted = ["read-write", "primary", "any"];

/** Whether the URL's `target_session_attrs` allows writes, or is absent. */
export function isWritableTarget(text: string): boolean {
  const query = pattern.exec(text)?.[5] ?? "";
  const target = new URLSearchParams(query).get("target_session_attrs");
  return target === null || accepted.includes(target);
}

/**
 * Reads a URL with one or more hosts, as libpq writes them (PostgreSQL's documentation, section 34.1.1.2). A host without a port has
 * the default one. A text of another form is returned as it is.
 */
export function readDatabaseHosts(text: string): DatabaseHosts {
  const [, scheme, credentials = "", hosts, path = "", query = ""] = pattern.exec(text) ?? [];
  if (scheme === undefined || hosts === undefined) return { urls: [text] };
  const parameters = new URLSearchParams(query);
  if (!parameters.has("target_session_attrs") && !hosts.includes(",")) return { urls: [text] };
  parameters.delete("target_session_attrs");
  const rest = parameters.size === 0 ? "" : `?${parameters.toString()}`;
  const [first = "", ...others] = hosts.split(",");
  const urlOf = (host: string): string => `${scheme}${credentials}${host}${path}${rest}`;
  return { urls: [urlOf(first), ...others.map(urlOf)] };
}
