import { describe, expect, it } from "vitest";
import { SluiceError, SluiceUnreachable } from "../../../../client/src/sluice-error.ts";
import { isDefiniteAnswer } from "./is-definite-answer.ts";

const refused = (status: number, code: string) =>
  new SluiceError({
    status,
    meta: {},
    requestId: null,
    retryAfterMs: null,
    errors: [{ status: String(status), code, title: "", detail: "", id: "1" }],
  });

describe("isDefiniteAnswer", () => {
  it("is true for refusals, including an unavailable fee", () => {
    expect(isDefiniteAnswer(refused(400, "4008"))).toBe(true);
    expect(isDefiniteAnswer(refused(503, "4018"))).toBe(true);
  });

  it("is false for answers that may be given before the key is looked up", () => {
    expect(isDefiniteAnswer(refused(401, "not_authenticated"))).toBe(false);
    expect(isDefiniteAnswer(refused(408, "timeout"))).toBe(false);
    expect(isDefiniteAnswer(refused(429, "throttled"))).toBe(false);
  });

  it("is false for a proxy's answer without an error document", () => {
    const page = { status: 403, meta: {}, requestId: null, retryAfterMs: null, errors: [] };
    expect(isDefiniteAnswer(new SluiceError(page))).toBe(false);
  });

  it("is false for server errors and missing responses", () => {
    expect(isDefiniteAnswer(refused(500, "500"))).toBe(false);
    expect(isDefiniteAnswer(refused(502, "http"))).toBe(false);
    expect(isDefiniteAnswer(new SluiceUnreachable("", { isTimeout: true }))).toBe(false);
  });
});
