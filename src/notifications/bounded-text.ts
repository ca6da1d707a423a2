/** Most characters of a name or number that payers, merchants and API clients choose. */
export const nameMax = 60;
/** Longer than the addresses of all chains. */
export const addressMax = 200;

/**
 * Text of payers, merchants and API clients for a message: on one line, of at most `max` characters, and without what controls how the
 * text around it is shown, such as characters that reverse its direction.
 */
export function boundedText(text: string, max: number): string {
  const characters = Array.from(
    text
      .replaceAll(/[\p{Cf}\p{Cs}]+/gu, "")
      .replaceAll(/[\p{Cc}\s]+/gu, " ")
      .trim(),
  );
  return characters.length <= max
    ? characters.join("")
    : `${characters.slice(0, max - 1).join("")}…`;
}
