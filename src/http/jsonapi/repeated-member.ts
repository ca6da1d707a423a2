/**
 * The name of a member that occurs twice in one object of a valid JSON text, or null. `JSON.parse` silently keeps the last one,
 * while another parser may keep the first (RFC 8259, section 4).
 */
export function repeatedMember(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(null);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = closingQuote(text, index);
      const names = open.at(-1) ?? null;
      if (names !== null && isFollowedByColon(text, end)) {
        const name = memberName(text.slice(index, end + 1));
        if (names.has(name)) return name;
        names.add(name);
      }
      index = end;
    }
  }
  return null;
}

function closingQuote(text: string, start: number): number {
  let index = start + 1;
  while (text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index;
}

function isFollowedByColon(text: string, end: number): boolean {
  let index = end + 1;
  while (
    text[index] === " " ||
    text[index] === "\n" ||
    text[index] === "\r" ||
    text[index] === "\t"
  )
    index += 1;
  return text[index] === ":";
}

/** Escapes spell the same name: `"a"` and `"\u0061"`. */
function memberName(quoted: string): string {
  return quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}
