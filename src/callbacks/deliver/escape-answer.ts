/**
 * Renders a receiver's answer for display: invalid UTF-8 as U+FFFD, control and invisible formatting characters (bidirectional
 * overrides included) as `\u{..}`, backslashes doubled; line breaks and tabs are kept. The caller still escapes it for its
 * medium, such as HTML.
 */
export function escapeAnswer(head: Uint8Array): string {
  const text = new TextDecoder("utf-8").decode(head);
  return text.replace(/[\\\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === "\n" || character === "\t") return character;
    if (character === "\\") return "\\\\";
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
