import { createHash } from "node:crypto";
import type { Statement } from "./database.ts";

/**
 * A statement whose text is assembled (a list with these filters, that sort). Its name is derived from the text, so
 * that the same combination is planned once; the combinations are finite, since values are always parameters.
 */
export function assembledStatement<Row>(prefix: string, text: string): Statement<Row> {
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 16);
  return { name: `${prefix}.${digest}`, text };
}
