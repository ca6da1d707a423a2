import { createHash } from "node:crypto";
import type { Statement } from "./database.ts";

/**
 * Creates a statement from assembled text, such as a list with certain filters. Its name is derived from the text, so
 * each combination is planned once. Values are always parameters, so the number of combinations is finite.
 */
export function assembledStatement<Row>(prefix: string, text: string): Statement<Row> {
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 16);
  return { name: `${prefix}.${digest}`, text };
}
