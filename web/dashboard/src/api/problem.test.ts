import { describe, expect, it } from "vitest";
import { SluiceError, SluiceUnreachable } from "../../../../client/src/sluice-error.ts";
import { describeProblem } from "./problem.ts";

function apiError(code: string, detail: string): SluiceError {
  return new SluiceError({
    status: 403,
    errors: [{ status: "403", code, title: "Title of the API", detail, id: "request-1" }],
    meta: {},
    requestId: "request-1",
    retryAfterMs: null,
  });
}

describe("describeProblem", () => {
  it("shows the title and the detail of the service's error", () => {
    expect(describeProblem(apiError("1007", "Too many digits."))).toEqual({
      title: "Title of the API",
      detail: "Too many digits.",
      requestId: "request-1",
    });
  });

  it.each(["3019", "4018"])("explains why payouts are paused for code %s", (code) => {
    const detail =
      "Payouts of ETH are paused: kill switch (drill (monthly)); node (the node lags).";
    expect(describeProblem(apiError(code, detail))).toMatchObject({
      title: "Payouts are paused",
      detail: "Reason: drill (monthly); the node lags.",
    });
  });

  it("says what to do in the dashboard where the service names a request", () => {
    const detail =
      "This payout exceeds the account's limits. Another Owner must confirm you first (POST /member/7/confirm/).";
    expect(describeProblem(apiError("2001", detail))).toMatchObject({
      detail:
        "This payout exceeds the account's limits. Another Owner must confirm you first, on the page Team.",
    });
    const change =
      "This change loosens protection. Another Owner must confirm you first (POST /member/7/confirm/).";
    expect(describeProblem(apiError("2001", change)).detail).toBe(
      "This change loosens protection. Another Owner must confirm you first, on the page Team.",
    );
  });

  it("warns that a request without a response may have been processed", () => {
    const error = new SluiceUnreachable("no answer", { cause: null, isTimeout: true });
    expect(describeProblem(error)).toMatchObject({
      title: "No response",
      detail: "The service can't be reached. Your request may still have been processed.",
    });
  });
});
