const pattern = /^[1-9]\d{0,17}$/;

/** Whether a text can name one of our rows at all; anything else names none, and never reaches the database. */
export function isObjectId(text: string): boolean {
  return pattern.test(text);
}
