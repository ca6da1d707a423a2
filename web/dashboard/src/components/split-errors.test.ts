import { describe, expect, it } from "vitest";
import { SluiceError, SluiceUnreachable } from "../../../../client/src/sluice-error.ts";
import { fieldOfPointer, splitErrors } from "./split-errors.ts";

const values = { amount: "", wallet: "" };

function apiError(
  ...faults: readonly (readonly [detail: string, pointer?: string])[]
): SluiceError {
  return new SluiceError({
    status: 400,
    errors: faults.map(([detail, pointer]) => ({
      status: "400",
      code: "1007",
      title: "Invalid value",
      detail,
      id: "request-1",
      ...(pointer === undefined ? {} : { source: { pointer } }),
    })),
    meta: {},
    requestId: "request-1",
    retryAfterMs: null,
  });
}

describe("splitErrors", () => {
  it("assigns the first error of each pointer to its field", () => {
    const error = apiError(
      ["Too many digits.", "/data/attributes/amount"],
      ["Too large.", "/data/attributes/amount"],
      ["There is no such wallet.", "/data/relationships/wallet/data/id"],
    );
    expect(splitErrors(error, values, fieldOfPointer)).toEqual({
      byField: { amount: "Too many digits.", wallet: "There is no such wallet." },
      problem: null,
    });
  });

  it("reports errors without a matching field at form level", () => {
    const error = apiError(
      ["Not this one.", "/data/attributes/label"],
      ["Not now."],
      ["Zero.", "/data/attributes/amount"],
    );
    expect(splitErrors(error, values, fieldOfPointer)).toEqual({
      byField: { amount: "Zero." },
      problem: { title: "Invalid value", detail: "Not this one. Not now.", requestId: "request-1" },
    });
  });

  it("reports an empty error document and a missing response at form level", () => {
    expect(splitErrors(apiError(), values, fieldOfPointer).problem?.title).toBe(
      "Request failed (HTTP 400)",
    );
    const unreachable = new SluiceUnreachable("GET /: no answer", { isTimeout: true });
    expect(splitErrors(unreachable, values, fieldOfPointer)).toMatchObject({
      byField: {},
      problem: { title: "No response" },
    });
  });
});
