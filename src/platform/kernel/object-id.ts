const pattern = /^[1-9]\d{0,17}$/;

/** Whether a text has the form of a row id. Other texts match nothing and never reach the database. */
export function isObjectId(text: string): boolean {
  return pattern.test(text);
}
