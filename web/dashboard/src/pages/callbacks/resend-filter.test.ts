import { expect, it } from "vitest";
import { resendFilter } from "./resend-filter.ts";

it("narrows by every filter of the list except the status", () => {
  const filter = { status: "exhausted", webhook_endpoint: "7", object_type: "deposit" };
  expect(resendFilter(filter, "shop.example")).toEqual({
    webhook_endpoint: "7",
    object_type: "deposit",
    url: "shop.example",
  });
  expect(resendFilter({ status: "failing" }, "")).toEqual({});
});

it("sends days as instants, as the list does", () => {
  expect(resendFilter({ created_at_from: "2026-11-28" }, "")["created_at_from"]).toBe(
    new Date(2026, 10, 28).toISOString(),
  );
});
