import { describe, expect, it } from "vitest";
import type { Callback } from "../../../../../client/src/api-types.gen.ts";
import { testDeliveryNotice } from "./test-delivery.ts";

function delivery(attempts: number, code: number | null, error: string | null = null) {
  const attributes = { attempts, last_status_code: code, last_error: error };
  return { id: "7", attributes: attributes as Callback["attributes"] };
}

describe("testDeliveryNotice", () => {
  it.each([
    [
      "an accepted delivery",
      delivery(1, 200),
      { title: "Test delivered", message: "Your endpoint answered 200." },
    ],
    [
      "a refused one",
      delivery(1, 500),
      {
        title: "Test delivery failed",
        color: "red",
        message: "Your endpoint answered 500. Only 200 counts as delivered.",
      },
    ],
    [
      "one without an answer",
      delivery(1, null, "timed_out"),
      {
        title: "Test delivery failed",
        color: "red",
        message: "Your endpoint gave no answer: Timed out.",
      },
    ],
    [
      "one that waits for its attempt",
      delivery(0, null),
      {
        title: "Test delivery sent",
        message: "Your endpoint hasn't answered yet.",
      },
    ],
  ])("states the result of %s", (_which, given, notice) => {
    expect(testDeliveryNotice(given)).toEqual(notice);
  });
});
