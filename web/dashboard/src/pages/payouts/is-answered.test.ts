import { expect, test } from "vitest";
import { SluiceError, SluiceUnreachable } from "../../../../../client/src/sluice-error.ts";
import { isAnswered } from "./is-answered.ts";

const refused = (status: number, code: string) =>
  new SluiceError({
    status,
    meta: {},
    requestId: null,
    retryAfterMs: null,
    errors: [{ status: String(status), code, title: "", detail: "", id: "1" }],
  });

test("a refusal is an answer; a broken service and silence are none", () => {
  expect(isAnswered(refused(400, "4008"))).toBe(true);
  expect(isAnswered(refused(503, "4018"))).toBe(true);
  expect(isAnswered(refused(500, "500"))).toBe(false);
  expect(isAnswered(refused(502, "http"))).toBe(false);
  expect(isAnswered(new SluiceUnreachable("", { isTimeout: true }))).toBe(false);
});
