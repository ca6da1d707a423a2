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

  it("is false for server errors and missing responses", () => {
    expect(isDefiniteAnswer(refused(500, "500"))).toBe(false);
    expect(isDefiniteAnswer(refused(502, "http"))).toBe(false);
    expect(isDefiniteAnswer(new SluiceUnreachable("", { isTimeout: true }))).toBe(false);
  });
});
