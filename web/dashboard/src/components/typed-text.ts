/** A text field whose value is applied to the URL with a delay and comes back from it. */
export type TypedText = {
  readonly typed: string;
  /** The last value read from the URL. */
  readonly applied: string;
  /** Submitted values that have not come back from the URL yet, oldest first. */
  readonly submitted: readonly string[];
};

export function createTypedText(value: string): TypedText {
  return { typed: value, applied: value, submitted: [] };
}

/**
 * Takes the URL's current value. A submitted value that comes back leaves the text alone, because typing may have gone on; any other
 * value (after Clear or Back) replaces it.
 */
export function applyUrlValue(text: TypedText, value: string): TypedText {
  if (value === text.applied) return text;
  const index = text.submitted.indexOf(value);
  if (index === -1) return createTypedText(value);
  return { ...text, applied: value, submitted: text.submitted.slice(index + 1) };
}

/** Marks the text, as `normalize` returns it, as submitted; null if the URL already has it or is about to. */
export function submitTypedText(
  text: TypedText,
  normalize: (typed: string) => string = (typed) => typed.trim(),
): TypedText | null {
  const value = normalize(text.typed);
  if (value === (text.submitted.at(-1) ?? text.applied)) return null;
  return { ...text, submitted: [...text.submitted, value] };
}
