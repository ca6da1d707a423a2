import { expect, test } from "vitest";
import { SluiceError, SluiceUnreachable } from "../../../../client/src/sluice-error.ts";
import { fieldOfPointer, sortErrors } from "./sort-errors.ts";

const values = { amount: "", wallet: "" };

function refusal(...faults: readonly (readonly [detail: string, pointer?: string])[]): SluiceError {
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

test("errors go to the fields that their pointers name, the first of each", () => {
  const error = refusal(
    ["Too many digits.", "/data/attributes/amount"],
    ["Too large.", "/data/attributes/amount"],
    ["There is no such wallet.", "/data/relationships/wallet/data/id"],
  );
  expect(sortErrors(error, values, fieldOfPointer)).toEqual({
    byField: { amount: "Too many digits.", wallet: "There is no such wallet." },
    problem: null,
  });
});

test("what no field is there for is said above the form", () => {
  const error = refusal(
    ["Not this one.", "/data/attributes/label"],
    ["Not now."],
    ["Zero.", "/data/attributes/amount"],
  );
  expect(sortErrors(error, values, fieldOfPointer)).toEqual({
    byField: { amount: "Zero." },
    problem: { title: "Invalid value", detail: "Not this one. Not now.", requestId: "request-1" },
  });
});

test("an answer without an error document, and none at all, are problems of the form", () => {
  expect(sortErrors(refusal(), values, fieldOfPointer).problem?.title).toBe(
    "The service answered 400",
  );
  const unreachable = new SluiceUnreachable("GET /: no answer", { isTimeout: true });
  expect(sortErrors(unreachable, values, fieldOfPointer)).toMatchObject({
    byField: {},
    problem: { title: "No answer" },
  });
});
