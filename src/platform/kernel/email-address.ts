/** RFC 5321, section 4.5.3.1.3. */
export const emailAddressMax = 254;

const local = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const label = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;

/**
 * An email address in ASCII as people have one: a dot-atom, `@`, and a domain (RFC 5322, section 3.4.1, without quoted strings,
 * comments and address literals). Its domain in lower case; null for anything else. It contains no space and no control character,
 * so it cannot end a header.
 */
export function parseEmailAddress(text: string): string | null {
  const at = text.lastIndexOf("@");
  const [name, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || name.length > 64 || text.length > emailAddressMax || !local.test(name)) return null;
  const labels = domain.split(".");
  if (labels.length < 2 || !labels.every((part) => label.test(part))) return null;
  return `${name}@${domain.toLowerCase()}`;
}
