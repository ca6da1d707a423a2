/**
 * A receiver's answer as text for people: invalid UTF-8 as U+FFFD, control and invisible formatting characters (also those
 * that turn the writing direction) as `\u{..}`, a backslash doubled; line breaks and tabs stay. It is still to be
 * escaped for the medium that shows it.
 */
export function escapeAnswer(head: Uint8Array): string {
  const text = new TextDecoder("utf-8").decode(head);
  return text.replace(/[\\\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === "\n" || character === "\t") return character;
    if (character === "\\") return "\\\\";
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
