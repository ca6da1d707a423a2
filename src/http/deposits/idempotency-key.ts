import { reject } from "../../platform/kernel/rejection.ts";
import type { RequestContext } from "../server/request-context.ts";

export const keyHeader = "idempotency-key";
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The key in lower case; one pair of quotes around it is accepted (draft-ietf-httpapi-idempotency-key-header defines it as a
 * structured string). Rejects with idempotencyKeyMissing and invalidValue.
 */
export function readKey(request: Pick<RequestContext, "header">): string {
  const sentKey = request.header(keyHeader)?.trim() ?? "";
  const source = { header: keyHeader };
  if (sentKey === "") {
    reject("idempotencyKeyMissing", "Send a new UUIDv4 in the idempotency-key header.", source);
  }
  return (
    findKey(request) ??
    reject("invalidValue", "The idempotency-key must be a UUIDv4 with hyphens.", source)
  );
}

/** The same for routes that require no key: null if none was sent. Rejects with invalidValue. */
export function readOptionalKey(request: Pick<RequestContext, "header">): string | null {
  return (request.header(keyHeader)?.trim() ?? "") === "" ? null : readKey(request);
}

/** The optional key in the format of `readKey`; null for a missing or malformed one. */
export function findKey(request: Pick<RequestContext, "header">): string | null {
  const sentKey = request.header(keyHeader)?.trim() ?? "";
  const key = sentKey.replace(/^"(.*)"$/, "$1").toLowerCase();
  return uuid4.test(key) ? key : null;
}
