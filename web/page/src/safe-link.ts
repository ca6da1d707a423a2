/** A link that the page may show: http and https only, whatever was stored; null for anything else. */
export function safeLink(url: string): string | null {
  try {
    const { protocol, href } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? href : null;
  } catch {
    return null;
  }
}
