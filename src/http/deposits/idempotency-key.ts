import { reject } from "../../platform/kernel/rejection.ts";
import type { RequestContext } from "../server/request-context.ts";

export const keyHeader = "idempotency-key";
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The key in lower case; one pair of quotes around it is let pass (draft-ietf-httpapi-idempotency-key-header has it as a
 * structured string). Rejects with idempotencyKeyMissing and invalidValue.
 */
export function readKey(request: Pick<RequestContext, "header">): string {
  const given = request.header(keyHeader)?.trim() ?? "";
  const source = { header: keyHeader };
  if (given === "") {
    reject("idempotencyKeyMissing", "Send a new UUID4 in the header idempotency-key.", source);
  }
  return (
    findKey(request) ??
    reject("invalidValue", "The idempotency-key is a UUID4 with hyphens.", source)
  );
}

/** The key as `readKey` returns it, where it may be left out; null for a missing or malformed one. */
export function findKey(request: Pick<RequestContext, "header">): string | null {
  const given = request.header(keyHeader)?.trim() ?? "";
  const key = given.replace(/^"(.*)"$/, "$1").toLowerCase();
  return uuid4.test(key) ? key : null;
}
