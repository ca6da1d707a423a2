import { describe, expect, it } from "vitest";
import {
  Rejected,
  type Rejection,
  rejection,
  rejections,
} from "../../platform/kernel/rejection.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { errorAnswer } from "./error-document.ts";

/** Which of several rejections is answered, and what a caller sees of unexpected errors. */

const at = (name: keyof typeof rejections, field: string): Rejection =>
  rejection(name, `${name} ${field}`, { pointer: `/data/attributes/${field}` });
const answered = (first: Rejection, ...others: Rejection[]): string[] =>
  errorAnswer(new Rejected(first, ...others), "r").body.errors.map(
    (error) => `${error.code} ${Object.values(error.source ?? {}).join("")}`,
  );

describe("error documents", () => {
  it("sorts field errors of one row by pointer", () => {
    expect(answered(at("invalidValue", "b"), at("invalidValue", "a"))).toEqual([
      "1007 /data/attributes/a",
      "1007 /data/attributes/b",
    ]);
  });

  it("answers only the first row of the table otherwise", () => {
    expect(answered(at("insufficientFunds", "a"), at("payoutNotPermitted", "b"))).toEqual([
      "4002 /data/attributes/b",
    ]);
    expect(answered(at("amountNotPositive", "amount"), at("invalidValue", "label"))).toEqual([
      "1007 /data/attributes/label",
    ]);
  });

  it("prefers a specific code to 1007 on the same field", () => {
    expect(answered(at("invalidValue", "amount"), at("amountNotPositive", "amount"))).toEqual([
      "4011 /data/attributes/amount",
    ]);
  });

  it("fills an error object with its row's title, the source, the request's id and its meta", () => {
    const meta = { payout_id: "5" };
    const used = {
      ...rejection("idempotencyKeyUsed", "Seen.", { header: "idempotency-key" }),
      meta,
    };
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

  it.each([
    [new Unavailable("ETH", "secret"), 500, "node_unavailable"],
    [new Unavailable("database", "secret"), 503, "service_unavailable"],
    [new TypeError("secret"), 500, "500"],
    ["secret", 500, "500"],
    [undefined, 500, "500"],
  ])("answers %s with %i %s and no detail", (thrown, status, code) => {
    const answer = errorAnswer(thrown, "r");
    expect([answer.status, answer.body.errors[0]?.code]).toEqual([status, code]);
    expect(JSON.stringify(answer.body)).not.toContain("secret");
  });
});
