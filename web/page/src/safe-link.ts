/** Returns a normalized http or https URL; null for anything else, such as `javascript:`. */
export function safeLink(url: string): string | null {
  try {
    const { protocol, href } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? href : null;
  } catch {
    return null;
  }
}
