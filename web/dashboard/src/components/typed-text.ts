/** A text that is typed here, passed on when the typing pauses, and comes back by the address after a while. */
export type TypedText = {
  readonly typed: string;
  /** What the address was last known to say. */
  readonly known: string;
  /** What was passed on and has not come back, oldest first. */
  readonly passed: readonly string[];
};

/** As it begins, with what the address says. */
export function beginTyping(value: string): TypedText {
  return { typed: value, known: value, passed: [] };
}

/**
 * What the address says now: one's own words come back and change nothing, since typing has gone on meanwhile; anything else, as after
 * Clear or Back, takes the place of what was typed.
 */
export function hearAddress(text: TypedText, value: string): TypedText {
  if (value === text.known) return text;
  const index = text.passed.indexOf(value);
  if (index === -1) return beginTyping(value);
  return { ...text, known: value, passed: text.passed.slice(index + 1) };
}

/** What is typed is passed on; null where the address says it, or is about to. */
export function passOn(text: TypedText): TypedText | null {
  const words = text.typed.trim();
  if (words === (text.passed.at(-1) ?? text.known)) return null;
  return { ...text, passed: [...text.passed, words] };
}
