import { expect, test } from "vitest";
import {
  Rejected,
  type Rejection,
  rejection,
  rejections,
} from "../../platform/kernel/rejection.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { errorAnswer } from "./error-document.ts";

/** Which of several rejections is answered, and what of anything else that was thrown reaches the caller. */

const at = (name: keyof typeof rejections, field: string): Rejection =>
  rejection(name, `${name} ${field}`, { pointer: `/data/attributes/${field}` });
const answered = (first: Rejection, ...others: Rejection[]): string[] =>
  errorAnswer(new Rejected(first, ...others), "r").body.errors.map(
    (error) => `${error.code} ${Object.values(error.source ?? {}).join("")}`,
  );

test("field errors of one row come together, sorted by pointer", () => {
  expect(answered(at("invalidValue", "b"), at("invalidValue", "a"))).toEqual([
    "1007 /data/attributes/a",
    "1007 /data/attributes/b",
  ]);
});

test("else the first row of the table is answered, alone", () => {
  expect(answered(at("insufficientFunds", "a"), at("payoutNotPermitted", "b"))).toEqual([
    "4002 /data/attributes/b",
  ]);
  expect(answered(at("amountNotPositive", "amount"), at("invalidValue", "label"))).toEqual([
    "1007 /data/attributes/label",
  ]);
});

test("a specific code beats 1007 on the same field", () => {
  expect(answered(at("invalidValue", "amount"), at("amountNotPositive", "amount"))).toEqual([
    "4011 /data/attributes/amount",
  ]);
});

test("an error object holds its row's words, the source, the request's id and what meta it has", () => {
  const meta = { payout_id: "5" };
  const used = { ...rejection("idempotencyKeyUsed", "Seen.", { header: "idempotency-key" }), meta };
  expect(errorAnswer(new Rejected(used), "request-1")).toEqual({
    name: "idempotencyKeyUsed",
    status: 409,
    body: {
      errors: [
        {
          status: "409",
          code: "1004",
          title: "Idempotency key already used",
          detail: "Seen.",
          source: { header: "idempotency-key" },
          id: "request-1",
          meta,
        },
      ],
      meta,
    },
  });
});

test.each([
  [new Unavailable("ETH", "secret"), 500, "node_unavailable"],
  [new Unavailable("database", "secret"), 503, "service_unavailable"],
  [new TypeError("secret"), 500, "500"],
  ["secret", 500, "500"],
  [undefined, 500, "500"],
])("%s is %i %s and tells nothing", (thrown, status, code) => {
  const answer = errorAnswer(thrown, "r");
  expect([answer.status, answer.body.errors[0]?.code]).toEqual([status, code]);
  expect(JSON.stringify(answer.body)).not.toContain("secret");
});
